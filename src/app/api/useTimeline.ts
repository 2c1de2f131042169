import { useMemo, useSyncExternalStore } from 'react';
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

/**
 * The timeline entries that match `filter`, newest first and live. They are read and followed only while a component
 * shows them; all components share one connection.
 *
 * @param limit the number of entries read at once, 1 to 100. New entries are added to them, so show only as many as
 * needed. `retry` is null where reading again cannot help.
 */
export function useTimeline(
  filter: TimelineFilter = everything,
  limit = 50,
): TimelineView & { loadMore: () => void; retry: (() => void) | null } {
  const { journey, id, kind, status, text, reads } = filter;
  const list = useMemo(
    () =>
      listOf(
        Object.fromEntries(Object.entries({ journey, id, kind, status, text, reads }).filter(([, value]) => value)),
        String(limit),
      ),
    [journey, id, kind, status, text, reads, limit],
  );
  const view = useSyncExternalStore(list.subscribe, list.view);
  const mayRetry = view.problem === null || repetitionHelps(view.problem);
  return { ...view, loadMore: list.loadMore, retry: mayRetry ? list.retry : null };
}
