import type { Message, Webhook } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import { repeatsFollowed } from './again.ts';
import { poll, type PollEvent } from './poll.ts';
import { failing } from './port.ts';
import { when } from './say.ts';

/**
 * What became of a message: the service only forwards it, the provider's webhook decides (wire, section 6). While
 * it waits, `status` is what the provider has said last, and `authorise` where it wants to be authorised.
 */
export type Outcome = Pick<Message, 'state' | 'detail'> &
  Partial<
    Pick<Message, 'status' | 'name' | 'sentAt' | 'forwarded' | 'authorise' | 'authoriseExpiresAt' | 'followed'>
  > & {
    /** The webhook that has answered a query, until it was read and let go of. */
    webhook?: Pick<Webhook, 'id' | 'data'> | undefined;
  };

/** A message that was sent, or the same one, which awaits its answer and is not sent again. */
export interface Sent {
  messageId: string;
  pending: boolean;
}

/** The part of a context that waiting for an outcome needs. */
export interface AnswerState {
  messageId: string;
  outcome: Outcome | null;
  /** It has been awaited for long. */
  overdue: boolean;
}

export const noAnswer: AnswerState = { messageId: '', outcome: null, overdue: false };

/** The user opens and closes the authorise page that a message, or a batch, waits for. */
export type AuthoriseEvent = { type: 'authorise.open' } | { type: 'authorise.close' };

/** What an answer needs to be authorised before it is one: its link, if it leads to a provider's own pages. */
export const authoriseLinkOf = (outcome: Outcome | null): string =>
  outcome?.state === 'waiting' && outcome.followed ? (outcome.authorise ?? '') : '';

interface Authorising {
  context: AnswerState & { authorising: boolean };
}
/** The page can be opened, or is open, of what there is a link for. */
export const mayAuthorise = when(
  'it waits for that',
  ({ context }: Authorising): boolean => authoriseLinkOf(context.outcome) !== '' && !context.authorising,
);
export const isAuthorising = when(
  'its page is open',
  ({ context }: Authorising): boolean => authoriseLinkOf(context.outcome) !== '' && context.authorising,
);

export const refusalOf = ({ detail }: Outcome): Problem => ({
  type: 'about:blank',
  title: 'The provider refused',
  status: 0,
  detail,
  code: 'upstream-refused',
  outcome: 'refused',
});

export const isRefused = when(
  'the provider refused',
  ({ context }: { context: AnswerState }): boolean => context.outcome?.state === 'refused',
);

/** The port that asks what became of a message, until the provider has decided. */
export const askOutcome = poll<{ messageId: string }, Outcome>(
  { answers: 'The service says what it knows', fails: 'The service does not answer' },
  { isEnough: ({ state }) => state !== 'waiting' },
);

/** What `askOutcome` tells while the message waits. */
export type OutcomeEvent = PollEvent<'askOutcome', Outcome>;
export type Heard = Omit<OutcomeEvent, 'type'>;

/** What there is to be kept of it. */
export const heard = ({ outcome }: AnswerState, { answer, overdue }: Heard): Omit<AnswerState, 'messageId'> => ({
  outcome: answer ?? outcome,
  overdue,
});

const hears = {
  type: 'hear',
  params: ({ event }: { event: { output: Outcome } }) => ({ answer: event.output, overdue: false }),
} as const;

/**
 * Waiting for the provider's answer: polls, then decides; a message whose answer was lost is sent again. The chart
 * supplies the ports `askOutcome` and `sendAgain`, the guard `mayRepeat` and the action `hear`, and says what comes of the
 * outcome: `ends` are branches, the last of them without a guard. `more` are further events that it hears meanwhile.
 */
export const answering = <const Ends extends readonly object[], const More extends object = object>(
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
        meta: { description: 'Asks again and again whether the provider has answered' },
        on: {
          ...repeatsFollowed,
          'poll.told.askOutcome': { actions: { type: 'hear', params: ({ event }: { event: Heard }) => event } },
        },
        invoke: {
          id: 'askOutcome',
          src: 'askOutcome',
          input: ({ context }: { context: AnswerState }) => ({ messageId: context.messageId }),
          onDone: { target: 'deciding', actions: hears },
          onError: failing(unanswered),
        },
      },
      repeating: {
        meta: { description: 'Sends the message again, under its own key' },
        invoke: {
          id: 'sendAgain',
          src: 'sendAgain',
          input: ({ context }: { context: AnswerState }) => ({ messageId: context.messageId }),
          onDone: { target: 'waiting', actions: hears },
          onError: failing(unanswered),
        },
      },
      deciding: { always: ends },
    },
  }) as const;
