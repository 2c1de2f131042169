import { parse } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { carry, idIn } from './recordEvents.ts';
import { asUser } from './user.ts';

/** Callbacks of a connection to the timeline. */
export interface Listener {
  /** The connection is open, for the first time or again; entries missed since must be read. */
  opened: () => void;
  heard: (entry: TimelineEntry) => void;
  /** The connection is lost; `closed` if the browser does not reconnect automatically. */
  lost: (closed: boolean) => void;
}

/** Subscribes to the timeline by server-sent events; returns a function that closes the connection. */
export function follow({ opened, heard, lost }: Listener): () => void {
  if (typeof EventSource === 'undefined') {
    opened(); // there is no stream to wait for
    return () => undefined;
  }
  const source = new EventSource(asUser('/api/timeline/events', [['news', 'true']]));
  let news: ReturnType<typeof carry> | undefined;
  const noNews = () => {
    news?.end();
    news = undefined;
  };
  source.onopen = () => {
    opened();
    noNews();
    news = carry();
  };
  source.addEventListener('news', (event: MessageEvent<string>) => news?.heard(idIn(event)));
  source.addEventListener('entry', ({ data }: MessageEvent<string>) => heard(parse(data) as TimelineEntry)); // the contract's shape
  source.onerror = () => {
    noNews(); // until it is open again, the page opens a news stream of its own if it needs one
    lost(source.readyState === EventSource.CLOSED);
  };
  return () => {
    source.close();
    noNews();
  };
}
