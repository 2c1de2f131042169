import { shallowEqual, useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import {
  createActor,
  type ActorRefFrom,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
} from 'xstate';
import type { Act } from '#machines/lib/resource.machine.ts';
import { shownOf, type ResourceActor, type Shown } from '#machines/lib/resource.ts';
import type { News, Resource } from '../effects/resource.ts';
import { useActor } from './ConsoleProvider.tsx';
import type { ConsoleActor } from './consoleActor.ts';
import { repeatReading } from './onceBack.ts';

/** A machine of a tool, with what it needs to run. */
interface Runnable {
  logic: AnyStateMachine;
  input?: unknown;
  /** Tells it that what it has read may be old. */
  news?: News | undefined;
  /** Components that run the same object share one actor. */
  shared?: object | undefined;
  /** Whether it keeps what was entered as long as the page is open. */
  kept?: boolean;
}

/** A machine at work. */
interface Running {
  actor: AnyActorRef;
  /** Runs it until the returned function is called, and beyond while it is busy: what was sent is reported. */
  watch: () => () => void;
}

/** The machines of each console that several components show. */
const shared = new WeakMap<ConsoleActor, Map<object, Running>>();

/** Calls a function after each reading of the facts; returns a function that ends that. */
function onFacts(console: ConsoleActor, run: () => void): () => void {
  let { facts } = console.getSnapshot().context;
  const reading = console.subscribe(({ context }) => {
    if (context.facts === facts) return;
    ({ facts } = context);
    run();
  });
  return () => reading.unsubscribe();
}

function runningOf(console: ConsoleActor, { logic, input, news, kept = false }: Runnable, onEnd: () => void): Running {
  const actor: AnyActorRef = createActor(logic, { input });
  const isBusy = () => (actor.getSnapshot() as AnyMachineSnapshot).hasTag('busy'); // of a machine
  const tell = () => actor.send({ type: 'reading.stale' });
  let watchers = 0;
  let leave: (() => void) | undefined;
  const begin = () => {
    const changing = actor.on('facts.changed', () => console.send({ type: 'facts.stale' }));
    actor.start();
    const repeated = repeatReading(actor);
    const quiet = news?.(tell, {
      facts: () => console.getSnapshot().context.facts,
      onFacts: (run) => onFacts(console, run),
    });
    return () => {
      quiet?.();
      repeated();
      (actor as ReturnType<typeof createActor>).stop(); // created here
      changing.unsubscribe();
      onEnd();
    };
  };
  const endIfUnused = () => {
    if (kept || watchers > 0 || isBusy()) return;
    leave?.();
    leave = undefined;
  };
  return {
    actor,
    watch() {
      watchers += 1;
      leave ??= begin();
      return () => {
        watchers -= 1;
        queueMicrotask(endIfUnused); // unless React’s StrictMode starts it again
        actor.subscribe(endIfUnused);
      };
    },
  };
}

function runningFor(console: ConsoleActor, runnable: Runnable): Running {
  const key = runnable.shared;
  if (!key) return runningOf(console, runnable, () => {});
  const all = shared.get(console) ?? new Map<object, Running>();
  shared.set(console, all);
  const running = all.get(key) ?? runningOf(console, runnable, () => all.delete(key));
  all.set(key, running);
  return running;
}

/**
 * Runs the machine of a tool while the component is mounted, and until its writes have ended. The facts are read again
 * whenever it reports that they may have changed.
 */
export function useRunning<Machine extends AnyStateMachine>(
  logic: Machine,
  options: Omit<Runnable, 'logic'> = {},
): ActorRefFrom<Machine> {
  const console = useActor();
  const [{ actor, watch }] = useState(() => runningFor(console, { logic, ...options }));
  useEffect(watch, [watch]);
  return actor as ActorRefFrom<Machine>; // created from it
}

/**
 * Runs a resource, and returns what there is to show of it. `acted` is called after each act that has succeeded,
 * `dismissed` when the user closes it.
 */
export function useResource<Known, A extends Act, Result>(
  resource: Resource<Known, A, Result>,
  on: { acted?: (acted: { act: A; result: Result }) => void; dismissed?: () => void } = {},
): Shown<Known, A, Result> & { actor: ResourceActor<Known, A, Result> } {
  const { logic, kind, news, shared: isShared } = resource;
  const running = useRunning(logic, { input: kind, news, shared: isShared ? resource : undefined });
  const actor = running as unknown as ResourceActor<Known, A, Result>; // its kind and its effects have these types
  const { acted, dismissed } = on;
  useEffect(() => {
    const telling = [actor.on('acted', (event) => acted?.(event)), actor.on('dismissed', () => dismissed?.())];
    return () => telling.forEach((each) => each.unsubscribe());
  }, [actor, acted, dismissed]);
  return { actor, ...useSelector(actor, shownOf, shallowEqual) };
}
