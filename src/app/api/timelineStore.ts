import type { TimelineEntry } from '#contract/timeline.ts';
import type { Problem } from '#contract/problem.ts';
import { matching, type TimelineFilter } from '#rules/timeline.ts';
import { slotOf, type Locks, type Slot } from './streamLocks.ts';
import { continued, merged, nothingYet, renewed, type ReadPage, type TimelineView } from './timelineList.ts';
import type { Listener } from './timelineSource.ts';

interface Deps {
  /** Reads a page, newest first, starting after the entry with the id `after`. Rejects with a Problem. */
  read: (filter: TimelineFilter, page: { limit: string; after?: string }, signal: AbortSignal) => Promise<ReadPage>;
  /** Subscribes to the timeline; returns a function that unsubscribes. */
  follow: (listener: Listener) => () => void;
  locks: Locks;
}

/** The locks of the timeline streams that a browser keeps open. A window without a lock polls its lists. */
const slots = ['timeline-1', 'timeline-2'] as const;

/** Polling (ms) in a window without a stream: delay before the first reading, and between readings. */
const poll = { first: 100, next: 2000 } as const;

/** A filtered list of the timeline, shared by all its subscribers. */
export interface TimelineList {
  view: () => TimelineView;
  /** Subscribes until the returned function is called. */
  subscribe: (changed: () => void) => () => void;
  loadMore: () => void;
  retry: () => void;
}

/** Backoff (ms) before reconnecting: the first delay, and the limit of its doubling after each failure. */
const waits = { first: 1000, longest: 30_000 } as const;

/** Maximum time (ms) that a list waits for the connection before it is read; a proxy may delay a stream. */
const patience = 1000;

/** Time (ms) for which the connection outlives its last list, because the next page usually has one too. */
const linger = 5000;

/** Problems that a retry does not solve. */
const isFinal = ({ code }: Problem): boolean => ['signed-out', 'another-user', 'company-unknown'].includes(code);

/** The page's only access to the timeline. Connected only while a list has subscribers and the page is visible. */
export function createTimelineStore({ read, follow, locks }: Deps) {
  const lists = new Map<string, ReturnType<typeof listOf>>();
  /** The lists that have subscribers. */
  const watched = new Set<ReturnType<typeof listOf>>();
  let leave: (() => void) | undefined;
  let slot: Slot | undefined;
  let opening = false;
  /**
   * Identifies the open connection; null while there is none. A list read since it opened stays current by its events.
   */
  let connection: object | null = null;
  const upToDate = new Set<ReturnType<typeof listOf>>();
  /** The lists to read once the connection is open. */
  const unread = new Set<ReturnType<typeof listOf>>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;
  let unwatched: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let wait: number = waits.first;

  function stop(): void {
    clearTimeout(timer);
    clearTimeout(late);
    clearTimeout(again);
    timer = again = undefined;
    opening = false;
    setConnection(null);
    leave?.();
    leave = undefined;
    slot?.giveBack();
    slot = undefined;
  }

  function setConnection(now: object | null): void {
    connection = now;
    upToDate.clear();
  }

  /** The delay (ms) before the next attempt; doubles each time. */
  function nextWait(): number {
    const now = wait;
    wait = Math.min(wait * 2, waits.longest);
    return now;
  }

  /** Schedules another reading of the lists whose reading failed although the connection is open. */
  function renewLater(during: object): void {
    again ??= setTimeout(() => {
      again = undefined;
      if (during !== connection) return;
      for (const list of watched) if (list.view().state === 'resuming') list.renew();
    }, nextWait());
  }

  function readUnread(): void {
    for (const list of unread) list.renew();
  }

  function begin(): void {
    stop();
    if (watched.size === 0 || document.visibilityState === 'hidden') return;
    slot = slotOf(slots, locks, connect);
    if (slot.held()) return connect();
    timer = setTimeout(readAgain, poll.first);
  }

  function readAgain(): void {
    timer = setTimeout(readAgain, poll.next);
    for (const list of watched) list.renew();
  }

  function connect(): void {
    clearTimeout(timer);
    opening = true;
    late = setTimeout(readUnread, patience);
    leave = follow({
      opened() {
        opening = false;
        setConnection({});
        clearTimeout(late);
        wait = waits.first;
        for (const list of watched) list.renew();
      },
      heard: (entry) => new Set([...watched, ...upToDate]).forEach((list) => list.hear(entry)),
      lost(closed) {
        opening = false;
        setConnection(null);
        for (const list of watched) list.interrupt();
        if (!closed) return readUnread();
        // The browser stops reconnecting if a proxy answers in place of a restarting server.
        timer = setTimeout(begin, nextWait());
        // EventSource does not report why it was refused; reading the lists does.
        for (const list of watched) list.renew();
      },
    });
  }

  function end(): void {
    stop();
    document.removeEventListener('visibilitychange', onVisibility);
    window.removeEventListener('pagehide', stop);
    window.removeEventListener('pageshow', onShow);
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
        unread.delete(list);
        const during = connection;
        const before = current.entries[0]?.id ?? '';
        load(
          undefined,
          (page) => {
            if (during && during === connection) upToDate.add(list);
            return renewed(current, page, before);
          },
          (problem) => {
            if (isFinal(problem)) stop();
            // Entries already read stay visible; they are read again once the connection is back, or later if it is
            // open.
            const resuming = current.entries.length > 0 && !isFinal(problem);
            if (resuming && during && during === connection) renewLater(during);
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
          // The server may have dropped the last entry since.
          (problem) => (problem.code === 'invalid-request' ? list.retry() : show({ ...current, problem })),
        );
      },
      retry() {
        show(nothingYet);
        unread.add(list);
        begin();
      },
      subscribe(changed: () => void) {
        listeners.add(changed);
        if (listeners.size === 1) {
          watched.add(list);
          clearTimeout(unwatched);
          if (watched.size === 1) {
            document.addEventListener('visibilitychange', onVisibility);
            window.addEventListener('pagehide', stop);
            window.addEventListener('pageshow', onShow);
          }
          // An entry recorded between reading a list and opening the connection would be missed.
          if (!leave || opening) unread.add(list);
          else if (!upToDate.has(list)) list.renew();
          if (!leave) begin();
        }
        return () => {
          listeners.delete(changed);
          if (listeners.size > 0) return;
          reading?.abort();
          watched.delete(list);
          unread.delete(list);
          if (watched.size === 0) unwatched = setTimeout(end, linger);
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
