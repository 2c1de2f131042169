import type { Message } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import type { PendingState, SendAgainEvent } from '../again.ts';
import type { AnswerState, OutcomeEvent } from '../answer.ts';
import type { JourneyContext, JourneyEvent } from '../gate.ts';
import { press } from '../say.ts';

/**
 * What the page begins with; `pending` are the puts and deletes that await their answer, the latest first, `asked` is the
 * latest query of this page, if its answer is still to come or to be read.
 */
export interface QueryMaterial {
  pending: Message[];
  asked: Message | null;
}

/** A query to be sent; `lostQuery` is the one to send again, under its own idempotency key, '' for a new one. */
export interface QuerySent {
  subscriptionId: string;
  lostQuery: string;
}

export interface QueryContext<Party> extends JourneyContext, AnswerState, PendingState {
  /** The subscription that the page was opened for, whichever is the current one by now. */
  subscriptionId: string;
  asked: Message | null;
  parties: Party[];
  /** Answers that said that the list is still to come. */
  looks: number;
  /** The provider's list was read; an ISO time: the query that it answers was sent then. */
  listed: boolean;
  askedAt: string;
  /** The debtor or creditor that is being deleted. */
  resourceId: string;
  /** The query whose answer was lost, '' if there is none: it is sent again instead of another one. */
  lostQuery: string;
}

export type QueryEvent =
  | JourneyEvent
  | SendAgainEvent
  | OutcomeEvent
  | { type: 'party.delete'; id: string }
  | { type: 'query.send' | 'delete.confirm' | 'delete.dismiss' | 'answer.leave' };

/** What can be done with a list, and instead of trying again what has failed. */
export const instead = {
  'query.send': { target: 'sending' },
  'party.delete': { guard: 'exists', target: 'confirming', actions: 'choose', description: press('Delete') },
  'form.cancel': { target: 'cancelled' },
} as const;

/** A state in which something has failed; the list stays. */
export const failed = <const Retry>(description: string, retry: Retry) =>
  ({ tags: ['list', 'failed'], meta: { description }, on: { ...instead, retry } }) as const;

export const isDeletion = ({ kind }: Message): boolean => kind.endsWith('deletes');

export const listLost: Problem = {
  type: 'about:blank',
  title: 'The list is not kept any more',
  status: 0,
  detail: 'The provider has answered, and another page of the console read its list more than a minute ago. Ask again.',
  code: 'not-found',
};
