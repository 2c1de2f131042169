import {
  fromPromise,
  StateMachine,
  type AnyActorLogic,
  type AnyActorRef,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type MachineImplementationsFrom,
  type PromiseActorLogic,
} from 'xstate';
import { isProblem } from '#contract/isProblem.ts';
import type { Problem } from '#contract/problem.ts';
import { invokedIn } from './state.ts';

/**
 * What running an effect does. `reads` changes nothing. `writes` changes something at the service or in the console;
 * only a user's event may lead to it. `clears` removes by id something that was read, and is idempotent.
 */
export type EffectKind = 'reads' | 'writes' | 'clears';

/** The success and the failure of an effect in words, for charts and test names. */
export interface EffectTexts {
  answers: string;
  fails: string;
}

/** An effect's declaration; its name is its key among the actors of its machine. */
interface Declaration<I, O> {
  kind: EffectKind;
  words: EffectTexts;
  /** Whether it is subscribed to, and so answers again and again (`lib/poll.ts`). */
  polls: boolean;
  /** The time (ms) after which a poll asks again. */
  interval?: number;
  /** The logic of the effect by an implementation. */
  supply(run: Run<I, O>): AnyActorLogic;
}

/** An effect with input `I` and answers `O` that a chart needs and the page supplies. */
export interface Effect<I, O> {
  readonly declared: Declaration<I, O>;
}

/** Any effect, as an actor's logic. */
type AnyEffect = AnyActorLogic & Effect<unknown, unknown>;

/** What an effect without an implementation does. */
export const unsupplied = ({ id }: AnyActorRef): Promise<never> =>
  Promise.reject(new Error(`No implementation was supplied for the effect ${id}`));

/**
 * Declares an effect without an implementation; running it rejects with an error that names its invocation. An
 * implementation's rejection of an aborted request is ignored: React's StrictMode stops and restarts the same actor, which
 * would otherwise treat it as a failure of the new call.
 */
export const effect = <I, O>(kind: EffectKind, words: EffectTexts): PromiseActorLogic<O, I> & Effect<I, O> =>
  Object.assign(
    fromPromise<O, I>(({ self }) => unsupplied(self)),
    {
      declared: {
        kind,
        words,
        polls: false,
        supply: (run: Run<I, O>) =>
          fromPromise<O, I>(({ input, signal }) =>
            run(input, signal).catch((error: unknown) => {
              if (signal.aborted) return never;
              throw error;
            }),
          ),
      },
    },
  );

/** Words of an effect that returns something, such as "… arrive" and "… do not arrive". */
export const readTexts = (what: string): EffectTexts => ({ answers: `${what} arrive`, fails: `${what} do not arrive` });
export const readOneTexts = (what: string): EffectTexts => ({
  answers: `${what} arrives`,
  fails: `${what} does not arrive`,
});

/** Words of an effect that performs an action. */
export const actionTexts = (answers: string): EffectTexts => ({
  answers,
  fails: 'It is refused, or no response arrives',
});

const isEffect = (logic: unknown): logic is AnyEffect =>
  typeof logic === 'object' && logic !== null && 'declared' in logic;

const actorsOf = ({ implementations }: AnyStateMachine): [string, unknown][] => Object.entries(implementations.actors);

/** The machines that a machine invokes, by name. */
export const invokedMachines = (machine: AnyStateMachine): Record<string, AnyStateMachine> =>
  Object.fromEntries(
    actorsOf(machine).filter((entry): entry is [string, AnyStateMachine] => entry[1] instanceof StateMachine),
  );

/** The effects that a machine declares itself, by name. */
const ownEffects = (machine: AnyStateMachine): Record<string, AnyEffect> =>
  Object.fromEntries(actorsOf(machine).filter((entry): entry is [string, AnyEffect] => isEffect(entry[1])));

/** The effects of a machine and of the machines that it invokes, by name. */
export const effectsOf = (machine: AnyStateMachine): Record<string, AnyEffect> =>
  Object.assign({}, ...Object.values(invokedMachines(machine)).map(effectsOf), ownEffects(machine)) as ReturnType<
    typeof ownEffects
  >; // of such objects

/** Whether a machine, or the one that it invokes, is running an effect that writes. */
export function isWriting(snapshot: AnyMachineSnapshot): boolean {
  const effects = ownEffects(snapshot.machine);
  const invoked = invokedIn(snapshot);
  const running = Object.keys(snapshot.children as object); // an effect runs under its name; XState leaves them untyped here
  return running.some((id) => effects[id]?.declared.kind === 'writes') || (invoked !== undefined && isWriting(invoked));
}

const never = new Promise<never>(() => {});

/** Calls `wake` whenever the effect may have a new answer. Returns a function that unsubscribes. Must not throw. */
export type Wakeups<I> = (input: I, wake: () => void) => () => void;

/**
 * The implementation of an effect. `signal` is aborted when the state is left; pass it to the request. `news` wakes a
 * poll early.
 */
export type Run<I, O> = ((input: I, signal: AbortSignal) => Promise<O>) & { news?: Wakeups<I> };

/** Adds a source of news to the implementation of a poll's effect. */
export const withWakeups = <I, O>(run: Run<I, O>, news: Wakeups<I>): Run<I, O> =>
  Object.assign((input: I, signal: AbortSignal) => run(input, signal), { news });

/** An effect with its implementation. */
export const supplyEffect = <I, O, Logic>({ declared }: Logic & Effect<I, O>, run: Run<I, O>): Logic =>
  Object.assign(declared.supply(run), { declared }) as Logic; // its declaration makes logic of the same kind

type ActorsOf<M extends AnyStateMachine> = NonNullable<MachineImplementationsFrom<M>['actors']>;

/** An implementation for each effect of a machine; for other actors, such as a nested machine, the actor itself. */
type Supplies<M extends AnyStateMachine> = {
  readonly [Name in keyof ActorsOf<M>]-?: NonNullable<ActorsOf<M>[Name]> extends Effect<infer I, infer O>
    ? Run<I, O>
    : NonNullable<ActorsOf<M>[Name]>;
};

/** Supplies all effects of a machine; a missing one is a compile error. */
export function provideEffects<M extends AnyStateMachine>(machine: M, supplies: Supplies<M>): M {
  const effects = ownEffects(machine);
  const actors = Object.entries<Run<unknown, unknown> | AnyActorLogic>(supplies).map(([name, supplied]) => {
    const declared = effects[name];
    return [name, declared && typeof supplied === 'function' ? supplyEffect(declared, supplied) : supplied];
  });
  return machine.provide({ actors: Object.fromEntries(actors) as object }) as M; // effects change no types
}

/** Converts an effect's rejection into a problem: effects reject with problems, anything else is a fault in the console. */
export const failureOf = (error: unknown): Problem =>
  isProblem(error)
    ? error
    : {
        type: 'about:blank',
        title: 'Unexpected Application Error',
        status: 0,
        detail: error instanceof Error ? error.message : String(error),
        code: 'internal',
      };
