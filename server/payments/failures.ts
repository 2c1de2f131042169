import type { Batch, BatchError, StaysPaid } from '#contract/batch.ts';
import { maximumPayments } from '#contract/constants.ts';
import { memberOf } from '#contract/member.ts';
import type { Payment } from '#contract/payment.ts';
import { isBatchEnd, isFailure, leavesUnpaid, statusOf } from '#contract/status.ts';
import { afterPaid } from '#rules/afterPaid.ts';
import { causeOf } from '#rules/causes.ts';
import { counted } from '#rules/counted.ts';
import { textAt } from '#rules/path.ts';
import { isSameId } from '#server/companies/comparableText.ts';
import type { BatchAnswer } from '#server/companies/records.ts';
import { failedBatch, readStrictly, type Received } from '#server/upstream/strict.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { idInLink } from '#server/upstream/writeReplies.ts';
import type { Batch as SentBatch } from '#server/writes/invoices.ts';

/** A batch as it was sent from here. A batch that was recognised by its externalId alone may be another program's. */
export interface Sent {
  batch: SentBatch;
  isByExternalId: boolean;
}

/** What an answer about a batch says about its invoices; see decision 2. */
type Failures = Pick<BatchAnswer, 'failed' | 'says' | 'staysPaid'>;

/** Which of the ids that were sent an answer states otherwise: the service may have returned its id to two writes. */
function otherThanSent(batch: object, { externalId = '', subscriptionId = '' }: Partial<SentBatch> = {}): string {
  const differs = Object.entries({ externalId, subscriptionId }).find(([name, own]) => {
    const answered = textAt(batch, name);
    return own !== '' && answered !== '' && !isSameId(answered, own);
  });
  return differs ? `has another ${differs[0]} than was sent` : '';
}

/** Returns why an answer does not show that the batch has failed as a whole, to be continued after "it"; '' if it does. */
function flawOf(received: Received, batchId: string, sent: Sent | undefined): string {
  if (sent?.isByExternalId) return 'is this payment’s by its externalId alone';
  if (received.status !== 200) return `has the status ${received.status}`;
  const { value, flaw } = readStrictly(failedBatch, received);
  if (!value) return flaw;
  const { data, links } = value;
  const isOther = !isSameId(data.batchId, batchId);
  if (isOther || (links?.self && !isSameId(idInLink(links.self, pathOf('createBatch')), batchId)))
    return `is about another batch (${isOther ? 'data.batchId' : 'links.self'})`;
  if (sent && data.payments && data.payments.length !== sent.batch.payments.length)
    return `lists ${data.payments.length} of ${counted(sent.batch.payments.length, 'payment')}`;
  return '';
}

const referenceOf = ({ remittanceInformation }: Payment): string => remittanceInformation?.reference ?? '';

/** Maximum number of invoices named for one reason. */
const maximumNamed = 20;

/** Returns the name of a sent payment for the user: its reference, otherwise what is paid to whom. */
function nameOf({ remittanceInformation, instructedAmount: { amount, currency }, creditor }: Payment): string {
  return remittanceInformation?.reference || `${amount} ${currency} to ${creditor.name || (creditor.creditorId ?? '')}`;
}

/** Returns why payments count as made although the service reports a failure; `words` is what it says. */
export const staysPaid = (words: string, payments: readonly Payment[]): StaysPaid[] =>
  payments.length === 0
    ? []
    : [
        {
          reason: `The service says ${words} of these payments; paying one again asks for your confirmation.`,
          count: payments.length,
          invoices: payments.slice(0, maximumNamed).map(nameOf),
        },
      ];

/** Where a payment states its reference. */
const referencePlace = 'remittanceInformation.reference';

/** What the service says of a payment, to be shown to who pays its invoice again. It decides nothing. */
type Said = NonNullable<BatchAnswer['says']>[number];

/** Maximum numbers of characters of a reference, a status, and the words. */
const longest = { reference: 140, status: 100, words: 300 };

const joined = (texts: readonly string[], separator: string): string =>
  [...new Set(texts.filter((text) => text !== ''))].join(separator);

/**
 * Returns what the service says of the payments of a batch that has ended, by their references, except of those that it
 * says are completed. A payment that states no status has that of its batch.
 */
function saidOf(
  { status: ofBatch, payments = [] }: { status: string; payments?: readonly object[] | undefined },
  errors: readonly BatchError[],
  references: readonly string[],
): Said[] {
  const byReference = new Map<string, { statuses: string[]; words: string[] }>();
  const of = (reference: string) => {
    const known = byReference.get(reference) ?? { statuses: [], words: [] };
    byReference.set(reference, known);
    return known;
  };
  for (const payment of payments) {
    const hasNone = (memberOf(payment, 'status') ?? null) === null;
    const { statuses, words } = of(textAt(payment, referencePlace));
    statuses.push(textAt(payment, 'status') || (hasNone ? ofBatch : 'unreadable'));
    words.push(afterPaid(payment));
  }
  for (const error of errors)
    of(causeOf(error, payments, references).invoice).words.push(error.message || error.code || error.target);
  return [...byReference]
    .filter(([reference, { statuses }]) => reference !== '' && statuses.some((each) => statusOf(each) !== 'Completed'))
    .slice(0, maximumPayments)
    .map(([reference, { statuses, words }]) => ({
      reference: reference.slice(0, longest.reference),
      status: joined(statuses, ', ').slice(0, longest.status),
      words: joined(words, '; ').slice(0, longest.words),
    }));
}

/**
 * Decides whether a batch has failed as a whole, by the service's answer about it, and returns what the service says of
 * its payments. `reply` is the answer as it was sent, `sent` the payments as sent from here, if they were.
 */
export function failuresIn(
  { data, error, reply }: { data: Batch; error?: { detail: readonly BatchError[] }; reply: Received },
  batchId: string,
  sent?: Sent,
): Failures {
  const { status } = data;
  const payments = sent?.batch.payments ?? [];
  const other = otherThanSent(data, sent?.batch);
  if (other) return { failed: [], says: [], staysPaid: staysPaid(`${status}, but ${other},`, payments) };
  if (!isBatchEnd(status)) return { failed: [], says: [], staysPaid: [] };
  const references = payments.map(referenceOf);
  const says = saidOf(data, error?.detail ?? [], references);
  const flaw = isFailure(status) ? flawOf(reply, batchId, sent) : '';
  if (isFailure(status) && flaw === '') return { failed: 'all', says, staysPaid: [] };
  if (flaw) return { failed: [], says, staysPaid: staysPaid(`${status}, but its answer ${flaw},`, payments) };
  const unpaid = new Map(
    says.filter((each) => each.status.split(', ').some(isFailure)).map((each) => [each.reference, each]),
  );
  const named = payments.filter((payment) => unpaid.has(referenceOf(payment)));
  if (named.length === 0)
    return { failed: [], says, staysPaid: leavesUnpaid(status) ? staysPaid(status, payments) : [] };
  const words = [...new Set([...unpaid.values()].map((each) => each.status))].join(', ');
  return { failed: [], says, staysPaid: staysPaid(words, named) };
}
