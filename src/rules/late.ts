import { isObject } from '#contract/json.ts';
import type { Webhook } from '#contract/message.ts';
import { stageOf, type SaidStatus } from '#contract/status.ts';
import { isReturned, type ToldReturn } from './afterPaid.ts';
import { textAt } from './path.ts';

/** The word for a webhook that is older than what was known when it arrived, and what it means (wire, 12.8). */
export const late = { word: 'Late', says: 'Older than what was known; it changed nothing' } as const;

/** What is known of a batch or subscription. */
interface Known extends SaidStatus {
  told?: readonly ToldReturn[];
  /** When the latest webhook about it was signed (ISO time); absent if none was. */
  heardAt?: string;
}

/** The payments that a webhook about a batch names. */
export function paymentsIn({ data }: Pick<Webhook, 'data'>): readonly unknown[] {
  const payments = isObject(data) ? data['payments'] : [];
  return Array.isArray(payments) ? payments : [];
}

/** How a status is placed to what is known: 1 is news of a later stage, -1 of an earlier one, 0 of neither. */
function newsOf(said: string, known: number | undefined): number {
  const stage = stageOf(said);
  return stage === undefined || known === undefined ? 0 : Math.sign(stage - known);
}

/**
 * Whether a webhook is older than what is known: it says no news, and a status of an earlier stage, or was signed before the
 * latest webhook about the same. That of a payment that came back is later than each other one.
 */
export function isLate({ data, sentAt }: Pick<Webhook, 'data' | 'sentAt'>, known: Known | undefined): boolean {
  if (!known) return false;
  const { status, ended = status, told = [], heardAt } = known;
  const back = new Set(told.map(({ paymentId }) => paymentId));
  const news = paymentsIn({ data }).map((payment) => {
    if (!isObject(payment)) return 0;
    const isBack = back.has(textAt(payment, 'paymentId'));
    return isReturned(payment) ? Number(!isBack) : isBack ? newsOf(textAt(payment, 'status'), stageOf('Returned')) : 0;
  });
  news.push(newsOf(textAt(data, 'status'), stageOf(ended)));
  if (news.includes(1)) return false;
  return news.includes(-1) || (sentAt !== undefined && heardAt !== undefined && sentAt < heardAt);
}
