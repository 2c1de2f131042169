import type { Message } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import type { PendingState, SendAgainEvent } from '../lib/resend.ts';
import type { AnswerState, OutcomeEvent } from '../lib/messageOutcome.ts';
import type { JourneyContext, JourneyEvent } from '../lib/gate.ts';
import { pressLabel } from '../lib/describe.ts';

/**
 * The data that the page reads; `pending` are the puts and deletes that await their answer, latest first; `asked` is
 * the page's latest query if its answer has not arrived or has not been read; `known` are the parties that the console
 * has stored.
 */
export interface QueryMaterial<Party> {
  known: Party[];
  pending: Message[];
  asked: Message | null;
}

/**
 * A query to send; `lostQuery` is the id of an earlier query to resend under its idempotency key, '' for a new query.
 */
export interface QuerySent {
  subscriptionId: string;
  lostQuery: string;
}

export interface QueryContext<Party> extends JourneyContext, AnswerState, PendingState {
  /** The subscription for which the page was opened, even if another one is current by now. */
  subscriptionId: string;
  asked: Message | null;
  /** The provider's list if it was read, otherwise the known parties. */
  parties: Party[];
  /** Number of polls answered without the list. */
  looks: number;
  /** Whether the provider's list was read; `askedAt` is the time when its query was sent (ISO time). */
  listed: boolean;
  askedAt: string;
  /** The debtor or creditor being deleted. */
  resourceId: string;
  /** The id of a query whose answer was lost; it is resent instead of a new one. '' if there is none. */
  lostQuery: string;
}

export type QueryEvent =
  | JourneyEvent
  | SendAgainEvent
  | OutcomeEvent
  | { type: 'party.delete'; id: string }
  | { type: 'query.send' | 'delete.confirm' | 'delete.dismiss' | 'answer.leave' };

/** Transitions of a state with a list, also available after a failure besides retrying. */
export const instead = {
  'query.send': { target: 'sending' },
  'party.delete': { guard: 'exists', target: 'confirming', actions: 'choose', description: pressLabel('Delete') },
  'form.cancel': { target: 'cancelled' },
} as const;

/** A failed state; the list stays visible. */
export const failed = <const Retry>(description: string, retry: Retry) =>
  ({ tags: ['list', 'failed'], meta: { description }, on: { ...instead, retry } }) as const;

/** A failed state after the message was sent: only its answer could not be read. */
export const failedAsSent = <const Retry>(description: string, retry: Retry) =>
  ({ ...failed(description, retry), tags: ['list', 'failed', 'sent'] }) as const;

export const isDeletion = ({ kind }: Message): boolean => kind.endsWith('deletes');

export const listLost: Problem = {
  type: 'about:blank',
  title: 'The list is no longer stored',
  status: 0,
  detail: 'Another page of the console read the provider’s list more than a minute ago. Query again.',
  code: 'not-found',
};
