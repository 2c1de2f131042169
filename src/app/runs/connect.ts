import { call, forgetAnswers } from '#app/api/client.ts';
import { connectTo } from '#app/api/http.ts';
import type { StreamEvent } from '#app/api/connection.machine.ts';
import { subscribeThrough } from '#app/api/recordEvents.ts';
import { startConsole, type ConsoleActor } from '#app/console/consoleActor.ts';
import { locationAt } from '#app/console/journeyLocation.ts';
import { setStorage } from '#app/api/storage.ts';
import { pause } from './pause.ts';
import { userTokenMachine } from '#machines/onboarding/userToken.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';

/** A console's server: its address without a trailing slash, and the headers of every request. */
export interface Server {
  origin: string;
  headers: Readonly<Record<string, string>>;
}

/** Reads a stream of server-sent events until it ends; calls `heard` with the type and data of each event. */
async function listen(response: Response, heard: (type: string, data: string) => void): Promise<void> {
  let text = '';
  for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const [, type = ''] = /^event: ?(.*)$/m.exec(event) ?? [];
      const [, data = ''] = /^data: ?(.*)$/m.exec(event) ?? [];
      heard(type, data);
    }
  }
}

/** Subscribes to a server's stream of news, as the page does. */
const newsFrom = ({ origin, headers }: Server) =>
  function connect(send: (event: StreamEvent) => void): () => void {
    const ending = new AbortController();
    void (async () => {
      const { signal } = ending;
      const response = await fetch(`${origin}/api/events`, { headers, signal });
      if (!response.ok || !response.body) throw new Error(`The event stream was refused with ${response.status}`);
      send({ type: 'stream.opened' });
      await listen(response, (type, data) => {
        if (type === 'here') send({ type: 'stream.heartbeat' });
        if (type !== 'news') return;
        const { id } = JSON.parse(data) as { id: string }; // the server's news have an id
        send({ type: 'stream.message', message: { type, id } });
      });
      throw new Error('The event stream has ended');
    })().catch(() => ending.signal.aborted || send({ type: 'stream.lost' }));
    return () => ending.abort();
  };

const inMemory = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
  };
};

/** Stores no drafts: they would override the given values. */
const nowhere = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };

const onThisMachine = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** A console without a screen: its machine, and functions to navigate, wait and stop. */
export interface Connected {
  actor: ConsoleActor;
  go: (address: string) => void;
  /** Resolves on news of a record, at the latest after a poll's interval. */
  pause: (id: string) => Promise<void>;
  end: () => void;
}

/**
 * Runs the page's machine without a page, with the same journeys and ports, against a console's server. Only one per
 * process or worker, as in a tab.
 */
export async function connect(server: Server): Promise<Connected> {
  connectTo({ ...server, direct: onThisMachine.test(new URL(server.origin).hostname) });
  setStorage({ shared: inMemory(), tab: nowhere });
  const endNews = subscribeThrough(newsFrom(server));
  forgetAnswers();
  // The ports read the storage as soon as they are loaded.
  const { suppliedJourneys } = await import('#app/effects/journeys.ts');
  // A login without a page: nothing needs to be restored when it returns.
  const machine = provideEffects(userTokenMachine, { startLogin: (_, signal) => call('startLogin', { signal }) });
  const journeys = { ...suppliedJourneys, userToken: { ...suppliedJourneys.userToken, machine } };
  const actor = startConsole({
    load: () => call('getFacts', {}),
    loadJourney: (id) => Promise.resolve(journeys[id]),
  });
  const go = (address: string) => {
    const { pathname, search } = new URL(address, server.origin);
    actor.send({ type: 'address.changed', opening: locationAt(pathname, search) });
  };
  const going = actor.on('go', ({ to }) => go(to));
  return {
    actor,
    go,
    pause,
    end() {
      going.unsubscribe();
      actor.stop();
      connectTo(null);
      setStorage(null);
      endNews();
      forgetAnswers();
    },
  };
}
