import { locksOfBrowser, slotOf, type Locks, type Slot } from './streamLocks.ts';
import { asUser } from './user.ts';

/** Minimum time (ms) between two calls of a listener, however many events arrive. */
const pace = 100;
/** Time (ms) without events after which a stream is considered dead; the server sends one every 15 s. */
const silence = 40_000;
/** Backoff (ms) before a lost or refused stream is opened again: the first delay, and the limit of its doubling. */
const waits = { first: 5000, longest: 5 * 60_000 } as const;
/** The locks of the news streams that a browser keeps open. A window without a lock only polls. */
const slots = ['news-1', 'news-2'] as const;

/** Callbacks of a stream. */
export interface Listener {
  /** The stream is open; earlier events are not repeated. */
  opened: () => void;
  heard: (id: string) => void;
  /** The server has sent a heartbeat. */
  beaten: () => void;
  lost: () => void;
}

interface Deps {
  /**
   * Opens a stream of news about these ids; returns a function that closes it. Undefined where streams are not
   * supported.
   */
  connect: ((ids: readonly string[], listener: Listener) => () => void) | undefined;
  locks: Locks;
}

/** Calls a function immediately, but not more often than once per `pace`; a call in between is deferred to its end. */
function paced(run: () => void): { run: () => void; stop: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let again = false;
  const rest = () => {
    timer = undefined;
    if (again) now();
  };
  const now = () => {
    again = false;
    timer = setTimeout(rest, pace);
    run();
  };
  return { run: () => (timer === undefined ? now() : void (again = true)), stop: () => clearTimeout(timer) };
}

/** False without a document, as in a command; nothing is then ever hidden or left. */
const hasPage = (): boolean => typeof document !== 'undefined';
const isHidden = (): boolean => hasPage() && document.visibilityState === 'hidden';

/**
 * The page's news of the records that it waits for. Keeps one stream open, only while there are listeners, the page is
 * visible and no other stream of the page carries the news. Without a stream, listeners are not called.
 */
export function createNews({ connect, locks }: Deps) {
  const waiting = new Map<string, Set<() => void>>();
  let carriers = 0;
  /** The open stream, and the ids that it is about. */
  let stream: { about: string; end: () => void } | undefined;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let planned: ReturnType<typeof setTimeout> | undefined;
  let wait: number = waits.first;
  let resting = false;
  let slot: Slot | undefined;

  const wake = (id: string) => waiting.get(id)?.forEach((each) => each());
  const wakeAll = () => [...waiting.keys()].forEach(wake);

  function close(): void {
    clearTimeout(watchdog);
    stream?.end();
    stream = undefined;
  }

  /** Closes the stream and opens it again after a backoff; the page polls until then. */
  function rest(): void {
    close();
    resting = true;
    planned = setTimeout(() => {
      resting = false;
      arrange();
    }, wait);
    wait = Math.min(wait * 2, waits.longest);
  }

  function open(ids: readonly string[]): void {
    if (!connect) return;
    const live = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(rest, silence); // the computer was asleep, or a proxy keeps a dead connection
    };
    live();
    const end = connect(ids, {
      opened: wakeAll,
      beaten() {
        wait = waits.first;
        live();
      },
      heard(id) {
        live();
        wake(id);
      },
      lost: rest,
    });
    stream = { about: ids.join('\n'), end };
  }

  function giveBack(): void {
    slot?.giveBack();
    slot = undefined;
  }

  /** Opens or closes the stream as required. */
  function arrange(): void {
    const ids = [...waiting.keys()];
    if (!connect || ids.length === 0 || carriers > 0 || isHidden()) {
      close();
      giveBack();
      return;
    }
    if (resting || stream?.about === ids.join('\n')) return;
    slot ??= slotOf(slots, locks, arrange);
    if (!slot.held()) return;
    close();
    open(ids);
  }

  const leave = () => {
    close();
    giveBack();
  };

  return {
    /**
     * Calls `run` when there is news of an id. Returns a function that unsubscribes. If no other stream carries the
     * news within `patience` (ms), opens one.
     */
    hear: (id: string, run: () => void, patience = 0): (() => void) => {
      const { run: own, stop } = paced(run);
      if (waiting.size === 0 && hasPage()) {
        document.addEventListener('visibilitychange', arrange);
        window.addEventListener('pagehide', leave);
        window.addEventListener('pageshow', arrange);
      }
      waiting.set(id, (waiting.get(id) ?? new Set()).add(own));
      const opening = patience > 0 ? setTimeout(arrange, patience) : undefined;
      if (patience === 0) arrange();
      if (carriers > 0) own(); // its news may have arrived before this call
      return () => {
        stop();
        clearTimeout(opening);
        const those = waiting.get(id);
        those?.delete(own);
        if (those?.size === 0) waiting.delete(id);
        arrange();
        if (waiting.size > 0) return;
        clearTimeout(planned);
        resting = false;
        if (!hasPage()) return;
        document.removeEventListener('visibilitychange', arrange);
        window.removeEventListener('pagehide', leave);
        window.removeEventListener('pageshow', arrange);
      };
    },
    /** Notifies the listeners of an id after a change made by this page. */
    tell: wake,
    /**
     * Receives the news from another stream of the page, which has just been opened. Returns a function to call with
     * each id, and one to call when that stream closes.
     */
    carry: (): Pick<Listener, 'heard'> & { end: () => void } => {
      carriers += 1;
      arrange();
      wakeAll(); // earlier events are not repeated
      return {
        heard: wake,
        end() {
          carriers -= 1;
          arrange();
        },
      };
    },
  };
}

/** The id in a `news` event from the server. */
export const idIn = ({ data }: MessageEvent<string>): string => (JSON.parse(data) as { id: string }).id; // the server's own

function connect(ids: readonly string[], { opened, heard, beaten, lost }: Listener): () => void {
  const source = new EventSource(
    asUser(
      '/api/events',
      ids.map((id) => ['id', id]),
    ),
  );
  source.onopen = opened;
  source.onerror = lost;
  source.addEventListener('here', beaten);
  source.addEventListener('news', (event: MessageEvent<string>) => heard(idIn(event)));
  return () => source.close();
}

const ofBrowser = () =>
  createNews({
    connect: typeof EventSource === 'undefined' ? undefined : connect,
    locks: locksOfBrowser(),
  });
let news = ofBrowser();

/** Receives all further news through `other` instead of the browser's stream; null restores the browser's. */
export const hearThrough = (other: Deps['connect'] | null): void => {
  news = other ? createNews({ connect: other, locks: undefined }) : ofBrowser();
};

type News = ReturnType<typeof createNews>;
export const hear: News['hear'] = (id, wake, patience) => news.hear(id, wake, patience);
export const tell: News['tell'] = (id) => news.tell(id);
export const carry: News['carry'] = () => news.carry();
