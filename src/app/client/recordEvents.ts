import { connection, createConnection, type Connection } from './connection.ts';
import { labNews } from '#contract/constants.ts';

/** Notifies this page's own listeners of the lab once the call has ended, because they may have no stream of news. */
export async function withLabEvent<T>(doing: Promise<T>): Promise<T> {
  try {
    return await doing;
  } finally {
    publishRecordEvent(labNews);
  }
}

/** Minimum time (ms) between two calls of a listener, however many events arrive. */
const pace = 100;

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

/** The page's news of the records that it waits for. While the connection is not live, listeners are not called. */
export function createRecordEvents({ on, subscribe, isLive }: Pick<Connection, 'on' | 'subscribe' | 'isLive'>) {
  const waiting = new Map<string, Set<() => void>>();
  const wake = (id: string) => waiting.get(id)?.forEach((each) => each());
  on('news', ({ id }) => wake(id));
  on('opened', () => [...waiting.keys()].forEach(wake)); // earlier events are not repeated
  return {
    /** Calls `run` when there is news of an id. Returns a function that unsubscribes. */
    hear: (id: string, run: () => void): (() => void) => {
      const { run: own, stop } = paced(run);
      waiting.set(id, (waiting.get(id) ?? new Set()).add(own));
      const unsubscribe = subscribe();
      if (isLive()) own(); // its news may have arrived before this call
      return () => {
        stop();
        const those = waiting.get(id);
        those?.delete(own);
        if (those?.size === 0) waiting.delete(id);
        unsubscribe();
      };
    },
    /** Notifies the listeners of an id after a change made by this page. */
    tell: wake,
  };
}

const ofPage = createRecordEvents(connection);
let news = ofPage;

/**
 * Receives all further news by another stream than the browser's; returns a function that closes it and restores the
 * browser's.
 */
export function subscribeThrough(stream: Parameters<typeof createConnection>[0]['stream']): () => void {
  const other = createConnection({ stream, locks: undefined, channel: undefined });
  news = createRecordEvents(other);
  return () => {
    other.stop();
    news = ofPage;
  };
}

type News = ReturnType<typeof createRecordEvents>;
export const subscribeToRecord: News['hear'] = (id, run) => news.hear(id, run);
export const publishRecordEvent: News['tell'] = (id) => news.tell(id);
