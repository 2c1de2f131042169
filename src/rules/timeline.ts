import { faultHeader } from '#contract/constants.ts';
import type { Query } from '#contract/shapes.ts';
import type { TimelineEntry } from '#contract/timeline.ts';

/** The filter of the timeline's entries, as in the query of getTimeline. */
export type TimelineFilter = Omit<NonNullable<Query<'getTimeline'>>, 'limit' | 'after'>;

/** The kind of fault with which the sandbox's lab created or changed an entry; '' if it did not. */
export function faultOf({ kind, request, response, fault }: TimelineEntry): string {
  const { headers } = kind === 'webhook' ? request : response;
  return (fault ?? headers[faultHeader] ?? '').split(';')[0] ?? '';
}

/** Whether a status matches: `4xx` stands for 400 to 499, 0 for no answer. */
const hasStatus = (status: number, asked: string): boolean =>
  /^\dxx$/.test(asked) ? Math.floor(status / 100) === Number(asked[0]) : status === Number(asked);

const textsOf = ({ name, url, reason, request, response }: TimelineEntry): string[] => [
  name,
  url,
  reason,
  request.body,
  response.body,
];

/** Whether an entry is about an id: its own, its interaction's, that of the message it answers, or one in its texts. */
const isAbout = (entry: TimelineEntry, id: string): boolean =>
  [entry.id, entry.interactionId, entry.answers].includes(id) || textsOf(entry).some((text) => text.includes(id));

/** Whether an entry is a read of the console or of its page that has succeeded, without a fault. */
const isBackgroundRead = (entry: TimelineEntry): boolean =>
  (entry.kind === 'call' || entry.kind === 'service') &&
  (entry.method === 'GET' || entry.method === 'HEAD') &&
  entry.status >= 200 &&
  entry.status < 400 &&
  faultOf(entry) === '';

/** The idempotency key with which the console called the service; '' for none. */
const keyOf = ({ kind, request: { headers } }: TimelineEntry): string =>
  kind === 'service' || kind === 'program' ? (headers['x-idempotency-key'] ?? '') : '';

/** Ids of the entries whose idempotency key an earlier one of them had: the retries. */
export function retriesIn(entries: readonly TimelineEntry[]): ReadonlySet<string> {
  const first = new Map<string, number>();
  for (const entry of entries) {
    const [key, id] = [keyOf(entry), Number(entry.id)];
    if (key !== '') first.set(key, Math.min(id, first.get(key) ?? id));
  }
  const earliest = new Set([...first.values()].map(String));
  return new Set(entries.filter((entry) => keyOf(entry) !== '' && !earliest.has(entry.id)).map(({ id }) => id));
}

/** Returns the entries that match a filter; an absent or empty condition matches all. */
export function matching(entries: readonly TimelineEntry[], filter: TimelineFilter): TimelineEntry[] {
  const { journey, id, kind, status, text, reads } = filter;
  const sought = text?.toLowerCase();
  const kinds = kind ? kind.split(',') : undefined;
  return entries.filter(
    (entry) =>
      (!journey || entry.journey === journey) &&
      (!id || isAbout(entry, id)) &&
      (!kinds || kinds.includes(entry.kind)) &&
      (!status || hasStatus(entry.status, status)) &&
      (reads !== 'false' || !isBackgroundRead(entry)) &&
      (!sought || textsOf(entry).some((each) => each.toLowerCase().includes(sought))),
  );
}
