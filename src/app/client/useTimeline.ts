import { useEffect, useMemo, useSyncExternalStore } from 'react';
import type { TimelineFilter } from '#rules/timeline.ts';
import { repetitionHelps } from '#rules/repetition.ts';
import { call } from './client.ts';
import { connection } from './connection.ts';
import type { TimelineView } from './timelineList.ts';
import { createTimelineStore } from './timelineStore.ts';

const listOf = createTimelineStore({
  read: (filter, page, signal) => call('getTimeline', { query: { ...filter, ...page }, signal }),
  connection,
});

const everything: TimelineFilter = {};

interface Listed extends TimelineView {
  loadMore: () => void;
  /** Null where reading again cannot help. */
  retry: (() => void) | null;
}

/**
 * The timeline entries that match `filter`, newest first and live. They are read and followed only while a component
 * shows them; all components share one connection.
 *
 * @param limit the number of entries read at once, 1 to 100, or to 999 of brief ones. New entries are added to them, so show only as many as
 * needed.
 */
export function useTimeline(filter: TimelineFilter = everything, limit = 50): Listed {
  const { journey, entry, interaction, name, kind, status, text, reads, failed, from, to, brief } = filter;
  const list = useMemo(() => {
    const conditions = { journey, entry, interaction, name, kind, status, text, reads, failed, from, to, brief };
    return listOf(Object.fromEntries(Object.entries(conditions).filter(([, value]) => value)), String(limit));
  }, [journey, entry, interaction, name, kind, status, text, reads, failed, from, to, brief, limit]);
  const view = useSyncExternalStore(list.subscribe, list.view);
  const mayRetry = view.problem === null || repetitionHelps(view.problem);
  return { ...view, loadMore: list.loadMore, retry: mayRetry ? list.retry : null };
}

/**
 * All timeline entries that match `filter`, page by page: for what is decided by them, and where `filter` matches few. They are
 * `loading` until the last page has been read.
 */
export function useWholeTimeline(filter: TimelineFilter): Pick<TimelineView, 'entries' | 'state' | 'createdBy'> {
  const { entries, state, more, problem, createdBy, loadMore } = useTimeline(filter, filter.brief ? 999 : 100);
  useEffect(() => {
    if (more && state === 'live') loadMore();
  }, [more, state, entries, loadMore]);
  return { entries, state: more && state === 'live' && !problem ? 'loading' : state, createdBy };
}
