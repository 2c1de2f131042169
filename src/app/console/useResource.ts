import { shallowEqual, useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import { createActor } from 'xstate';
import type { Act, ResourceEmitted } from '#machines/lib/resource.machine.ts';
import { shownOf, type ResourceActor, type Shown } from '#machines/lib/resource.ts';
import type { Resource } from '../effects/resource.ts';
import { useActor } from './console.tsx';
import type { ConsoleActor } from './consoleActor.ts';

/** A resource at work. */
interface Running<Known, A extends Act, Result> {
  actor: ResourceActor<Known, A, Result>;
  /** Runs it until the returned function is called, and beyond while an act is under way: what was sent is reported. */
  watch: () => () => void;
}

/** The resources of each console that several components show. */
const shared = new WeakMap<ConsoleActor, Map<object, object>>();

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

function runningOf<Known, A extends Act, Result>(
  console: ConsoleActor,
  { logic, kind, news }: Resource<Known, A, Result>,
  onEnd: () => void,
): Running<Known, A, Result> {
  const machine = createActor(logic, { input: kind });
  let watchers = 0;
  let leave: (() => void) | undefined;
  const begin = () => {
    const changing = machine.on('facts.changed', () => console.send({ type: 'facts.stale' }));
    machine.start();
    const quiet = news?.(() => machine.send({ type: 'reading.stale' }), {
      facts: () => console.getSnapshot().context.facts,
      onFacts: (run) => onFacts(console, run),
    });
    return () => {
      quiet?.();
      changing.unsubscribe();
      machine.stop();
      onEnd();
    };
  };
  const endIfUnused = () => {
    if (watchers > 0 || machine.getSnapshot().hasTag('busy')) return;
    leave?.();
    leave = undefined;
  };
  return {
    actor: machine as unknown as ResourceActor<Known, A, Result>, // its kind and its effects have these types
    watch() {
      watchers += 1;
      leave ??= begin();
      return () => {
        watchers -= 1;
        queueMicrotask(endIfUnused); // unless React’s StrictMode starts it again
        machine.subscribe(endIfUnused);
      };
    },
  };
}

/** The resource that all components show if it is shared, otherwise a new one. */
function runningFor<Known, A extends Act, Result>(
  console: ConsoleActor,
  resource: Resource<Known, A, Result>,
): Running<Known, A, Result> {
  if (!resource.shared) return runningOf(console, resource, () => {});
  const all = shared.get(console) ?? new Map<object, object>();
  shared.set(console, all);
  const running =
    (all.get(resource) as Running<Known, A, Result> | undefined) ?? // of this resource
    runningOf(console, resource, () => all.delete(resource));
  all.set(resource, running);
  return running;
}

/**
 * Runs a resource while the component is mounted, and returns what there is to show of it. After an act that may have
 * changed the facts they are read again. `onActed` is called after each act that has succeeded, `onDismissed` when the
 * user closes it.
 */
export function useResource<Known, A extends Act, Result>(
  resource: Resource<Known, A, Result>,
  on: { acted?: (acted: { act: A; result: Result }) => void; dismissed?: () => void } = {},
): Shown<Known, A, Result> & { actor: ResourceActor<Known, A, Result> } {
  const console = useActor();
  const [{ actor, watch }] = useState(() => runningFor(console, resource));
  useEffect(watch, [watch]);
  const { acted, dismissed } = on;
  useEffect(() => {
    const telling = [
      actor.on('acted', (event) => acted?.(event as Extract<ResourceEmitted<A, Result>, { type: 'acted' }>)),
      actor.on('dismissed', () => dismissed?.()),
    ];
    return () => telling.forEach((each) => each.unsubscribe());
  }, [actor, acted, dismissed]);
  return { actor, ...useSelector(actor, shownOf, shallowEqual) };
}
