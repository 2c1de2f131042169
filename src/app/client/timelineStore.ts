import type { TimelineEntry } from '#contract/timeline.ts';
import type { Problem } from '#contract/problem.ts';
import { endsFollowing } from '#rules/repetition.ts';
import { matching, type TimelineFilter } from '#rules/timeline.ts';
import type { Connection } from './connection.ts';
import { continued, merged, nothingYet, renewed, type ReadPage, type TimelineView } from './timelineList.ts';

interface Deps {
  /** Reads a page, newest first, starting after the entry with the id `after`. Rejects with a Problem. */
  read: (filter: TimelineFilter, page: { limit: string; after?: string }, signal: AbortSignal) => Promise<ReadPage>;
  connection: Pick<Connection, 'on' | 'send' | 'subscribe' | 'isLive' | 'isOpening'>;
}

/** A filtered list of the timeline, shared by all its subscribers. */
export interface TimelineList {
  view: () => TimelineView;
  /** Subscribes until the returned function is called. */
  subscribe: (changed: () => void) => () => void;
  loadMore: () => void;
  retry: () => void;
}

/** The page's only access to the timeline. Keeps a connection open while a list has subscribers. */
export function createTimelineStore({ read, connection }: Deps) {
  const lists = new Map<string, ReturnType<typeof listOf>>();
  /** The lists that have subscribers. */
  const watched = new Set<ReturnType<typeof listOf>>();
  /** The lists read since the connection was opened, which its entries keep current. */
  let upToDate = new Set<ReturnType<typeof listOf>>();

  const renewAll = () => watched.forEach((list) => list.renew());
  connection.on('opened', () => {
    upToDate = new Set();
    renewAll();
  });
  connection.on('due', renewAll);
  connection.on('interrupted', () => watched.forEach((list) => list.interrupt()));
  connection.on('entry', ({ entry }) => new Set([...watched, ...upToDate]).forEach((list) => list.hear(entry)));

  function listOf(filter: TimelineFilter, limit: string) {
    const listeners = new Set<() => void>();
    let current: TimelineView = nothingYet;
    let reading: AbortController | undefined;
    let unsubscribe = () => undefined as void;

    const show = (next: TimelineView) => {
      current = next;
      for (const changed of listeners) changed();
    };

    /** Reads a page; ignores its answer if the reading is aborted. A new reading aborts the previous one. */
    function load(
      after: string | undefined,
      take: (page: ReadPage) => TimelineView,
      fail: (problem: Problem) => void,
    ): void {
      reading?.abort();
      const mine = (reading = new AbortController());
      read(filter, { limit, ...(after !== undefined && { after }) }, mine.signal).then(
        (page) => !mine.signal.aborted && show(take(page)),
        (problem: Problem) => !mine.signal.aborted && fail(problem),
      );
    }

    const list = {
      view: () => current,
      renew() {
        const during = upToDate;
        const before = current.entries[0]?.id ?? '';
        load(
          undefined,
          (page) => {
            during.add(list);
            return renewed(current, page, before);
          },
          (problem) => {
            // Entries already read stay visible; they are read again when the connection is open again.
            const resuming = current.entries.length > 0 && !endsFollowing(problem);
            show(resuming ? { ...current, state: 'resuming' } : { ...current, state: 'failed', problem });
            connection.send({ type: endsFollowing(problem) ? 'reading.refused' : 'reading.failed' });
          },
        );
      },
      interrupt: () => current.state === 'live' && show({ ...current, state: 'resuming' }),
      hear(entry: TimelineEntry) {
        if (matching([entry], filter).length === 0) return;
        show({ ...current, entries: merged(current.entries, [entry]) });
      },
      loadMore() {
        const last = current.entries.at(-1);
        if (!last || !current.more) return;
        load(
          last.id,
          (page) => continued(current, page),
          // The server may have dropped the last entry since.
          (problem) => (problem.code === 'invalid-request' ? list.retry() : show({ ...current, problem })),
        );
      },
      retry() {
        show(nothingYet);
        if (connection.isLive()) list.renew();
        else connection.send({ type: 'retry' });
      },
      subscribe(changed: () => void) {
        listeners.add(changed);
        if (listeners.size === 1) {
          watched.add(list);
          unsubscribe = connection.subscribe();
          const isCurrent = connection.isLive() && upToDate.has(list);
          // An entry recorded between reading a list and opening the connection would be missed.
          if (!isCurrent && !connection.isOpening()) list.renew();
        }
        return () => {
          listeners.delete(changed);
          if (listeners.size > 0) return;
          reading?.abort();
          watched.delete(list);
          unsubscribe();
        };
      },
    };
    return list;
  }

  /** Returns the list of a filter. Caches the 20 lists used last, so that their entries show immediately on return. */
  return (filter: TimelineFilter, limit: string): TimelineList => {
    const key = JSON.stringify([
      limit,
      ...Object.entries(filter)
        .filter(([, value]) => value)
        .sort(),
    ]);
    const list = lists.get(key) ?? listOf(filter, limit);
    lists.delete(key);
    lists.set(key, list);
    for (const [old, each] of lists)
      if (lists.size > 20 && !watched.has(each)) {
        lists.delete(old);
        upToDate.delete(each);
      }
    return list;
  };
}
