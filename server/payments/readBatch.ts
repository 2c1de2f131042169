import type { Batch } from '#contract/batch.ts';
import type { PendingPayment } from '#contract/payment.ts';
import { failedStatuses } from '#server/companies/records.ts';
import { isBatchEnd, statusOf } from '#contract/status.ts';
import { textAt } from '#rules/path.ts';
import { iso } from '#server/clock.ts';
import { currentCall } from '#server/calls/callContext.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { batches } from '#server/companies/records.ts';
import { refreshBatch } from '#server/companies/refresh.ts';
import { sentPaymentsOf, summaryOf } from './pendingPayments.ts';
import {
  failedInvoices,
  inBatch,
  isInProgress,
  paymentAttempts,
  sentFirst,
  sentPayments,
  undecided,
} from './records.ts';
import type { PaymentAttempt } from './records.ts';

type By = NonNullable<PendingPayment['settled']>['by'];
type Needs = Pick<CompanyContext, 'store' | 'upstream' | 'clock'>;

/** Whether a batch as read can be the one that an attempt sent: the same number of payments, with the same amounts. */
function isSent(attempt: PaymentAttempt, { payments }: Batch): boolean {
  const sent = sentFirst(attempt).payments;
  const sums = (each: object) =>
    [textAt(each, 'instructedAmount.amount'), textAt(each, 'instructedAmount.currency')].join(' ').trim();
  return (
    payments === undefined ||
    (payments.length === sent.length &&
      payments.every((payment, index) => [sums(sent[index]!), ''].includes(sums(payment)))) // equally long
  );
}

/**
 * Settles the attempt whose response was lost if a batch that was read has its externalId: from then on its invoices
 * are paid. A batch that belongs to another attempt, or several attempts with the same externalId, settle nothing.
 */
async function settle({ store, clock }: Needs, batch: Batch, by: Exclude<By, 'response'>): Promise<void> {
  const { batchId, status } = batch;
  const externalId = textAt(batch, 'externalId');
  const attempts = store.records(paymentAttempts);
  const named = async () =>
    externalId === ''
      ? []
      : (await attempts.list(undecided)).filter((each) => sentFirst(each).externalId === externalId);
  if ((await named()).length === 0) return;
  const key = await store.transaction(async () => {
    const [attempt, ...others] = await named();
    const isKnown = (await store.records(sentPayments).get(batchId)) !== undefined;
    if (!attempt || others.length > 0 || isKnown || !isSent(attempt, batch)) return undefined;
    if (isInProgress(attempt, clock.now())) {
      // Its response decides; if that is lost, the batch is read again.
      await attempts.put(attempt.key, { ...attempt, named: batchId });
      return undefined;
    }
    const first = sentFirst(attempt);
    const { kind, amount, interactionId } = attempt.summary ?? summaryOf(first, '');
    const at = iso(clock.now());
    await attempts.put(attempt.key, {
      ...attempt,
      ...{ state: 'done', request: null },
      summary: { ...summaryOf(first, interactionId) },
      settled: { batchId, at, by, interactionId: currentCall()?.interactionId ?? '' },
    });
    await store.paidInvoices.confirm({ workspace: store.workspace, company: store.scope }, attempt.key, batchId);
    await store.records(sentPayments).put(batchId, sentPaymentsOf(first));
    const record = { batchId, status, amount, kind, postedAt: iso(attempt.sentAt), readAt: at };
    await store.records(batches).insert(batchId, record);
    await store.settings.write('batchId', batchId);
    return attempt.key;
  });
  if (key !== undefined) await store.announce(key);
}

/**
 * Stores which payments of a batch have failed, so that their invoices can be paid again. Only a batch that has ended
 * decides it, and only if it lists its payments as they were sent.
 */
async function storeFailures({ store }: Needs, { batchId, status, payments = [] }: Batch): Promise<void> {
  const hasFailed = (payment: object) => failedStatuses.includes(statusOf(textAt(payment, 'status')));
  const isDecided = isBatchEnd(status) && payments.some(hasFailed);
  const sent = isDecided ? await store.records(sentPayments).get(batchId) : undefined;
  const isSame =
    sent?.length === payments.length &&
    payments.every((payment, index) => {
      const reference = textAt(payment, 'remittanceInformation.reference');
      return reference === '' || reference === sent[index]?.reference;
    });
  const failed = isSame
    ? payments.flatMap((payment, index) => (hasFailed(payment) ? (sent[index]?.identities ?? []) : []))
    : [];
  const records = store.records(failedInvoices);
  const before = await records.get(batchId);
  const after = failed.map((identity) => inBatch(batchId, identity));
  if (after.length > 0 && JSON.stringify(before) !== JSON.stringify(after)) await records.put(batchId, after);
  if (after.length === 0 && before) await records.remove(batchId);
}

/** Like `refreshBatch`; also settles the attempt that has sent the batch, and stores which payments have failed. */
export async function readBatch(deps: Needs, batchId: string, by: Exclude<By, 'response'> = 'read') {
  const answer = await refreshBatch(deps, batchId);
  await settle(deps, answer.data, by);
  await storeFailures(deps, answer.data);
  return answer;
}
