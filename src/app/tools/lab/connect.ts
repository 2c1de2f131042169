import { connectElsewhere, type Server } from '#app/client/elsewhere.ts';
import { startConsole, type ConsoleActor } from '#app/console/consoleActor.ts';
import { locationAt } from '#app/console/journeyLocation.ts';
import { setStorage } from '#app/client/storage.ts';
import { pause } from './pause.ts';
import { loadFacts } from '#app/effects/facts.ts';

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

/** A console without a screen: its machine, and functions to navigate, wait and stop. */
export interface Connected {
  actor: ConsoleActor;
  go: (address: string) => void;
  /** Opens an address as a page that loads: what happened elsewhere may have changed the facts. */
  reload: (address: string) => void;
  /** Resolves on news of a record, at the latest after a poll's interval. */
  pause: (id: string) => Promise<void>;
  end: () => void;
}

/**
 * Runs the page's machine without a page, with the same journeys and ports, against a console's server. Only one per
 * process or worker, as in a tab.
 */
export async function connect(server: Server): Promise<Connected> {
  setStorage({ shared: inMemory(), tab: nowhere });
  const disconnect = connectElsewhere(server);
  // The ports read the storage as soon as they are loaded.
  const { suppliedJourneys } = await import('#app/effects/journeys.ts');
  const { userTokenWithoutPage } = await import('#app/effects/onboarding.ts');
  const journeys = { ...suppliedJourneys, userToken: userTokenWithoutPage() };
  const actor = startConsole({
    load: loadFacts,
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
    reload(address) {
      go('/');
      actor.send({ type: 'facts.stale' });
      go(address);
    },
    pause,
    end() {
      going.unsubscribe();
      actor.stop();
      setStorage(null);
      disconnect();
    },
  };
}
