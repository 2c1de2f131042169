import { assign, fromCallback, sendTo, setup, spawnChild, StateMachine, type PromiseActorLogic } from 'xstate';
import { answerPatience, webhookPollInterval } from '#contract/constants.ts';
import type { Meta, Tag } from './gate.ts';
import { effect, type Wakeups, type Effect, type EffectTexts } from './effect.ts';
import { describedGuard } from './describe.ts';

/** Prefix of the type of a poll's events; the id of its invocation follows. */
export const told = 'poll.told.';
export type Told<Name extends string = string> = `${typeof told}${Name}`;

/**
 * The event that a poll sends to its invoker: the latest answer, null before the first one; `overdue` is true once the
 * poll has waited for the duration of `patience`.
 */
export interface PollEvent<Name extends string, Answer> {
  type: Told<Name>;
  answer: Answer | null;
  overdue: boolean;
}

interface Context {
  question: unknown;
  answer: unknown;
  /** Whether news arrived during the current call, whose answer may predate it. */
  woken: boolean;
  /** How long (ms) the poll has waited for a sufficient answer, in whole intervals. */
  waited: number;
}

/** The options of a poll; times in ms. */
interface Options<Answer> {
  isEnough: (answer: Answer) => boolean;
  interval?: number;
  patience?: number;
}

/** Transitions after an interval; the invoker is notified once, when `patience` is exceeded. */
const afterInterval = <const Target extends string>(target: Target) =>
  [
    { description: 'The interval passes', guard: 'runsOut', target, reenter: true, actions: ['count', 'tell'] },
    { target, reenter: true, actions: 'count' },
  ] as const;

/** The event that ends a poll's waiting early. */
interface WakeEvent {
  type: 'poll.wake';
}

/** Listens for news of a question. Without `news`, the poll only asks at its intervals. */
const newsOf = (news?: Wakeups<unknown>) =>
  fromCallback<WakeEvent, unknown>(({ input, sendBack }) => news?.(input, () => sendBack({ type: 'poll.wake' })));

/** Creates the machine of a poll. Effect: `ask`. The actor `news` sends `poll.wake` to make it ask immediately. */
export const pollMachineOf = (
  words: EffectTexts,
  { isEnough, interval = webhookPollInterval, patience = answerPatience }: Options<unknown>,
) => {
  const ask: PromiseActorLogic<unknown, unknown> = effect<unknown, unknown>('reads', words);
  return setup({
    types: {
      context: {} as Context,
      events: {} as WakeEvent,
      input: {},
      output: {},
      tags: {} as Tag,
      meta: {} as Meta,
    },
    actors: { ask, news: newsOf() },
    delays: { interval },
    guards: {
      isEnough: describedGuard('the status is final', ({ context }: { context: Context }) => isEnough(context.answer)),
      isWoken: describedGuard('an event arrived meanwhile', ({ context }: { context: Context }) => context.woken),
      runsOut: describedGuard(
        'it is overdue now',
        ({ context: { waited } }: { context: Context }) => waited < patience && waited + interval >= patience,
      ),
    },
    actions: {
      count: assign({ waited: ({ context }) => context.waited + interval }),
      listen: spawnChild('news', { id: 'news', input: ({ context }: { context: Context }) => context.question }),
      noteNews: assign({ woken: true }),
      forgetNews: assign({ woken: false }),
      tell: sendTo(
        // Without an invoker, which happens only in tests, the poll sends the event to itself.
        ({ self }) => self._parent ?? self,
        ({ context: { answer, waited }, self }): PollEvent<string, unknown> => ({
          type: `${told}${self.id}`,
          answer,
          overdue: waited >= patience,
        }),
      ),
    },
  }).createMachine({
    id: 'poll',
    context: ({ input }) => ({ question: input, answer: null, woken: false, waited: 0 }),
    entry: 'listen',
    initial: 'waiting',
    states: {
      waiting: {
        meta: { description: 'Waits before asking again' },
        after: { interval: afterInterval('asking') },
        on: { 'poll.wake': { description: 'An event arrives', target: 'asking' } },
      },
      asking: {
        meta: { description: 'Asks' },
        entry: 'forgetNews',
        on: { 'poll.wake': { description: 'An event arrives', actions: 'noteNews' } },
        initial: 'patient',
        // A failure is not handled here: the poll fails with it, and its invoker receives the error.
        invoke: {
          id: 'ask',
          src: 'ask',
          input: ({ context }: { context: Context }) => context.question,
          onDone: { target: 'deciding', actions: assign({ answer: ({ event }) => event.output }) },
        },
        states: {
          patient: {
            meta: { description: 'Waits for the status' },
            after: { interval: afterInterval('patient') },
          },
        },
      },
      deciding: {
        always: [
          { guard: 'isEnough', target: 'answered' },
          { guard: 'isWoken', target: 'asking', actions: 'tell' },
          { target: 'waiting', actions: 'tell' },
        ],
      },
      answered: { type: 'final', meta: { description: 'The status is final' } },
    },
    output: ({ context }: { context: Context }) => context.answer,
  });
};

/**
 * Declares an effect that polls until an answer `isEnough`. It waits one `interval` before the first call and after each
 * answer; news, if the implementation listens for any, ends the wait early. Calls never overlap. The invoker receives
 * each insufficient answer, and one event when `patience` is exceeded. The poll fails as soon as a call fails.
 */
export function poll<Question, Answer>(words: EffectTexts, options: Options<Answer>): Effect<Question, Answer> {
  const machine = pollMachineOf(words, options as Options<unknown>); // the machine does not depend on the type of the answer
  const declared = {
    kind: 'reads',
    words,
    around: (ask: PromiseActorLogic<unknown, unknown>, news?: Wakeups<unknown>) =>
      machine.provide({ actors: { ask, news: newsOf(news) } }),
  } as const;
  return Object.assign(machine, { declared }) as unknown as Effect<Question, Answer>; // invoked like any other effect
}

/** Whether an effect is a poll. */
export const isPoll = (logic: unknown): logic is ReturnType<typeof pollMachineOf> =>
  logic instanceof StateMachine && logic.id === 'poll';
