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
import type { ConsoleContext, ConsoleEvent } from '#machines/console.ts';
import { chunk } from '#steps/kit/chunk.ts';
import { useWhenBack } from '#steps/kit/whenBack.ts';
import { call } from './client.ts';
import { openingAt } from './opening.ts';
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

/**
 * The machine once it is loaded, and its listeners. Not a state of the context, which would render the whole page
 * again.
 */
interface Running {
  actor: ConsoleActor | null;
  waiting: Set<() => void>;
}

const Console = createContext<Running | undefined>(undefined);

function useRunning(): Running {
  const running = use(Console);
  if (!running) throw new Error('The console’s machine is used outside of ConsoleProvider');
  return running;
}

/** Connects machine and router in both directions. The target page reads from the router's state what was created. */
function useBinding(actor: ConsoleActor | null): void {
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  useEffect(() => {
    const going = actor?.on('go', ({ to, done }) => void navigate(to, done ? { state: { done } } : {}));
    actor?.send({ type: 'address.changed', opening: openingAt(pathname, search) });
    return () => going?.unsubscribe();
  }, [actor, navigate, pathname, search]);
}

export const loadFacts = () => call('getFacts', {});

/** Runs the console's machine; nothing else does. `load` reads the facts; `first` is a reading already in progress. */
export function ConsoleProvider(
  props: { load?: () => Promise<Facts>; first?: Promise<Facts> | undefined; pages?: Pages; children: ReactNode } & Pick<
    RunOptions,
    'clock' | 'inspect'
  >,
) {
  const { load = loadFacts, pages, clock, inspect, children } = props;
  const [actor, setActor] = useState<ConsoleActor | null>(null);
  const [here] = useState<Running>(() => ({ actor: null, waiting: new Set() }));
  const [failure, setFailure] = useState<Error>();
  const options = useRef({ load, pages, clock, inspect });
  /** The first reading of the facts starts before the machine is loaded. */
  const first = useRef(props.first ?? null);
  useEffect(() => {
    let running: ConsoleActor | undefined;
    let over = false;
    first.current ??= options.current.load();
    first.current.catch(() => undefined); // the machine reports the failure
    chunk(() => import('./run.ts')).then(({ run }) => {
      if (over) return;
      running = run({ ...options.current, first: first.current });
      here.actor = running;
      setActor(running);
      for (const tell of here.waiting) tell();
    }, setFailure);
    return () => {
      over = true;
      running?.stop();
    };
  }, [here]);
  useBinding(actor);
  if (failure) throw failure;
  return <Console value={here}>{children}</Console>;
}

const nothing = (): void => undefined;

/**
 * Selects a value from the console machine's snapshot and re-renders when it changes. `select` must return a member of
 * the snapshot or a primitive; a new object would re-render endlessly.
 */
export function useConsole<T>(select: (view: ConsoleView) => T): T {
  const running = useRunning();
  const subscribe = useCallback(
    (onChange: () => void) => {
      let end = nothing;
      const listen = () => {
        end();
        const subscription = running.actor?.subscribe({ next: onChange, error: onChange });
        end = () => subscription?.unsubscribe();
        onChange();
      };
      running.waiting.add(listen);
      if (running.actor) listen();
      return () => {
        running.waiting.delete(listen);
        end();
      };
    },
    [running],
  );
  return useSyncExternalStore(
    subscribe,
    () => select((running.actor?.getSnapshot() as ConsoleView | undefined) ?? before), // its states are flat
    () => select(before),
  );
}

/** The console's machine itself, for code that walks journeys; null until it is loaded. */
export function useActor(): ConsoleActor | null {
  const running = useRunning();
  useConsole(({ context }) => context.facts); // renders again once the machine is loaded
  return running.actor;
}

/** Returns a function that sends an event to the console's machine. */
export function useSend(): (event: ConsoleEvent) => void {
  const running = useRunning();
  return useCallback((event) => running.actor?.send(event), [running]);
}

/** States of the console's machine that show the failure; the panel that shows it reads the facts again. */
export const useFacts = (): Facts | null => useConsole(({ context }) => context.facts);

/**
 * Reads the facts again once the console works again, after a failure that is not shown because the page continues with
 * the earlier facts.
 */
const showFailure = ['unavailable', 'showing'];

/** Reads the facts again after a failure that is not shown, because the page continues with the earlier facts. */
export function useFactsAgain(): void {
  const send = useSend();
  const failure = useConsole(({ value, context }) => (showFailure.includes(value) ? null : context.failure));
  useWhenBack(failure, () => send({ type: 'facts.stale' }));
}
