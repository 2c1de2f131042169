import {
  createActor,
  SimulatedClock,
  type Actor,
  type AnyActor,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InputFrom,
  type InspectionEvent,
  type SnapshotFrom,
} from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { effectsOf, invokedMachines, supplyEffect, type Effect } from '#machines/lib/effect.ts';
import { stateOf } from '#machines/lib/state.ts';

/** A pending call of a port. */
interface Call {
  port: string;
  input: unknown;
  signal: AbortSignal;
  resolve: (output: unknown) => void;
  reject: (problem: Problem) => void;
}

/** Waits until all pending promise callbacks have run. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A call that never settles. */
export const unanswered = (): Promise<never> => new Promise(() => {});

/** Ports that the test answers, and a clock that the test advances. */
export interface Deferred {
  /** All calls of ports so far. */
  calls: readonly Call[];
  /** The latest pending call of that port. Throws if there is none. */
  pending: (name: string) => Call;
  isAsked: (name: string) => boolean;
  answer: (name: string, output?: unknown) => Promise<void>;
  refuse: (name: string, problem: Problem) => Promise<void>;
  /** Advances the clock by `ms` milliseconds. */
  pass: (ms: number) => Promise<void>;
}

/** A machine with deferred ports. */
interface Prepared extends Deferred {
  machine: AnyStateMachine;
  /** The clock with which the machine is to run. */
  clock: SimulatedClock;
  /** Forgets all calls and sets the clock back, for the next run of the machine. */
  renew: () => void;
}

/** Returns the machine with deferred ports. */
export function deferred(machine: AnyStateMachine): Prepared {
  const calls: Call[] = [];
  const open = new Set<Call>();
  let clock = new SimulatedClock();
  const waiting = (name: string, port: Effect<unknown, unknown>) =>
    supplyEffect(
      port,
      (input, signal) =>
        new Promise((resolve, reject) => {
          const call = { port: name, input, signal, resolve, reject };
          calls.push(call);
          open.add(call);
        }),
    );
  const provided = (each: AnyStateMachine): AnyStateMachine =>
    each.provide({
      actors: Object.fromEntries([
        ...Object.entries(effectsOf(each)).map(([name, port]) => [name, waiting(name, port)] as const),
        ...Object.entries(invokedMachines(each)).map(([name, invoked]) => [name, provided(invoked)] as const),
      ]) as object, // each actor is replaced by one of its kind
    });
  const underWay = (name: string) => [...open].findLast((each) => each.port === name && !each.signal.aborted);
  const pending = (name: string): Call => {
    const call = underWay(name);
    if (!call) throw new Error(`No call of the port ${name} is under way`);
    return call;
  };
  const close = (name: string): Call => {
    const call = pending(name);
    open.delete(call);
    return call;
  };
  return {
    machine: provided(machine),
    get clock() {
      return clock;
    },
    renew() {
      calls.length = 0;
      open.clear();
      clock = new SimulatedClock();
    },
    calls,
    pending,
    isAsked: (name) => underWay(name) !== undefined,
    answer: (name, output) => (close(name).resolve(output), settled()),
    refuse: (name, problem) => (close(name).reject(problem), settled()),
    pass: (ms) => (clock.increment(ms), settled()),
  };
}

/** Prepared machines that no run has at present. */
const prepared = new WeakMap<AnyStateMachine, Prepared>();

/**
 * Returns the machine with deferred ports for one run after another, to be given back with `release`: providing a
 * machine with ports builds it anew, which takes longer than most runs.
 */
export function deferredAgain(machine: AnyStateMachine): Prepared {
  const known = prepared.get(machine) ?? deferred(machine);
  prepared.delete(machine);
  known.renew();
  return known;
}

/** Gives back what a run of the machine had that has ended. */
export const release = (machine: AnyStateMachine, ports: Prepared): void => void prepared.set(machine, ports);

/** A running machine with deferred ports. */
export interface Live<M extends AnyStateMachine> extends Deferred {
  actor: Actor<M>;
  /** The machine's log entries. */
  logged: readonly unknown[];
  send: (event: Parameters<Actor<M>['send']>[0]) => Promise<void>;
  now: () => SnapshotFrom<M>;
  /** Its state, with that of the machine that it invokes. */
  at: () => string;
  /** The inputs of all calls of a port. */
  asked: (name: string) => unknown[];
  /** How often it has emitted `facts.changed`. */
  told: () => number;
}

export function live<M extends AnyStateMachine>(
  machine: M,
  options: { input?: InputFrom<M>; inspect?: (event: InspectionEvent) => void } = {},
  prepare = deferred,
): Live<M> {
  const { machine: provided, clock, ...ports } = prepare(machine);
  const logged: unknown[] = [];
  const actor = createActor(provided, {
    ...options,
    clock,
    logger: (entry: unknown) => logged.push(entry),
  }) as Actor<M>; // ports change no types
  actor.subscribe({ error: () => {} }); // an actor that dies shows it in its status
  let told = 0;
  (actor as AnyActor).on('facts.changed', () => (told += 1));
  actor.start();
  return {
    ...ports,
    actor,
    logged,
    send: (event) => (actor.send(event), settled()),
    now: () => actor.getSnapshot(),
    at: () => stateOf(actor.getSnapshot() as AnyMachineSnapshot), // of a machine
    asked: (name) => ports.calls.flatMap(({ port, input }) => (port === name ? [input] : [])),
    told: () => told,
  };
}
