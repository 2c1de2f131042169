import type { TimelineEntry } from '#contract/timeline.ts';
import type { Problem } from '#contract/problem.ts';

/**
 * `loading` until the first entries have been read, `failed` if that fails; `live` while new entries are received;
 * `resuming` while the connection is interrupted.
 */
type TimelineState = 'loading' | 'live' | 'resuming' | 'failed';

/** A filtered part of the timeline as a page shows it. */
export interface TimelineView {
  /** Newest first, without gaps. */
  entries: readonly TimelineEntry[];
  state: TimelineState;
  /** Why the list or its older entries could not be read; null without a problem. */
  problem: Problem | null;
  /** Whether there are older entries to load. */
  more: boolean;
  /** The interaction id of the write that created the record whose entries these are; '' if it is unknown. */
  createdBy: string;
}

export const nothingYet: TimelineView = { entries: [], state: 'loading', problem: null, more: false, createdBy: '' };

/** Maximum number of entries of a list; the same as on the server. */
const most = 1000;

const newestFirst = (a: TimelineEntry, b: TimelineEntry): number => Number(b.id) - Number(a.id);

/** Merges two lists: newest first, each entry once, at most `most`. */
export function merged(old: readonly TimelineEntry[], more: readonly TimelineEntry[]): TimelineEntry[] {
  const byId = new Map([...old, ...more].map((entry) => [entry.id, entry]));
  return [...byId.values()].sort(newestFirst).slice(0, most);
}

/** One page of the timeline, as read from the server. */
export interface ReadPage {
  data: readonly TimelineEntry[];
  next?: string | undefined;
  createdBy?: string | undefined;
}

/**
 * Merges the newest page into a list after a reconnect. `before` is the id of the list's newest entry when the page was
 * requested, '' for none. If entries may be missing between page and list, drops the older ones, which can be loaded
 * again.
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
    createdBy: page.createdBy ?? '',
  };
}

/** Appends the next page of older entries to a list. */
export const continued = (view: TimelineView, page: ReadPage): TimelineView => ({
  ...view,
  entries: merged(view.entries, page.data),
  problem: null,
  more: page.next !== undefined && view.entries.length + page.data.length < most,
});
