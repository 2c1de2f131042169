import {
  createContext,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import type { ConsoleContext, ConsoleEvent, Opening } from '#machines/console.ts';
import { journeyAt } from '#machines/journeys.ts';
import { chunk } from '#steps/kit/chunk.ts';
import { call } from './client.ts';
import type { Pages } from './pages.ts';
import type { ConsoleActor, RunOptions } from './run.ts';

/** The parts of the console machine's snapshot that the page renders. */
export interface ConsoleView {
  value: string;
  context: ConsoleContext;
}

/** Used until the machine's code is loaded; the first render does not wait for it. */
const before: ConsoleView = {
  value: 'home',
  context: {
    opening: null,
    facts: null,
    failure: null,
    reading: true,
    fresh: false,
    loaded: false,
    error: null,
    step: null,
    made: null,
    next: null,
  },
};

/** Null until the machine is loaded, undefined outside the provider. */
const Console = createContext<ConsoleActor | null | undefined>(undefined);

function useActor(): ConsoleActor | null {
  const actor = use(Console);
  if (actor === undefined) throw new Error('The console’s machine is used outside of ConsoleProvider');
  return actor;
}

/**
 * The opening described by an address: journey, guided or not, page to return to; null if it is no journey's
 * address.
 */
export function openingAt(path: string, search: string): Opening | null {
  const journey = journeyAt(path);
  if (!journey) return null;
  const query = new URLSearchParams(search);
  const then = query.get('then') ?? '';
  const [back = ''] = then.split('?');
  return {
    journey,
    guided: query.get('guided') === 'true',
    back: journeyAt(back) ? (then as `/${string}`) : null, // a journey's path starts with a slash
    query: search,
  };
}

/** Connects machine and router in both directions. The target page reads from the router's state what was made. */
function useBinding(actor: ConsoleActor | null): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    const going = actor?.on('go', ({ to, done }) => void navigate(to, done ? { state: { done } } : {}));
    actor?.send({ type: 'address.changed', opening: openingAt(pathname, search) });
    return () => going?.unsubscribe();
  }, [actor, navigate, pathname, search]);
}

const loadFacts = () => call('getFacts', {});

/** Runs the console's machine, the only place that does. `load` reads the facts. */
export function ConsoleProvider(
  props: { load?: () => Promise<Facts>; pages?: Pages; children: ReactNode } & Pick<RunOptions, 'clock' | 'inspect'>,
) {
  const { load = loadFacts, pages, clock, inspect, children } = props;
  const [actor, setActor] = useState<ConsoleActor | null>(null);
  const [failure, setFailure] = useState<Error>();
  const options = useRef({ load, pages, clock, inspect });
  /** The first reading of the facts starts before the machine is loaded. */
  const first = useRef<Promise<Facts>>(null);
  useEffect(() => {
    let running: ConsoleActor | undefined;
    let over = false;
    first.current ??= options.current.load();
    first.current.catch(() => undefined); // the machine reports the failure
    chunk(() => import('./run.ts')).then(({ run }) => {
      if (over) return;
      running = run({ ...options.current, first: first.current });
      setActor(running);
    }, setFailure);
    return () => {
      over = true;
      running?.stop();
    };
  }, []);
  useBinding(actor);
  if (failure) throw failure;
  return <Console value={actor}>{children}</Console>;
}

const nothing = () => () => undefined;

/**
 * Selects a value of the console machine's snapshot and re-renders when it changes. `select` must return a member of
 * the snapshot or a primitive; a new object would re-render without end.
 */
export function useConsole<T>(select: (view: ConsoleView) => T): T {
  const actor = useActor();
  const subscribe = useCallback(
    (onChange: () => void) => {
      if (!actor) return nothing();
      const subscription = actor.subscribe({ next: onChange, error: onChange });
      return () => subscription.unsubscribe();
    },
    [actor],
  );
  return useSyncExternalStore(
    subscribe,
    () => select((actor?.getSnapshot() as ConsoleView | undefined) ?? before), // its states are flat
    () => select(before),
  );
}

/** Returns a function that sends an event to the console's machine. */
export function useSend(): (event: ConsoleEvent) => void {
  const actor = useActor();
  return useCallback((event) => actor?.send(event), [actor]);
}

/** The facts as last read; null until they are loaded. */
export const useFacts = (): Facts | null => useConsole(({ context }) => context.facts);
