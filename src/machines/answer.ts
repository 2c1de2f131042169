import type { Message } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import { repeatsFollowed } from './again.ts';
import { port } from './port.ts';
import { when } from './say.ts';

/**
 * What became of a message: the service only forwards it, the provider's webhook decides (wire, section 6). While
 * it waits, `status` is what the provider has said last, and `authorise` where it wants to be authorised.
 */
export type Outcome = Pick<Message, 'state' | 'detail'> &
  Partial<Pick<Message, 'status' | 'name' | 'sentAt' | 'forwarded' | 'authorise' | 'authoriseExpiresAt' | 'followed'>>;

/** The port that asks what became of a message. */
export const askOutcome = port<{ messageId: string }, Outcome>('reads', {
  answers: 'The service says what it knows',
  fails: 'The service does not answer',
});

/** A message that was sent, or the same one, which awaits its answer and is not sent again. */
export interface Sent {
  messageId: string;
  pending: boolean;
}

/** The part of a context that waiting for an outcome needs. */
export interface AnswerState {
  messageId: string;
  outcome: Outcome | null;
}

export const noAnswer: AnswerState = { messageId: '', outcome: null };

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

export const isAccepted = when(
  'the provider accepted',
  ({ context }: { context: AnswerState }): boolean => context.outcome?.state === 'accepted',
);
export const isRefused = when(
  'the provider refused',
  ({ context }: { context: AnswerState }): boolean => context.outcome?.state === 'refused',
);

/**
 * Waiting for the provider's answer: wait, ask, decide; a message whose answer was lost is sent again. The chart supplies
 * the ports `askOutcome` and `sendAgain`, the guard `mayRepeat` and the action `keepOutcome`, and says where each end leads; `more` are further events that it hears.
 */
export const answering = <
  const Ends extends { accepted: object; refused: object; unanswered: string },
  const More extends object = object,
>(
  ends: Ends,
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
        meta: { description: 'Waits before asking again' },
        after: { pollInterval: { target: 'asking' } },
        on: repeatsFollowed,
      },
      asking: {
        meta: { description: 'Asks whether the provider has answered' },
        on: repeatsFollowed,
        invoke: {
          id: 'askOutcome',
          src: 'askOutcome',
          input: ({ context }: { context: AnswerState }) => ({ messageId: context.messageId }),
          onDone: {
            target: 'deciding',
            actions: {
              type: 'keepOutcome',
              params: ({ event }: { event: { output: Outcome } }) => ({ outcome: event.output }),
            },
          },
          onError: {
            target: ends.unanswered,
            actions: { type: 'fail', params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }) },
          },
        },
      },
      repeating: {
        meta: { description: 'Sends the message again, under its own key' },
        invoke: {
          id: 'sendAgain',
          src: 'sendAgain',
          input: ({ context }: { context: AnswerState }) => ({ messageId: context.messageId }),
          onDone: {
            target: 'deciding',
            actions: {
              type: 'keepOutcome',
              params: ({ event }: { event: { output: Outcome } }) => ({ outcome: event.output }),
            },
          },
          onError: {
            target: ends.unanswered,
            actions: { type: 'fail', params: ({ event }: { event: { error: unknown } }) => ({ error: event.error }) },
          },
        },
      },
      deciding: {
        always: [
          { guard: 'isAccepted', ...ends.accepted },
          { guard: 'isRefused', ...ends.refused },
          { target: 'waiting' },
        ],
      },
    },
  }) as const;
