import type { Batch, BatchError } from '#contract/batch.ts';
import { invoiceCounts } from '#contract/constants.ts';
import type { BatchView } from '#machines/batch/batch.ts';
import { electronicPayment, filePayment } from '#machines/payment/journeys.ts';
import { afterPaid } from '#rules/afterPaid.ts';
import { causeOf, type Cause } from '#rules/causes.ts';
import { textAt } from '#rules/path.ts';
import { toneOf } from '#ui/Badge.tsx';

export type SeenPayment = NonNullable<Batch['payments']>[number];

/** An error of the service with what it names. */
export interface PlacedError {
  error: BatchError;
  cause: Cause;
}

/** The status of a payment of which the service says none. */
export const unknownStatus = 'unknown';

/** A payment with its index in the response (`position`), which serves as its key: payments may have no id. */
export interface PlacedPayment {
  payment: SeenPayment;
  position: number;
  status: string;
  /** The service's errors for the payment. */
  errors: PlacedError[];
}

export const amountOf = (payment: SeenPayment): string =>
  `${textAt(payment, 'instructedAmount.amount')} ${textAt(payment, 'instructedAmount.currency')}`;

/** The text of an error; '' if it has none. */
export const errorText = ({ message, code, target }: BatchError): string => message || code || target;

type Seen = Pick<BatchView, 'batch' | 'errors' | 'references'>;

/** The payments with their errors, failed ones first, then those that are held or came back, otherwise in the order of the response; and the other errors. */
export function placedPayments({ batch: { payments = [] }, errors, references }: Seen): {
  placed: PlacedPayment[];
  others: PlacedError[];
} {
  const placed = payments.map((payment, position): PlacedPayment => ({
    payment,
    position,
    status: textAt(payment, 'status') || unknownStatus,
    errors: [],
  }));
  const others: PlacedError[] = [];
  for (const error of errors) {
    const cause = causeOf(error, payments, references);
    const named = cause.position === undefined ? undefined : placed[cause.position];
    (named?.errors ?? others).push({ error, cause });
  }
  const told = (each: PlacedPayment) => (hasFailed(each) ? 2 : Number(afterPaid(each.payment) !== ''));
  return { placed: placed.toSorted((a, b) => told(b) - told(a)), others };
}

/** Whether a payment has a failed status or an error. */
export const hasFailed = ({ status, errors }: PlacedPayment): boolean =>
  errors.length > 0 || toneOf(status) === 'failed';

/** Whether a batch was paid by bank file. */
export const isByFile = ({ batch }: Pick<BatchView, 'batch'>): boolean => 'fileFormatId' in batch;

/**
 * The address of the payment form for paying a batch's failed payments again, with the focus on a control; it lists as
 * many invoices as the batch has payments.
 */
export function correctionAddress(view: Omit<Seen, 'errors'>, control = ''): string {
  const { batch, references } = view;
  const { path } = isByFile(view) ? filePayment : electronicPayment;
  const paid = Math.max(batch.payments?.length ?? 0, references.length);
  const invoices = invoiceCounts.find((count) => count >= paid) ?? invoiceCounts[0];
  const query = { corrects: batch.batchId, ...(control && { at: control }), invoices: String(invoices) };
  return `${path}?${new URLSearchParams(query).toString()}`;
}
