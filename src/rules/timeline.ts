import type { Query } from '#contract/shapes.ts';
import type { TimelineEntry } from '#contract/timeline.ts';

/** Which entries of the timeline are meant, as its call is asked for them. */
export type TimelineFilter = Omit<NonNullable<Query<'getTimeline'>>, 'limit' | 'after'>;

/** `4xx` stands for every status from 400 to 499; 0 for no answer. */
const hasStatus = (status: number, asked: string): boolean =>
  /^\dxx$/.test(asked) ? Math.floor(status / 100) === Number(asked[0]) : status === Number(asked);

const textsOf = ({ name, url, reason, request, response }: TimelineEntry): string[] => [
  name,
  url,
  reason,
  request.body,
  response.body,
];

/** Whether an entry is about an id: its own, its interaction's, or one that stands in it. */
const isAbout = (entry: TimelineEntry, id: string): boolean =>
  [entry.id, entry.interactionId, entry.answers].includes(id) || textsOf(entry).some((text) => text.includes(id));

/** Calls by which each page reads where the user stands. */
const readingsOfFacts: readonly string[] = ['getFacts', 'getSettings', 'getSetAside'];

/** The entries that a filter lets pass; a condition that is absent or empty lets all pass. */
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
