import { textOrEmpty } from '#contract/text.ts';
import { isObject, jsonIn } from '#contract/json.ts';
import type { RecordedCall } from '#server/sandbox/recorded.ts';
import { header } from '#server/upstream/wire.ts';
import { callsByRun, isWhole, type AskedPayment, type Evidence, type Invoice, type SentPayment } from './evidence.ts';

/** A call that creates a batch or a subscription. */
export interface Write {
  call: RecordedCall;
  /** The idempotency key; '' if it has none. */
  key: string;
  /** What it asks for: one text for each payment. The same texts mean the same payments. */
  items: readonly string[];
  /** The payments in its body, in the order of the items; empty if it has none. */
  payments: readonly SentPayment[];
}

const writing: readonly string[] = ['createBatch', 'createSubscription'];

/** Writes an amount without superfluous zeros, so that `120.5` and `120.50` are equal. */
export const plainAmount = (amount: string): string => (amount.includes('.') ? amount.replace(/\.?0*$/, '') : amount);

const member = (value: unknown, name: string): unknown => (isObject(value) ? value[name] : undefined);

/** Whether a payment fits an invoice without its reference. File payments name no creditor id, so the amount decides. */
const fits = ({ creditorId, amount, currency }: Invoice, payment: AskedPayment): boolean =>
  currency === payment.currency &&
  plainAmount(amount) === plainAmount(payment.amount) &&
  (payment.creditorId === '' || creditorId === payment.creditorId);

/**
 * Returns the texts that identify payments: their invoices, by their references. A payment that names none pays the one of
 * its creditor and amount that the fewest others pay, or else one of its creditor. Without an invoice, creditor, amount and
 * reference identify it. Members that a program may fill anew with each attempt, such as externalId, do not count.
 */
function itemsOfPayments({ invoices }: Evidence, payments: readonly AskedPayment[]): string[] {
  const times = new Map<string, number>();
  return payments.map((payment) => {
    const { creditorId, amount, currency, reference } = payment;
    const named = invoices.find(({ id, reference: own }) => reference !== '' && [id, own].includes(reference));
    const alike = invoices.filter((each) => fits(each, payment));
    const near =
      alike.length > 0 ? alike : invoices.filter((each) => creditorId !== '' && each.creditorId === creditorId);
    const fewest = Math.min(...near.map(({ id }) => times.get(id) ?? 0));
    const invoice = named ?? near.find(({ id }) => (times.get(id) ?? 0) === fewest);
    if (!invoice) return [creditorId, plainAmount(amount), currency, reference].filter((text) => text !== '').join(' ');
    times.set(invoice.id, (times.get(invoice.id) ?? 0) + 1);
    return invoice.id;
  });
}

function paymentOf(value: unknown): SentPayment {
  const instructed = member(value, 'instructedAmount');
  const account = member(value, 'creditorAccount');
  const names = [member(member(value, 'creditor'), 'name'), member(account, 'name')];
  return {
    names: names.filter((name) => typeof name === 'string'),
    account: textOrEmpty(member(account, 'identification')),
    amount: textOrEmpty(member(instructed, 'amount')),
    currency: textOrEmpty(member(instructed, 'currency')),
    creditorId: textOrEmpty(member(member(value, 'creditor'), 'creditorId')),
    reference: textOrEmpty(member(member(value, 'remittanceInformation'), 'reference')),
  };
}

/** Returns what a write asks for. */
function askedIn(evidence: Evidence, call: RecordedCall): Pick<Write, 'items' | 'payments'> {
  const { operation, body } = call;
  const { invoices, reading } = evidence;
  const list = reading ? [] : member(member(jsonIn(body), 'data'), 'payments');
  if (!reading && (operation !== 'createBatch' || !Array.isArray(list))) return { items: [body], payments: [] };
  const payments = reading ? reading.paymentsIn(call, invoices) : (list as unknown[]).map(paymentOf); // a list by the line above
  return { items: itemsOfPayments(evidence, payments), payments };
}

/** Returns the name of the header of the idempotency key. */
export const keyHeaderOf = ({ reading }: Evidence): string => reading?.keyHeader ?? header.idempotency;

/** Returns the writes among these calls. */
export const writesIn = (evidence: Evidence, calls: readonly RecordedCall[]): Write[] =>
  calls
    .filter(({ operation }) => writing.includes(operation))
    .map((call) => ({
      call,
      key: call.headers[keyHeaderOf(evidence)] ?? '',
      ...askedIn(evidence, call),
    }));

/** Statuses of a refusal that depends on the time or the caller, not on the request. */
const passing: readonly number[] = [401, 403, 408, 409, 423, 425, 429];

/** Whether the service has refused a call for good, and the program received the whole refusal. */
export const isRefused = (call: RecordedCall): boolean =>
  call.status >= 400 && call.status < 500 && !passing.includes(call.status) && isWhole(call);

/** Whether two writes ask for some of the same. */
export const isSameWrite = (one: Write, other: Write): boolean =>
  one.call.operation === other.call.operation && one.items.some((item) => other.items.includes(item));

/** Returns the writes of each run. */
export const writesByRun = (evidence: Evidence): Write[][] =>
  callsByRun(evidence).map((calls) => writesIn(evidence, calls));

/** A write and the next attempt of the same run at it. */
export type Attempts = readonly [before: Write, next: Write];

/** Returns each write with the next one that asks for some of the same. */
export const attemptsIn = (writes: readonly Write[]): Attempts[] =>
  writes.flatMap((write, index): Attempts[] => {
    const next = writes.slice(index + 1).find((each) => isSameWrite(write, each));
    return next ? [[write, next]] : [];
  });

export const attempts = (evidence: Evidence): Attempts[] => writesByRun(evidence).flatMap(attemptsIn);

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
export function paymentsOf(evidence: Evidence, item: string) {
  const all = evidence.batches.flatMap(({ payments, idempotencyKey, batchId }) =>
    payments.map((payment) => ({ ...payment, idempotencyKey, batchId })),
  );
  // What moves no money takes no invoice's place.
  const sorted = [...all.filter(({ status }) => !isDead(status)), ...all.filter(({ status }) => isDead(status))];
  const items = itemsOfPayments(evidence, sorted);
  return sorted.filter((_, index) => items[index] === item);
}

/** Returns how many times an item is paid, or will be. */
export const timesPaid = (evidence: Evidence, item: string): number =>
  paymentsOf(evidence, item).filter(({ status }) => !isDead(status)).length;

/** Says how often an item was paid, and whether these writes have the same key: the service carries out each new one. */
export function paidTimes(item: string, times: number, makers: readonly Pick<Write, 'key'>[]): string {
  const keys = new Set(makers.map(({ key }) => key));
  const several = keys.size > 1 ? `, under ${keys.size} idempotency keys` : ', under the same idempotency key';
  const one = makers.length === 1 ? ', by one call' : '';
  const how = makers.length > 1 ? several : one;
  return `${item} was paid ${times} times${keys.has('') ? ', without an idempotency key' : how}`;
}
