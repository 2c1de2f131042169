import type { Message, Webhook } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import { poll } from './poll.ts';

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
 * The result of sending a message. `pending`: nothing was sent, because a message awaits its answer, whose id this is;
 * `held`: the user decides what becomes of it.
 */
export interface Sent {
  messageId: string;
  pending: boolean;
  held: boolean;
  /** Nothing was sent, because what the message would create exists: the sentence names it. */
  exists?: Problem;
}

/** The part of a context that is needed while awaiting an outcome. */
export interface AnswerState {
  messageId: string;
  outcome: Outcome | null;
  /** Whether the outcome has been awaited for longer than expected. */
  overdue: boolean;
  /** Number of polls answered. */
  looks: number;
}

export const noAnswer: AnswerState = { messageId: '', outcome: null, overdue: false, looks: 0 };

/** The user opens or closes the approval page of a message or batch. */
export type AuthoriseEvent = { type: 'authorise.open' } | { type: 'authorise.close' };

/** The link for authorising a waiting message if it leads to a provider's own pages; otherwise ''. */
export const authoriseLinkOf = (outcome: Outcome | null): string =>
  outcome?.state === 'waiting' && outcome.followed ? (outcome.authorise ?? '') : '';

export const refusedProblem = ({ detail }: Outcome): Problem => ({
  type: 'about:blank',
  title: 'The provider refused',
  status: 0,
  detail,
  code: 'upstream-refused',
  outcome: 'refused',
});

/** The effect that polls for the outcome of a message. */
export const askOutcome = poll<{ messageId: string }, Outcome>({
  answers: 'The status of the message arrives',
  fails: 'No response arrives',
});
