import { isObject, stringify } from '#contract/json.ts';
import { amountOf, decimalsIn, inCurrency, minorUnits, unitsOf } from '#contract/money.ts';
import type { Payment } from '#contract/payment.ts';
import {
  heldStatus,
  partlyReturnedStatus,
  returnedStatus,
  returnReasons,
  returnTold,
  type ReturnReason,
  type ReturnTold,
} from '#contract/returns.ts';
import type { Fault } from '#contract/controlShapes.ts';
import type { MagicWord } from '#contract/magic.ts';
import { faultOf, isMagic, namedFault } from '../faults/magicValues.ts';
import type { BatchRecord, PaymentRecord, ReturnRecord } from './records.ts';

/** What becomes of a payment that is neither just completed nor just failed: it is held, or comes back (wire, 12.5 to 12.7). */

/** The words in a creditor's name that hold or return each payment to it. */
export const wordsOfPayments: readonly MagicWord[] = [
  'returns',
  'returns-less',
  'returns-silently',
  'recalled',
  'held',
  'held-fails',
];

type Kind = 'held' | 'returned';
type Course<On extends Kind> = Extract<Fault<'batch'>, { kind: On }>;

/** Returns the fault of this kind that a payment meets, by the lab's rule for its batch or by its creditor's name. */
function courseOf<On extends Kind>(kind: On, batch: BatchRecord, index: number): Course<On> | undefined {
  const name = batch.request.payments[index]?.creditor.name ?? '';
  // A rule of an earlier release has no options.
  const rule = batch.fault && faultOf('batch', { kind: batch.fault.kind, options: { ...batch.fault } }, '').fault;
  const ruled = rule && 'index' in rule && [index, -1].includes(rule.index) ? [rule] : [];
  const met = [...ruled, ...wordsOfPayments.flatMap((word) => namedFault('batch', [name], [word])?.fault ?? [])];
  return met.find((fault): fault is Course<On> => fault.kind === kind);
}

/** The fault that holds a payment, if one does. */
export const heldCourse = (batch: BatchRecord, index: number) => courseOf('held', batch, index);

const isDue = ({ status, due, returned }: PaymentRecord): boolean =>
  due !== undefined && !returned && status !== 'Failed';

/** The day, YYYY-MM-DD, on which something becomes of a payment of the batch; undefined if nothing does. */
export const nextDay = ({ payments }: BatchRecord): string | undefined =>
  payments.flatMap((payment) => (isDue(payment) ? (payment.due ?? []) : [])).sort()[0];

/** What comes back of an amount (decimals in major units) less charges: at most the amount, and whole minor units. */
function lessCharges(amount: string, currency: string, charges: string): { amount: string; charges: string } {
  const places = Math.max(decimalsIn(amount), decimalsIn(charges));
  const [whole, asked] = [unitsOf(amount, places), unitsOf(charges === '' ? '0' : charges, places)];
  const least = 10n ** BigInt(Math.max(places - (minorUnits(currency) ?? places), 0));
  const payable = asked - (asked % least);
  const kept = payable < whole ? payable : whole;
  const text = (units: bigint) => inCurrency(amountOf(units, places), currency);
  return { amount: text(whole - kept), charges: text(kept) };
}

function returnOf(batch: BatchRecord, index: number, at: string): ReturnRecord | undefined {
  const course = courseOf('returned', batch, index);
  const { amount = '0', currency = '' } = batch.request.payments[index]?.instructedAmount ?? {};
  return (
    course && {
      at,
      reason: course.reason as ReturnReason, // by the form of the option
      told: course.told as ReturnTold, // by the form of the option
      ...lessCharges(amount, currency, course.charges),
    }
  );
}

/**
 * Returns a payment after its batch was executed, or after the next day on which something becomes of its payments: completed,
 * failed, held, or back; `now` is an ISO time, `dayAfter` returns the day that is so many banking days later.
 */
export function settledPayment(
  batch: BatchRecord,
  index: number,
  now: string,
  dayAfter: (days: number) => string,
): PaymentRecord {
  const [payment, day] = [batch.payments[index], nextDay(batch)];
  if (!payment || payment.returned || payment.status === 'Failed' || payment.due !== day)
    return payment ?? { paymentId: '', status: '' };
  const { due: _, ...rest } = payment;
  if (payment.status === 'Completed') {
    const returned = returnOf(batch, index, now);
    return { ...rest, ...(returned && { returned }) };
  }
  const held = heldCourse(batch, index);
  if (held && payment.status !== heldStatus) return { ...rest, status: heldStatus, due: dayAfter(held.days) };
  const fault = batch.fault?.kind === 'failPayment' ? batch.fault : undefined;
  const isFailing = fault?.index === index || isMagic('fails', batch.request.payments[index]?.creditor.name ?? '');
  if (held?.end === 'failed' || isFailing) return { ...rest, status: 'Failed' };
  const days = courseOf('returned', batch, index)?.days;
  const completed = { ...rest, status: 'Completed', paymentCompletedDate: now };
  return days === undefined ? completed : { ...completed, due: dayAfter(days) };
}

/** The status of a batch by its payments; a return that no status of the batch tells leaves it as it was. */
export function statusByPayments(payments: readonly PaymentRecord[]): string {
  if (payments.some(({ status }) => status === heldStatus)) return 'Processing';
  const isPaid = ({ status, returned }: PaymentRecord) => status === 'Completed' && !returned;
  if (payments.some(({ returned }) => returned && returnTold[returned.told].batch))
    return payments.some(isPaid) ? partlyReturnedStatus : returnedStatus;
  const failed = payments.filter(({ status }) => status === 'Failed').length;
  return failed === 0 ? 'Completed' : failed === payments.length ? 'Failed' : 'PartiallyCompleted';
}

/** What the service says of a payment that is held or came back, besides what was sent. */
function saidOf({ instructedAmount: { currency }, additionalData }: Payment, { status, due, returned }: PaymentRecord) {
  const sent = isObject(additionalData) ? additionalData : {};
  if (status === heldStatus)
    return { additionalData: stringify({ ...sent, informationRequested: 'What the payment is for', respondBy: due }) };
  if (!returned) return {};
  const { reason, amount, charges, at } = returned;
  const said = { returnedAmount: { amount, currency }, charges: { amount: charges, currency }, returnedAt: at };
  return {
    status: returnedStatus,
    extendedStatus: reason,
    additionalData: stringify({ ...sent, returnReason: returnReasons[reason], ...said }),
  };
}

/** A payment as a reading of its batch shows it; a return that only an event tells is not shown. */
export function shownPayment(payment: Payment, record: PaymentRecord) {
  const { due: _, returned, ...shown } = record;
  const isSilent = returned && !returnTold[returned.told].payment;
  return { ...shown, ...(isSilent ? {} : saidOf(payment, record)) };
}

/** The webhooks that tell of a batch's new state: how many, and which payments of it were held or came back meanwhile. */
export function newsOf(batch: BatchRecord, before: BatchRecord | undefined) {
  const changed = batch.payments.flatMap((record, index) => {
    const [payment, earlier] = [batch.request.payments[index], before?.payments[index]];
    const isNew = record.returned ? !earlier?.returned : record.status === heldStatus && earlier?.status !== heldStatus;
    return payment && isNew ? [{ payment, record }] : [];
  });
  const counts = changed.map(({ record: { returned } }) => (returned ? returnTold[returned.told].webhooks : 1));
  const told = changed.filter((_, index) => counts[index] !== 0);
  return {
    webhooks: Math.max(...(counts.length > 0 ? counts : [1])),
    payments: told.map(({ payment, record }) => {
      const { paymentId, status } = record;
      return { paymentId, status, ...saidOf(payment, record) };
    }),
  };
}
