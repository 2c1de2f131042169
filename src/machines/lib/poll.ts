import { assign, fromCallback, setup, spawnChild, StateMachine, type PromiseActorLogic } from 'xstate';
import { answerPatience, webhookPollInterval } from '#contract/constants.ts';
import type { Meta, Tag } from './gate.ts';
import { effect, type Wakeups, type Effect, type EffectTexts } from './effect.ts';
import { describedGuard } from './describe.ts';

/** The state of a poll, which its invoker sees in its snapshots. */
export interface PollContext<Answer> {
  /** The latest answer; null before the first one. */
  answer: Answer | null;
  /** Number of answers. */
  times: number;
  /** Whether the poll has waited for the duration of `patience`. */
  overdue: boolean;
}

interface Context extends PollContext<unknown> {
  question: unknown;
  /** Whether news arrived during the current call, whose answer may predate it. */
  woken: boolean;
  /** How long (ms) the poll has waited for a sufficient answer, in whole intervals. */
  waited: number;
}

/** The state of a poll of such answers, from the event of its snapshot. */
export const pollOf = <Answer>({ snapshot }: { snapshot: unknown }): PollContext<Answer> =>
  (snapshot as { context: PollContext<Answer> }).context; // of the poll that the effect declares

/** The options of a poll; times in ms. */
interface Options<Answer> {
  isEnough: (answer: Answer) => boolean;
  interval?: number;
  patience?: number;
}

const intervalPasses = { description: 'The interval passes', actions: 'countInterval' } as const;

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
    },
    actions: {
      countInterval: assign(({ context }) => {
        const waited = context.waited + interval;
        return { waited, overdue: waited >= patience };
      }),
      listen: spawnChild('news', { id: 'news', input: ({ context }: { context: Context }) => context.question }),
      noteNews: assign({ woken: true }),
      forgetNews: assign({ woken: false }),
    },
  }).createMachine({
    id: 'poll',
    context: ({ input }) => ({ question: input, answer: null, times: 0, overdue: false, woken: false, waited: 0 }),
    entry: 'listen',
    initial: 'waiting',
    states: {
      waiting: {
        meta: { description: 'Waits before asking again' },
        after: { interval: { ...intervalPasses, target: 'asking' } },
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
          onDone: {
            target: 'deciding',
            actions: assign(({ context, event }) => ({ answer: event.output, times: context.times + 1 })),
          },
        },
        states: {
          patient: {
            meta: { description: 'Waits for the status' },
            after: { interval: { ...intervalPasses, target: 'patient', reenter: true } },
          },
        },
      },
      deciding: {
        always: [
          { guard: 'isEnough', target: 'answered' },
          { guard: 'isWoken', target: 'asking' },
          { target: 'waiting' },
        ],
      },
      answered: { type: 'final', meta: { description: 'The status is final' } },
    },
    output: ({ context }: { context: Context }) => context.answer,
  });
};

/**
 * Declares an effect that polls until an answer `isEnough`. It waits one `interval` before the first call and after each
 * answer; news, if the implementation listens for any, ends the wait early. Calls never overlap. The invoker sees
 * each answer in its snapshots, and whether `patience` is exceeded. The poll fails as soon as a call fails.
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
