import type { Message } from '#contract/message.ts';
import type { Problem } from '#contract/problem.ts';
import type { PendingState, SendAgainEvent } from '../lib/resend.ts';
import type { JourneyContext, JourneyEvent } from '../lib/gate.ts';
import type { Invoking } from '../lib/state.ts';

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

export interface QueryContext<Party> extends JourneyContext, Invoking, PendingState {
  /** The subscription for which the page was opened, even if another one is current by now. */
  subscriptionId: string;
  /** The query that awaited its answer when the page was opened; null once another one is sent. */
  asked: Message | null;
  /** The provider's list if it was read, otherwise the known parties. */
  parties: Party[];
  /** Whether the provider's list was read; `askedAt` is the time when its query was sent (ISO time). */
  listed: boolean;
  askedAt: string;
  /** The webhook with the list, whose data is cleared; '' if there is none. */
  webhookId: string;
  /** The debtor or creditor being deleted. */
  resourceId: string;
  /** The deletion that is followed; '' if one is to be sent. */
  messageId: string;
  /** The id of a query whose answer was lost; it is resent instead of a new one. '' if there is none. */
  lostQuery: string;
}

export type QueryEvent =
  | JourneyEvent
  | SendAgainEvent
  | { type: 'party.delete'; id: string }
  | { type: 'query.send' | 'delete.confirm' | 'delete.dismiss' | 'answer.leave' };

export const isDeletion = ({ kind }: Message): boolean => kind.endsWith('deletes');

export const listLost: Problem = {
  type: 'about:blank',
  title: 'The list is no longer stored',
  status: 0,
  detail: 'Another page of the console read the provider’s list more than a minute ago. Query again.',
  code: 'not-found',
};
