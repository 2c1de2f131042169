import { textOrEmpty } from '#contract/text.ts';
import { isObject, jsonIn } from '#contract/json.ts';
import type { RecordedCall, RecordedPayment } from '#server/sandbox/recorded.ts';
import { header } from '#server/upstream/wire.ts';
import type { Evidence, Invoice } from './evidence.ts';

/** A call that creates a batch or a subscription. */
export interface Write {
  call: RecordedCall;
  /** The idempotency key; '' if it has none. */
  key: string;
  /** What it asks for: one text for each payment. The same texts mean the same payments. */
  items: readonly string[];
}

const writing: readonly string[] = ['createBatch', 'createSubscription'];

/** Writes an amount without superfluous zeros, so that `120.5` and `120.50` are equal. */
export const plainAmount = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0*$/, '') : amount);

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

type Paid = Pick<RecordedPayment, 'amount' | 'currency' | 'creditorId' | 'reference'>;

/** Returns the invoice that a payment pays. File payments name no creditor id, so the amount decides. */
const invoiceOf = ({ invoices }: Pick<Evidence, 'invoices'>, payment: Paid): Invoice | undefined =>
  invoices.find(
    ({ creditorId, amount, currency }) =>
      currency === payment.currency &&
      (payment.creditorId === ''
        ? plainAmount(amount) === plainAmount(payment.amount)
        : creditorId === payment.creditorId),
  );

/**
 * Returns the text that identifies a payment: its invoice, or if that is unknown its creditor, amount and reference.
 * Members that a program may fill anew with each attempt, such as externalId, do not count.
 */
function itemOf(evidence: Pick<Evidence, 'invoices'>, payment: Paid): string {
  const { creditorId, amount, currency, reference } = payment;
  return invoiceOf(evidence, payment)?.id ?? [creditorId, plainAmount(amount), currency, reference].join(' ');
}

function paymentOf(value: unknown): Paid {
  const instructed = member(value, 'instructedAmount');
  return {
    amount: textOrEmpty(member(instructed, 'amount')),
    currency: textOrEmpty(member(instructed, 'currency')),
    creditorId: textOrEmpty(member(member(value, 'creditor'), 'creditorId')),
    reference: textOrEmpty(member(member(value, 'remittanceInformation'), 'reference')),
  };
}

/** Returns what a write asks for. */
function itemsOf(evidence: Pick<Evidence, 'invoices'>, { operation, body }: RecordedCall): string[] {
  const payments = member(member(jsonIn(body), 'data'), 'payments');
  if (operation !== 'createBatch' || !Array.isArray(payments)) return [body];
  return payments.map((each) => itemOf(evidence, paymentOf(each)));
}

/** Returns the writes among these calls. */
export const writesIn = (evidence: Pick<Evidence, 'invoices'>, calls: readonly RecordedCall[]): Write[] =>
  calls
    .filter(({ operation }) => writing.includes(operation))
    .map((call) => ({
      call,
      key: call.headers[header.idempotency] ?? '',
      items: itemsOf(evidence, call),
    }));

/** Whether two writes ask for some of the same. */
export const isSameWrite = (one: Write, other: Write): boolean =>
  one.call.operation === other.call.operation && one.items.some((item) => other.items.includes(item));

/** Members of a body that a program may fill anew with each attempt. */
const volatile: readonly string[] = ['externalId', 'requestedExecutionDateTime'];

/** Returns a body without the members that may differ between attempts at the same write. */
export const bodyWithoutVolatile = (body: string): string =>
  JSON.stringify(jsonIn(body) ?? body, (name, value: unknown) => (volatile.includes(name) ? undefined : value));

const dead = /^(failed|rejected|cancelled|canceled|returned)$/i;
const done = /^(completed|paymentfileavailable)$/i;

/** Whether a payment with this status moves no money. */
export const isDead = (status: string): boolean => dead.test(status);

/** Whether a payment with this status is made: completed, or ready in its file. */
export const isMade = (status: string): boolean => done.test(status);

/** Returns the payments of all batches that pay an item, with the batch's idempotency key. */
export const paymentsOf = (evidence: Pick<Evidence, 'batches' | 'invoices'>, item: string) =>
  evidence.batches.flatMap(({ payments, idempotencyKey, batchId }) =>
    payments
      .filter((payment) => itemOf(evidence, payment) === item)
      .map((payment) => ({ ...payment, idempotencyKey, batchId })),
  );

/** Returns how many times an item is paid, or will be. */
export const timesPaid = (evidence: Pick<Evidence, 'batches' | 'invoices'>, item: string): number =>
  paymentsOf(evidence, item).filter(({ status }) => !isDead(status)).length;
