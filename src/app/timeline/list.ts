import type { TimelineEntry } from '#contract/timeline.ts';
import type { Problem } from '#contract/problem.ts';

/**
 * `loading` until the first entries were read, `failed` if they could not be; `live` while new ones are heard of;
 * `resuming` while the connection is broken.
 */
type TimelineState = 'loading' | 'live' | 'resuming' | 'failed';

/** A filtered part of the timeline as a page shows it. */
export interface TimelineView {
  /** Newest first, without a gap. */
  entries: readonly TimelineEntry[];
  state: TimelineState;
  /** Why it could not be read, or older ones could not; null if all went well. */
  problem: Problem | null;
  /** Whether there are older ones to load. */
  more: boolean;
}

export const nothingYet: TimelineView = { entries: [], state: 'loading', problem: null, more: false };

/** How many entries a page keeps of one list: as many as the server does. */
const most = 1000;

const newestFirst = (a: TimelineEntry, b: TimelineEntry): number => Number(b.id) - Number(a.id);

/** Both lists as one: newest first, each entry once. */
export function merged(old: readonly TimelineEntry[], more: readonly TimelineEntry[]): TimelineEntry[] {
  const byId = new Map([...old, ...more].map((entry) => [entry.id, entry]));
  return [...byId.values()].sort(newestFirst).slice(0, most);
}

/** A page of the timeline as it is read. */
export interface ReadPage {
  data: readonly TimelineEntry[];
  next?: string | undefined;
}

/**
 * A list after its newest page was read again; `before` is the id of the newest entry that it had when that was asked
 * for, '' if none. What is older than an entry that may be missing is left out, and can be loaded again.
 */
export function renewed(view: TimelineView, page: ReadPage, before: string): TimelineView {
  const oldest = Number(page.data.at(-1)?.id ?? 0);
  const gap = before === '' || (page.next !== undefined && oldest > Number(before));
  const kept = gap ? view.entries.filter(({ id }) => Number(id) > Number(before || oldest)) : view.entries;
  return {
    entries: merged(kept, page.data),
    state: 'live',
    problem: null,
    more: gap ? page.next !== undefined : view.more,
  };
}

/** A list with the page after its last entry. */
export const continued = (view: TimelineView, page: ReadPage): TimelineView => ({
  ...view,
  entries: merged(view.entries, page.data),
  problem: null,
  more: page.next !== undefined && view.entries.length + page.data.length < most,
});
