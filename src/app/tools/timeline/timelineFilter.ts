import type { TimelineView } from '#app/client/timelineList.ts';
import { own } from '#contract/member.ts';
import { matching, type TimelineFilter } from '#rules/timeline.ts';

/** What the timeline shows: filter, open entries and view. */
export interface Filter {
  segment: Segment;
  /** Part of a URL or a body, an id, or a status such as 200 or 4xx. */
  find: string;
  /** Whether the reads of the console and its page are shown. */
  reads: boolean;
  /** Whether only failures are shown. */
  failed: boolean;
  /** Between which times (ISO) the entries began; '' for any. */
  from: string;
  to: string;
  /** A journey's id; '' for all. */
  journey: string;
  /** The id of the interaction whose calls are shown, reads among them; '' for all. */
  interaction: string;
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
  failed: false,
  from: '',
  to: '',
  journey: '',
  interaction: '',
  entry: '',
  other: '',
  view: 'messages',
};

const isStatus = (text: string): boolean => /^(\d{3}|\dxx|0)$/.test(text);

export function filterOf({ segment, find, reads, failed, from, to, journey, interaction }: Filter): TimelineFilter {
  const text = find.trim().slice(0, 200);
  return {
    kind: kinds[segment],
    journey,
    interaction,
    ...(from && { from }),
    ...(to && { to }),
    ...(failed && { failed: 'true' as const }),
    reads: String(reads || interaction !== '') as 'true' | 'false', // the two texts of a boolean
    ...(isStatus(text) ? { status: text } : { text }),
  };
}

/** The entries of a list, whether there are older ones, and whether they have been read. */
type Listed = Pick<TimelineView, 'entries' | 'more' | 'state'>;

/**
 * How many of the entries of all segments each of them shows. '' until all have been read: a count of those that happen to
 * be loaded would change without a new entry.
 */
export function countsIn({ entries, more, state }: Listed): Record<Segment, string> {
  const isWhole = state !== 'loading' && !more;
  const count = (id: Segment) => (isWhole ? String(matching(entries, { kind: kinds[id] }).length) : '');
  return Object.fromEntries((Object.keys(segments) as Segment[]).map((id) => [id, count(id)])) as Record<
    Segment,
    string
  >; // of all segments
}

const names = {
  segment: 'show',
  find: 'find',
  reads: 'reads',
  failed: 'failed',
  from: 'from',
  to: 'to',
  journey: 'journey',
  interaction: 'interaction',
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

/** A time (ISO) of an address; '' if it is none, or none of a year of four digits. */
const timeIn = (text: string): string => {
  const at = new Date(text);
  return at.getUTCFullYear() >= 0 && at.getUTCFullYear() <= 9999 ? at.toISOString() : '';
};

/** Reads a look from the query of an address. */
export function filterIn(search: URLSearchParams): Filter {
  const of = (key: keyof Filter): string => search.get(names[key]) ?? '';
  const segment = of('segment');
  return {
    segment: own(segments, segment) ? segment : noFilter.segment,
    find: of('find'),
    reads: of('reads') === 'true',
    failed: of('failed') === 'true',
    from: timeIn(of('from')),
    to: timeIn(of('to')),
    journey: of('journey'),
    interaction: of('interaction'),
    entry: of('entry'),
    other: of('other'),
    view: of('view') === 'sequence' ? 'sequence' : 'messages',
  };
}
