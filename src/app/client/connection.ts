import { createActor, fromCallback } from 'xstate';
import { parse } from '#contract/json.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import {
  connectionMachine,
  type ConnectionEvent,
  type StreamEvent,
  type TabEvent,
} from '#machines/connection.machine.ts';
import { asUser, subject } from './user.ts';

interface Deps {
  /** Opens a stream; returns a function that closes it. Undefined where streams are not supported: the page polls. */
  stream: ((send: (event: StreamEvent) => void) => () => void) | undefined;
  /** The browser's locks; undefined where they are not supported, as outside of secure contexts. */
  locks: Pick<LockManager, 'request'> | undefined;
  /** Opens the channel between the tabs of a browser; undefined where it is not supported. */
  channel: ((name: string) => BroadcastChannel) | undefined;
}

/** False without a document, as in a command; nothing is then ever hidden or left. */
const hasPage = (): boolean => typeof document !== 'undefined';
const isHidden = (): boolean => hasPage() && document.visibilityState === 'hidden';

const page = fromCallback<ConnectionEvent>(({ sendBack }) => {
  if (!hasPage()) return undefined;
  const onChange = () => sendBack({ type: isHidden() ? 'page.hidden' : 'page.shown' });
  const onLeave = () => sendBack({ type: 'page.hidden' });
  document.addEventListener('visibilitychange', onChange);
  window.addEventListener('pageshow', onChange);
  window.addEventListener('pagehide', onLeave);
  return () => {
    document.removeEventListener('visibilitychange', onChange);
    window.removeEventListener('pageshow', onChange);
    window.removeEventListener('pagehide', onLeave);
  };
});

/**
 * Requests the lock of the browser's stream, and exchanges events with the other tabs of the same user. Without locks,
 * each tab has a stream of its own. If the browser refuses the lock, the tab polls.
 */
const tabs = ({ stream, locks, channel }: Deps) =>
  fromCallback<TabEvent>(({ sendBack, receive }) => {
    if (!stream) return undefined;
    if (!locks) return sendBack({ type: 'lock.granted' });
    // Tabs of another user neither share this user's events nor wait for the stream.
    const name = `events ${subject()}`;
    const others = channel?.(name);
    if (others) {
      others.onmessage = ({ data }: MessageEvent<TabEvent>) => sendBack(data);
      receive((event) => others.postMessage(event));
      others.postMessage({ type: 'tab.joined' } satisfies TabEvent);
    }
    const leaving = new AbortController();
    const { signal } = leaving;
    const hold = () =>
      new Promise<void>((release) => {
        if (signal.aborted) return release();
        signal.addEventListener('abort', () => release());
        sendBack({ type: 'lock.granted' });
      });
    locks.request(name, { signal }, hold).catch(() => undefined); // aborted or refused
    return () => {
      leaving.abort();
      others?.close();
    };
  });

export type Connection = ReturnType<typeof createConnection>;

/** A connection that is open while there are subscriptions; `connection.machine.ts` describes it. */
export function createConnection(deps: Deps) {
  const { stream } = deps;
  const actor = createActor(
    connectionMachine.provide({
      actors: { page, tabs: tabs(deps), stream: fromCallback(({ sendBack }) => stream?.(sendBack)) },
    }),
    { input: { visible: !isHidden() } },
  ).start();
  return {
    on: actor.on.bind(actor),
    send: (event: Extract<ConnectionEvent, { type: 'reading.failed' | 'reading.refused' | 'retry' }>) =>
      actor.send(event),
    /** Keeps the connection open until the returned function is called, and for some seconds after. */
    subscribe(): () => void {
      actor.send({ type: 'subscribed' });
      return () => actor.send({ type: 'unsubscribed' });
    },
    /** Whether messages are received. */
    isLive: () => actor.getSnapshot().hasTag('live'),
    /** Whether the connection is about to be open, so that it is worth waiting for before reading. */
    isOpening: () => actor.getSnapshot().hasTag('opening'),
    /** Whether the server was lost, or not heard of, so that a request may not reach it. */
    isLost(): boolean {
      const snapshot = actor.getSnapshot();
      return snapshot.context.failures > 0 || snapshot.matches({ connected: { following: 'polling' } });
    },
    stop: () => void actor.stop(),
  };
}

function browserStream(send: (event: StreamEvent) => void): () => void {
  const source = new EventSource(asUser('/api/events'));
  source.onopen = () => send({ type: 'stream.opened' });
  source.onerror = () => send({ type: 'stream.lost' });
  // The server's own events.
  source.addEventListener('here', () => send({ type: 'stream.heartbeat' }));
  source.addEventListener('news', ({ data }: MessageEvent<string>) => {
    const { id } = JSON.parse(data) as { id: string };
    send({ type: 'stream.message', message: { type: 'news', id } });
  });
  source.addEventListener('entry', ({ data }: MessageEvent<string>) =>
    send({ type: 'stream.message', message: { type: 'entry', entry: parse(data) as TimelineEntry } }),
  );
  return () => source.close();
}

/** The connection of this page, which its timeline, records and lab share. */
export const connection = createConnection({
  stream: typeof EventSource === 'undefined' ? undefined : browserStream,
  locks: hasPage() ? (navigator as Partial<Navigator>).locks : undefined,
  channel: typeof BroadcastChannel === 'undefined' ? undefined : (name) => new BroadcastChannel(name),
});
