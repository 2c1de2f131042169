import type { TimelineEntry } from '#contract/timeline.ts';
import type { Problem } from '#contract/problem.ts';
import { matching, type TimelineFilter } from '#rules/timeline.ts';
import { continued, merged, nothingYet, renewed, type ReadPage, type TimelineView } from './list.ts';
import type { Listener } from './source.ts';

interface Deps {
  /** Reads a page, newest first, after the entry with the id `after`. Rejects with a Problem. */
  read: (filter: TimelineFilter, page: { limit: string; after?: string }, signal: AbortSignal) => Promise<ReadPage>;
  /** Follows the timeline; returns what ends it. */
  follow: (listener: Listener) => () => void;
}

/** A part of the timeline, shared by all who look at it. */
export interface TimelineList {
  view: () => TimelineView;
  /** Looks at it until the returned function is called. */
  subscribe: (changed: () => void) => () => void;
  loadMore: () => void;
  retry: () => void;
}

/** Waits (ms) before it is tried again to follow: the first, and the longest after failing each time. */
const waits = { first: 1000, longest: 30_000 } as const;

/** Problems that waiting does not solve. */
const isFinal = ({ code }: Problem): boolean => ['signed-out', 'another-user', 'company-unknown'].includes(code);

/** The one place of a page that knows the timeline: it is followed while somebody looks, and the page is visible. */
export function createTimelineStore({ read, follow }: Deps) {
  const lists = new Map<string, ReturnType<typeof listOf>>();
  /** Those that somebody looks at. */
  const watched = new Set<ReturnType<typeof listOf>>();
  let leave: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait: number = waits.first;

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    leave?.();
    leave = undefined;
  }

  function begin(): void {
    stop();
    if (watched.size === 0 || document.visibilityState === 'hidden') return;
    leave = follow({
      opened() {
        wait = waits.first;
        for (const list of watched) list.renew();
      },
      heard: (entry) => watched.forEach((list) => list.hear(entry)),
      lost(closed) {
        for (const list of watched) list.interrupt();
        if (!closed) return;
        // The browser gives up for good where a proxy answers for a server that is being restarted.
        timer = setTimeout(begin, wait);
        wait = Math.min(wait * 2, waits.longest);
        // It does not say why it was refused.
        for (const list of watched) list.renew();
      },
    });
  }

  const onVisibility = () => (document.visibilityState === 'hidden' ? stop() : begin());
  const onShow = ({ persisted }: PageTransitionEvent) => persisted && begin();

  function listOf(filter: TimelineFilter, limit: string) {
    const listeners = new Set<() => void>();
    let current: TimelineView = nothingYet;
    let reading: AbortController | undefined;

    const show = (next: TimelineView) => {
      current = next;
      for (const changed of listeners) changed();
    };

    /** Reads a page unless nobody looks any more when it comes. A later reading replaces one that has not ended. */
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
        const before = current.entries[0]?.id ?? '';
        load(
          undefined,
          (page) => renewed(current, page, before),
          (problem) => {
            if (isFinal(problem)) stop();
            // What was read stays, and is read again with the connection.
            const resuming = current.entries.length > 0 && !isFinal(problem);
            show(resuming ? { ...current, state: 'resuming' } : { ...current, state: 'failed', problem });
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
          // The last entry may be gone from the server by now.
          (problem) => (problem.code === 'invalid-request' ? list.retry() : show({ ...current, problem })),
        );
      },
      retry() {
        show(nothingYet);
        list.renew();
        begin();
      },
      subscribe(changed: () => void) {
        listeners.add(changed);
        if (listeners.size === 1) {
          watched.add(list);
          list.renew();
          if (watched.size === 1) {
            document.addEventListener('visibilitychange', onVisibility);
            window.addEventListener('pagehide', stop);
            window.addEventListener('pageshow', onShow);
          }
          if (!leave) begin();
        }
        return () => {
          listeners.delete(changed);
          if (listeners.size > 0) return;
          reading?.abort();
          watched.delete(list);
          if (watched.size > 0) return;
          stop();
          document.removeEventListener('visibilitychange', onVisibility);
          window.removeEventListener('pagehide', stop);
          window.removeEventListener('pageshow', onShow);
        };
      },
    };
    return list;
  }

  /** The list of a filter; the latest few stay known, so that they are seen at once by who comes back. */
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
    for (const [old, each] of lists) if (lists.size > 20 && !watched.has(each)) lists.delete(old);
    return list;
  };
}
