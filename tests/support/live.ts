import {
  createActor,
  SimulatedClock,
  type Actor,
  type AnyStateMachine,
  type InputFrom,
  type InspectionEvent,
} from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { fulfil, port } from '#machines/port.ts';

/** A call of a port that waits for its answer. */
interface Call {
  port: string;
  input: unknown;
  signal: AbortSignal;
  resolve: (output: unknown) => void;
  reject: (problem: Problem) => void;
}

/** Lets everything happen that waits for promises only. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A running machine whose ports answer when the test says so, on a clock that the test moves. */
export interface Live<M extends AnyStateMachine> {
  actor: Actor<M>;
  /** Every call of a port so far. */
  calls: readonly Call[];
  /** What the machine has logged. */
  logged: readonly unknown[];
  /** The call of that port under way. Throws if there is none. */
  pending: (name: string) => Call;
  answer: (name: string, output?: unknown) => Promise<void>;
  refuse: (name: string, problem: Problem) => Promise<void>;
  send: (event: Parameters<Actor<M>['send']>[0]) => Promise<void>;
  /** Lets `ms` milliseconds pass. */
  pass: (ms: number) => Promise<void>;
}

export function live<M extends AnyStateMachine>(
  machine: M,
  options: { input?: InputFrom<M>; inspect?: (event: InspectionEvent) => void } = {},
): Live<M> {
  const calls: Call[] = [];
  const open = new Set<Call>();
  const logged: unknown[] = [];
  const clock = new SimulatedClock();
  const deferred = (name: string) =>
    fulfil(
      port<unknown, unknown>(name),
      (input, signal) =>
        new Promise((resolve, reject) => {
          const call = { port: name, input, signal, resolve, reject };
          calls.push(call);
          open.add(call);
        }),
    );
  const names = Object.keys(machine.implementations.actors);
  const actors = Object.fromEntries(names.map((name) => [name, deferred(name)]));
  const provided: AnyStateMachine = machine.provide({ actors });
  const actor = createActor(provided, {
    ...options,
    clock,
    logger: (entry: unknown) => logged.push(entry),
  }) as Actor<M>; // ports change no types
  actor.subscribe({ error: () => {} }); // an actor that dies shows it in its status
  actor.start();

  const pending = (name: string): Call => {
    const call = [...open].findLast((each) => each.port === name && !each.signal.aborted);
    if (!call) throw new Error(`No call of the port ${name} is under way`);
    return call;
  };
  const close = (name: string): Call => {
    const call = pending(name);
    open.delete(call);
    return call;
  };
  return {
    actor,
    calls,
    logged,
    pending,
    answer: (name, output) => (close(name).resolve(output), settled()),
    refuse: (name, problem) => (close(name).reject(problem), settled()),
    send: (event) => (actor.send(event), settled()),
    pass: (ms) => (clock.increment(ms), settled()),
  };
}
