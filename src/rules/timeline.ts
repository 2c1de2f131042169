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

/** The calls with which every page reads the facts. */
const readingsOfFacts: readonly string[] = ['getFacts', 'getSettings', 'getSetAside'];

/** Returns the entries that match a filter; an absent or empty condition matches all. */
export function matching(entries: readonly TimelineEntry[], filter: TimelineFilter): TimelineEntry[] {
  const { journey, id, kind, status, text, facts } = filter;
  const sought = text?.toLowerCase();
  const kinds = kind?.split(',');
  return entries.filter(
    (entry) =>
      (!journey || entry.journey === journey) &&
      (!id || isAbout(entry, id)) &&
      (!kinds || kinds.includes(entry.kind)) &&
      (!status || hasStatus(entry.status, status)) &&
      (facts !== 'false' || !readingsOfFacts.includes(entry.name)) &&
      (!sought || textsOf(entry).some((each) => each.toLowerCase().includes(sought))),
  );
}
