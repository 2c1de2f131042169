import type { Batch, StaysPaid } from '#contract/batch.ts';
import { maximumPayments } from '#contract/constants.ts';
import { isBatchEnd, isFailure, statusOf } from '#contract/status.ts';
import { counted } from '#rules/counted.ts';
import { textAt } from '#rules/path.ts';
import type { Skipped } from '#server/upstream/lenientParse.ts';
import { doubtIn, otherBatchIn, statusIn } from './doubts.ts';
import { identificationOf, matchListed, type Identification } from './listedPayments.ts';
import type { SentPayment } from './records.ts';

/** What an answer about a batch says about its invoices; see decision 2. */
export interface Failures {
  /** The identities of the invoices whose payments failed; `all` for those of the whole batch. */
  failed: 'all' | string[];
  staysPaid: StaysPaid[];
}

/** Maximum number of invoices named for one reason. */
const maximumNamed = 20;

const identified = ({ reference, identification }: SentPayment): Identification =>
  identification ?? { ...identificationOf({}), reference };

/** Returns the name of a sent payment for the user: its reference, otherwise what is paid to whom. */
function nameOf(payment: SentPayment): string {
  const { amount, currency, name, creditorId } = identified(payment);
  return payment.reference || `${amount} ${currency} to ${name || creditorId}`.trim();
}

/** Returns the reasons with the invoices that they hold for. */
export function staysPaid(reasons: readonly (readonly [reason: string, payments: readonly SentPayment[]])[]) {
  const byReason = new Map<string, SentPayment[]>();
  for (const [reason, payments] of reasons)
    if (payments.length > 0) byReason.set(reason, [...(byReason.get(reason) ?? []), ...payments]);
  return [...byReason].map(([reason, payments]): StaysPaid => ({
    reason,
    count: payments.length,
    invoices: payments.slice(0, maximumNamed).map(nameOf),
  }));
}

/** A payment that the service lists. */
interface Listed {
  /** Its id at the service; '' if it has none. */
  id: string;
  /** Its status, and those with which the same id is listed elsewhere. */
  statuses: string[];
  identification: Identification;
}

const hasFailed = ({ statuses }: Listed): boolean => statuses.every(isFailure);
const mayHaveFailed = ({ statuses }: Listed): boolean => statuses.some(isFailure);

const wordsOf = (listed: readonly Listed[]): string =>
  [...new Set(listed.flatMap(({ statuses }) => statuses.map(statusOf)))].join(', ');

/** Reads the list of payments of a batch with this status. */
function listedIn(payments: readonly object[], ofBatch: string): Listed[] {
  const byId = new Map<string, string[]>();
  return payments.map((payment) => {
    const id = textAt(payment, 'paymentId');
    const statuses = (id && byId.get(id)) || [];
    statuses.push(statusIn(payment, ofBatch));
    if (id) byId.set(id, statuses);
    return { id, statuses, identification: identificationOf(payment) };
  });
}

/** Returns why the invoices of a group stay paid; '' if all its payments failed; undefined if none is said to. */
function reasonOf(invoices: number, those: readonly Listed[], ofBatch: string): string | undefined {
  if (those.length === 0) return 'The service does not list it.';
  if (!those.some(mayHaveFailed))
    return isFailure(ofBatch)
      ? `The service lists it as ${wordsOf(those)}, although the batch is ${ofBatch}.`
      : undefined;
  // The same payment may be listed twice.
  const number = new Set(those.map(({ id }, index) => id || index)).size;
  if (!those.every(hasFailed))
    return invoices === 1
      ? `The service lists it several times, with different statuses: ${wordsOf(those)}.`
      : `The service lists ${counted(number, 'payment')} that fit these invoices alike, with different statuses: ${wordsOf(those)}.`;
  return number < invoices
    ? `The service lists ${counted(number, 'failed payment')} for ${invoices} invoices, and does not say which.`
    : '';
}

/**
 * Decides which invoices of a batch have failed, by the service's answer about it. `sent` are the payments as sent from
 * here, if they were. The status of a listed payment takes precedence over that of the batch. An invoice stays paid
 * unless it is certain that its payment failed. `text` is the answer as sent.
 */
export async function failuresIn(
  batch: Pick<Batch, 'status' | 'payments'>,
  of: { sent: readonly SentPayment[] | undefined; skipped: readonly Skipped[]; text: string },
): Promise<Failures> {
  const { sent } = of;
  const { status, payments = [] } = batch;
  const all = (reason: string): Failures => ({ failed: [], staysPaid: staysPaid([[reason, sent ?? []]]) });
  const none: Failures = { failed: [], staysPaid: [] };
  const other = otherBatchIn(batch, sent);
  if (other) return all(other);
  const isWhole = isFailure(status);
  const listed = listedIn(payments, status);
  const isAny = listed.some(mayHaveFailed);
  if (!isBatchEnd(status) || !(isWhole || isAny || statusOf(status) === 'PartiallyCompleted')) return none;
  const unclear = doubtIn(batch, of);
  if (unclear) return all(unclear);
  if (listed.length === 0 && isWhole)
    return sent?.some(({ ofBatch }) => ofBatch?.isByExternalId)
      ? all('The batch was recognised by its externalId alone, and the service does not list its payments.')
      : { failed: 'all', staysPaid: [] };
  if (listed.length === 0) return all('The service does not list the payments of the batch.');
  if (!isWhole && !isAny) return all(`The service lists no payment as failed, although the batch is ${status}.`);
  if (!sent) return none;
  if (listed.length > maximumPayments) return all('The service lists more payments than a batch can have.');

  const identifications = listed.map(({ identification }) => identification);
  const { groups, strangers } = await matchListed(sent.map(identified), identifications);
  const stranger = strangers.map((index) => listed[index]!).find((each) => !hasFailed(each)); // indexes of the list
  const doubt = stranger
    ? `The service lists a payment as ${wordsOf([stranger])} that is none of those sent: it may be any of them.`
    : '';
  const decided = groups.map(({ sent: invoices, listed: places }) => {
    const those = places.map((index) => listed[index]!); // indexes of the list
    const reason = reasonOf(invoices.length, those, status);
    return { reason: reason === '' ? doubt : reason, payments: invoices.map((index) => sent[index]!) }; // of those sent
  });
  return {
    failed: decided.flatMap((each) =>
      each.reason === '' ? each.payments.flatMap(({ identities }) => identities) : [],
    ),
    staysPaid: staysPaid(decided.flatMap((each) => (each.reason ? [[each.reason, each.payments] as const] : []))),
  };
}
