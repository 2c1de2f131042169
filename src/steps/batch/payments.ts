import type { Batch, BatchError } from '#contract/batch.ts';
import { amountText, totalsByCurrency } from '#rules/batch.ts';
import { causeOf } from '#rules/causes.ts';
import { textAt } from '#rules/path.ts';
import { toneOf } from '#ui/Badge.tsx';

export type SeenPayment = NonNullable<Batch['payments']>[number];

/** A payment with its index in the response (`position`), which serves as its key: payments may have no id. */
export interface PlacedPayment {
  payment: SeenPayment;
  position: number;
  status: string;
  /** The service's errors for the payment, joined by "; "; '' if there are none. */
  reason: string;
}

export const amountOf = (payment: SeenPayment): string =>
  `${textAt(payment, 'instructedAmount.amount')} ${textAt(payment, 'instructedAmount.currency')}`;

/** The payments with their errors, failed ones first, otherwise in the order of the response. */
export function placedPayments(payments: readonly SeenPayment[], errors: readonly BatchError[]): PlacedPayment[] {
  const reasons = new Map<number, string>();
  for (const error of errors) {
    const { position } = causeOf(error, payments);
    const { message, code, target } = error;
    if (position !== undefined)
      reasons.set(position, [reasons.get(position), message || code || target].filter(Boolean).join('; '));
  }
  const placed = payments.map((payment, position) => ({
    payment,
    position,
    status: textAt(payment, 'status') || 'unknown',
    reason: reasons.get(position) ?? '',
  }));
  const failed = (each: PlacedPayment) => Number(hasFailed(each));
  return placed.toSorted((a, b) => failed(b) - failed(a));
}

/** Whether a payment has a failed status or an error. */
export const hasFailed = ({ status, reason }: PlacedPayment): boolean => reason !== '' || toneOf(status) === 'failed';

const isAmount = (text: string): boolean => /^\d{1,30}(\.\d{1,30})?$/.test(text);

/** The total of the payments (major units) for each currency; '' if an amount is not a plain decimal number. */
export function totalOf(payments: readonly SeenPayment[]): string {
  const amounts = payments.map((payment) => ({
    amount: textAt(payment, 'instructedAmount.amount'),
    currency: textAt(payment, 'instructedAmount.currency'),
  }));
  return amounts.every(({ amount }) => isAmount(amount)) ? amountText(totalsByCurrency(amounts)) : '';
}
