import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { approvalChart } from './approval.machine.ts';
import { pressLabel, describedGuard } from './describe.ts';
import { actionTexts, effect } from './effect.ts';
import { finalOutput } from './gate.ts';
import type { Tag } from './state.ts';
import { assignsFailure, failsTo, journeyActions, journeyGuards } from './journeyActions.ts';
import { readingIn, type Reading } from './poll.ts';
import { askOutcome, authoriseLinkOf, noAnswer, type AnswerState, type Outcome, type Sent } from './messageOutcome.ts';
import type { MessageRequest } from './messageRequest.ts';
import { mayRepeat, sendAgain, type SendAgainEvent } from './resend.ts';

const isDecided = (outcome: Outcome | null): boolean => outcome !== null && outcome.state !== 'waiting';

/** The page on which a person approves a message: open while the provider's link stands. */
export const messageApproval = approvalChart<{ messageId: string }, Outcome>(
  (outcome) => authoriseLinkOf(outcome) === '',
);

/** What a message's conversation begins with: a request to send, or a message that was sent before. */
export interface MessageInput {
  /** Null for a message that was sent before. */
  request: MessageRequest | null;
  /** The message that was sent before, with its outcome as far as known. */
  messageId?: string;
  outcome?: Outcome | null;
  /** Whether it is only resent, and its answer not awaited. */
  resends?: boolean;
  /** Whether it has been awaited for long already. */
  overdue?: boolean;
}

/** How a conversation ends. `held`: nothing was sent, because a message awaits its answer; `resent`: its answer is not awaited. */
export type MessageEnd = 'accepted' | 'refused' | 'held' | 'unsent' | 'resent';

export interface MessageOutput extends AnswerState {
  end: MessageEnd;
  /** Why it was not sent. */
  failure: Problem | null;
}

export interface MessageContext extends AnswerState {
  request: MessageRequest | null;
  resends: boolean;
  /** Whether the same request was sent before, so that nothing was sent now. */
  already: boolean;
  /** Number of polls answered before the current wait. */
  looksBefore: number;
  failure: Problem | null;
}

interface Args {
  context: MessageContext;
}

/**
 * The conversation about one message (wire, section 6): it is sent, the service forwards it, the provider's webhook
 * answers. While its outcome is unknown it can be resent under its idempotency key. Serves debtors, creditors, updates,
 * queries and deletions. Effects: `send`, `askOutcome`, `sendAgain`.
 */
export const messageMachine = setup({
  types: {
    context: {} as MessageContext,
    input: {} as MessageInput,
    output: {} as MessageOutput,
    events: {} as SendAgainEvent | { type: 'retry' },
    tags: {} as Tag,
    meta: {},
  },
  actors: {
    send: effect<MessageRequest, Sent>('writes', actionTexts('The message is forwarded')),
    askOutcome,
    sendAgain,
  },
  guards: {
    isToBeResent: describedGuard('it is only resent', ({ context }: Args) => context.resends),
    isDecided: describedGuard('the provider has decided', ({ context }: Args) => isDecided(context.outcome)),
    wasSent: describedGuard('it was sent before', ({ context }: Args) => context.messageId !== ''),
    isHeld: describedGuard('the user has to decide about a pending one', (_: object, { held }: Sent) => held),
    isFinal: describedGuard('the provider has decided', (_: object, { answer }: Reading<Outcome>) => isDecided(answer)),
    isRefused: describedGuard('the provider refused', ({ context }: Args) => context.outcome?.state === 'refused'),
    mayRepeat,
  },
  actions: {
    assignSent: assign(
      (_, { messageId, pending, exists = null }: Omit<Sent, 'exists'> & { exists?: Problem | null }) => ({
        messageId,
        already: pending,
        failure: exists,
      }),
    ),
    assignOutcome: assign((_, { outcome }: { outcome: Outcome }) => ({ outcome, overdue: false })),
    assignAnswer: assign(({ context }, { answer, overdue, times }: Reading<Outcome>) => ({
      outcome: answer ?? context.outcome,
      overdue: overdue || context.overdue,
      looks: context.looksBefore + times,
    })),
    countLooks: assign({ looksBefore: ({ context }) => context.looks }),
  },
})
  .extend({ guards: journeyGuards, actions: journeyActions })
  .createMachine({
    id: 'message',
    context: ({ input: { request, messageId = '', outcome = null, resends = false, overdue = false } }) => ({
      ...noAnswer,
      request,
      messageId,
      outcome,
      resends,
      overdue,
      already: false,
      looksBefore: 0,
      failure: null,
    }),
    initial: 'starting',
    output: ({ context: { messageId, outcome, overdue, looks, failure }, event }) => ({
      messageId,
      outcome,
      overdue,
      looks,
      failure,
      end: finalOutput<MessageEnd>({ event }),
    }),
    states: {
      starting: {
        always: [
          { guard: 'isToBeResent', target: 'resending' },
          { guard: 'isDecided', target: 'deciding' },
          { guard: 'wasSent', target: 'waiting' },
          { target: 'sending' },
        ],
      },
      sending: {
        tags: ['busy'],
        description: 'The message is being sent',
        invoke: {
          id: 'send',
          src: 'send',
          input: ({ context }) => context.request as MessageRequest, // entered only with a request
          onDone: [
            {
              guard: { type: 'isHeld', params: ({ event }) => event.output },
              target: 'held',
              actions: { type: 'assignSent', params: ({ event }) => event.output },
            },
            { target: 'waiting', actions: { type: 'assignSent', params: ({ event }) => event.output } },
          ],
          onError: failsTo('unsent'),
        },
      },
      waiting: {
        description: 'Polls for the provider’s webhook',
        entry: 'countLooks',
        on: { 'message.sendAgain': { guard: 'mayRepeat', target: 'resending', description: pressLabel('Send again') } },
        invoke: {
          id: 'askOutcome',
          src: 'askOutcome',
          input: ({ context: { messageId } }) => ({ messageId }),
          onSnapshot: [
            {
              guard: { type: 'isFinal', params: ({ event }) => readingIn(event) },
              target: 'deciding',
              actions: { type: 'assignAnswer', params: ({ event }) => readingIn(event) },
            },
            { actions: { type: 'assignAnswer', params: ({ event }) => readingIn(event) } },
          ],
          onError: failsTo('unanswered'),
        },
      },
      resending: {
        description: 'Resends the message with the same key',
        invoke: {
          id: 'sendAgain',
          src: 'sendAgain',
          input: ({ context: { messageId } }) => ({ messageId }),
          onDone: [
            {
              guard: 'isToBeResent',
              target: 'resent',
              actions: { type: 'assignOutcome', params: ({ event }) => ({ outcome: event.output }) },
            },
            {
              target: 'waiting',
              actions: { type: 'assignOutcome', params: ({ event }) => ({ outcome: event.output }) },
            },
          ],
          onError: [{ guard: 'isToBeResent', target: 'unsent', actions: assignsFailure }, failsTo('unanswered')],
        },
      },
      unanswered: {
        tags: ['failed', 'sent'],
        description: 'The status of the message could not be read, or it could not be resent',
        on: {
          retry: { guard: 'canHelp', target: 'waiting', actions: 'clearFailure', description: pressLabel('Try again') },
        },
      },
      deciding: { always: [{ guard: 'isRefused', target: 'refused' }, { target: 'accepted' }] },
      accepted: { type: 'final', output: 'accepted', description: 'The provider has accepted' },
      refused: { type: 'final', output: 'refused', description: 'The provider has refused' },
      held: { type: 'final', output: 'held', description: 'A message is pending; this one was not sent' },
      unsent: { type: 'final', output: 'unsent', description: 'The message could not be sent' },
      resent: { type: 'final', output: 'resent', description: 'The service has the message' },
    },
  });
