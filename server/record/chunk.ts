import type { TimelineEntry, TimelineMessage } from '#contract/timeline.ts';

/** A message whose body is a position in the list of bodies. */
type Bodyless = Omit<TimelineMessage, 'body'> & { body: number };
type Packed = Omit<TimelineEntry, 'request' | 'response'> & { request: Bodyless; response: Bodyless };

/** Entries as they are stored: each body once, because many are the same. Earlier versions stored the entries alone. */
export type Chunk = { bodies: string[]; entries: Packed[] } | TimelineEntry[];

export function packed(entries: readonly TimelineEntry[]): Chunk {
  const places = new Map<string, number>();
  const without = (message: TimelineMessage): Bodyless => {
    const place = places.get(message.body) ?? places.size;
    places.set(message.body, place);
    return { ...message, body: place };
  };
  const all = entries.map((entry) => ({
    ...entry,
    request: without(entry.request),
    response: without(entry.response),
  }));
  return { bodies: [...places.keys()], entries: all };
}

export function unpacked(chunk: Chunk): TimelineEntry[] {
  if (Array.isArray(chunk)) return chunk;
  const { bodies, entries } = chunk;
  const whole = (message: Bodyless): TimelineMessage => ({ ...message, body: bodies[message.body] ?? '' });
  return entries.map((entry) => ({ ...entry, request: whole(entry.request), response: whole(entry.response) }));
}
