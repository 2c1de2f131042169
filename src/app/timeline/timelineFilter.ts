import { own } from '#contract/member.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { matching, type TimelineFilter } from '#rules/timeline.ts';

/** What the timeline shows: filter, open entries and view. */
export interface Filter {
  segment: Segment;
  /** Part of a URL or a body, an id, or a status such as 200 or 4xx. */
  find: string;
  /** Whether the reads of the console and its page are shown. */
  reads: boolean;
  /** A journey's id; '' for all. */
  journey: string;
  /** Ids of the open entry and of the one that it is compared with; '' for none. */
  entry: string;
  other: string;
  view: 'messages' | 'sequence';
}

export const segments = {
  service: 'Service',
  console: 'Console',
  webhooks: 'Webhooks',
  programs: 'Your program',
  all: 'All',
} as const;
type Segment = keyof typeof segments;

/** Webhooks are the service's answers, so they are listed with its calls. */
const kinds: Readonly<Record<Segment, string>> = {
  service: 'service,webhook,program',
  console: 'call',
  webhooks: 'webhook',
  programs: 'program',
  all: '',
};

export const noFilter: Filter = {
  segment: 'service',
  find: '',
  reads: false,
  journey: '',
  entry: '',
  other: '',
  view: 'messages',
};

const isStatus = (text: string): boolean => /^(\d{3}|\dxx|0)$/.test(text);
/** Ids of interactions and entries are not part of an entry's texts, so they are matched separately. */
const isId = (text: string): boolean => /^(\d{16}|[\da-f]{8}-[\da-f-]{4,})$/i.test(text);

export function filterOf({ segment, find, reads, journey }: Filter): TimelineFilter {
  const text = find.trim().slice(0, 200);
  return {
    kind: kinds[segment],
    journey,
    reads: String(reads) as 'true' | 'false', // the two texts of a boolean
    ...(isStatus(text) ? { status: text } : isId(text) ? { id: text } : { text }),
  };
}

/** How many of the entries each segment shows, with a mark if older ones are not loaded; and how many are hidden reads. */
export function countsIn(entries: readonly TimelineEntry[], look: Filter, more: boolean) {
  const of = (filter: TimelineFilter) => matching(entries, filter).length;
  const written = (count: number) => `${count}${more ? '+' : ''}`;
  const [shown, all] = [{ kind: '', reads: String(look.reads) as 'true' | 'false' }, { kind: kinds[look.segment] }]; // as above
  const segment = (Object.keys(segments) as Segment[]).map((id) => [id, written(of({ ...shown, kind: kinds[id] }))]); // its own keys
  return {
    segments: Object.fromEntries(segment) as Record<Segment, string>, // of all segments
    reads: written(of(all) - of({ ...all, reads: 'false' })),
  };
}

const names = {
  segment: 'show',
  find: 'find',
  reads: 'reads',
  journey: 'journey',
  entry: 'entry',
  other: 'with',
  view: 'view',
} as const satisfies Record<keyof Filter, string>;

/** A look as the query of an address; leaves out default values. */
export const searchOf = (look: Filter): URLSearchParams =>
  new URLSearchParams(
    (Object.keys(names) as (keyof Filter)[]).flatMap((key) =>
      look[key] === noFilter[key] ? [] : [[names[key], String(look[key])]],
    ),
  );

/** Reads a look from the query of an address. */
export function filterIn(search: URLSearchParams): Filter {
  const of = (key: keyof Filter): string => search.get(names[key]) ?? '';
  const segment = of('segment');
  return {
    segment: own(segments, segment) ? segment : noFilter.segment,
    find: of('find'),
    reads: of('reads') === 'true',
    journey: of('journey'),
    entry: of('entry'),
    other: of('other'),
    view: of('view') === 'sequence' ? 'sequence' : 'messages',
  };
}
