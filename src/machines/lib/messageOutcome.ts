import type { Message, Webhook } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import { resendWhileWaiting } from './resend.ts';
import { poll, type PollEvent } from './poll.ts';
import { toFailed } from './effect.ts';
import { describedGuard } from './describe.ts';

/**
 * The outcome of a message. The service only forwards it; the provider's webhook reports the decision (wire, section
 * 6). While it waits, `status` is the status last reported by the provider, and `authorise` the link for its
 * authorisation.
 */
export type Outcome = Pick<Message, 'state' | 'detail'> &
  Partial<
    Pick<Message, 'status' | 'name' | 'sentAt' | 'forwarded' | 'authorise' | 'authoriseExpiresAt' | 'followed'>
  > & {
    /** The webhook that answered a query; absent once it has been read and cleared. */
    webhook?: Pick<Webhook, 'id' | 'data'> | undefined;
  };

/**
 * The result of sending a message; `pending` is true if the same message already awaits its answer and was not sent
 * again.
 */
export interface Sent {
  messageId: string;
  pending: boolean;
}

/** The part of a context that is needed while awaiting an outcome. */
export interface AnswerState {
  messageId: string;
  outcome: Outcome | null;
  /** Whether the outcome has been awaited for longer than expected. */
  overdue: boolean;
}

export const noAnswer: AnswerState = { messageId: '', outcome: null, overdue: false };

/** The user opens or closes the authorise page of a message or batch. */
export type AuthoriseEvent = { type: 'authorise.open' } | { type: 'authorise.close' };

/** The link for authorising a waiting message if it leads to a provider's own pages; otherwise ''. */
export const authoriseLinkOf = (outcome: Outcome | null): string =>
  outcome?.state === 'waiting' && outcome.followed ? (outcome.authorise ?? '') : '';

interface Authorising {
  context: AnswerState & { authorising: boolean };
}
/** Guards: there is a link, and its page is not open (`mayAuthorise`) or open (`isAuthorising`). */
export const mayAuthorise = describedGuard(
  'the message requires authorisation',
  ({ context }: Authorising): boolean => authoriseLinkOf(context.outcome) !== '' && !context.authorising,
);
export const isAuthorising = describedGuard(
  'its page is open',
  ({ context }: Authorising): boolean => authoriseLinkOf(context.outcome) !== '' && context.authorising,
);

export const refusedProblem = ({ detail }: Outcome): Problem => ({
  type: 'about:blank',
  title: 'The provider refused',
  status: 0,
  detail,
  code: 'upstream-refused',
  outcome: 'refused',
});

export const isRefused = describedGuard(
  'the provider refused',
  ({ context }: { context: AnswerState }): boolean => context.outcome?.state === 'refused',
);

/** The effect that polls for the outcome of a message until the provider has decided. */
export const askOutcome = poll<{ messageId: string }, Outcome>(
  { answers: 'The status of the message arrives', fails: 'No response arrives' },
  { isEnough: ({ state }) => state !== 'waiting' },
);

/** The event that `askOutcome` sends while the message waits. */
export type OutcomeEvent = PollEvent<'askOutcome', Outcome>;
export type Heard = Omit<OutcomeEvent, 'type'>;

/** Context changes for an `OutcomeEvent`. */
export const heard = ({ outcome }: AnswerState, { answer, overdue }: Heard): Omit<AnswerState, 'messageId'> => ({
  outcome: answer ?? outcome,
  overdue,
});

const hears = {
  type: 'hear',
  params: ({ event }: { event: { output: Outcome } }) => ({ answer: event.output, overdue: false }),
} as const;

/**
 * Polls for the provider's answer, then branches on the outcome; a message whose answer was lost can be resent. The
 * chart supplies the effects `askOutcome` and `sendAgain`, the guard `mayRepeat` and the action `hear`. `ends` are the
 * branches on the outcome, the last of them without a guard; `unanswered` is the target if polling fails; `more` are
 * further transitions while waiting.
 */
export const awaitingAnswer = <const Ends extends readonly object[], const More extends object = object>(
  { ends, unanswered }: { ends: Ends; unanswered: string },
  more?: More,
) =>
  ({
    initial: 'waiting',
    on: {
      'form.cancel': { target: 'cancelled' },
      ...(more as More), // an empty object where there is none
    },
    states: {
      waiting: {
        meta: { description: 'Polls for the provider’s webhook' },
        on: {
          ...resendWhileWaiting,
          'poll.told.askOutcome': { actions: { type: 'hear', params: ({ event }: { event: Heard }) => event } },
        },
        invoke: {
          id: 'askOutcome',
          src: 'askOutcome',
          input: ({ context }: { context: AnswerState }) => ({ messageId: context.messageId }),
          onDone: { target: 'deciding', actions: hears },
          onError: toFailed(unanswered),
        },
      },
      repeating: {
        meta: { description: 'Resends the message with the same key' },
        invoke: {
          id: 'sendAgain',
          src: 'sendAgain',
          input: ({ context }: { context: AnswerState }) => ({ messageId: context.messageId }),
          onDone: { target: 'waiting', actions: hears },
          onError: toFailed(unanswered),
        },
      },
      deciding: { always: ends },
    },
  }) as const;
