import type { PendingPayment } from '#contract/payment.ts';
import { amountText, totalsByCurrency } from '#rules/batch.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { lastStatusOf } from './batchAnswers.ts';
import { ownIdentities, type IdentifiedBatch } from './identifiedBatch.ts';
import type { Batch } from './invoiceIdentity.ts';
import { identificationOf } from './listedPayments.ts';
import {
  isInProgress,
  isRepeatable,
  isUndecided,
  paymentAttempts,
  sentFirst,
  settledOnes,
  undecided,
} from './records.ts';
import type { PaymentAttempt, SentPayment } from './records.ts';

/** Time (ms) for which a settled payment is listed. */
const settledFor = 10 * 60_000;
/** Maximum number of settled payments that are looked at. */
const maximumSettled = 10;

/** What was sent, in short; see PaymentAttempt. */
export const summaryOf = (batch: Batch, interactionId: string): NonNullable<PaymentAttempt['summary']> => ({
  externalId: batch.externalId ?? '',
  kind: batch.fileFormatId === undefined ? 'electronic' : 'file',
  payments: batch.payments.length,
  amount: amountText(totalsByCurrency(batch.payments.map(({ instructedAmount }) => instructedAmount))),
  interactionId,
});

/** Returns the payments of a batch as they are stored once it is known that the service has it. `isByExternalId`: see SentPayment. */
export function sentPaymentsOf(
  { batch, identities }: Pick<IdentifiedBatch, 'batch' | 'identities'>,
  isByExternalId = false,
): SentPayment[] {
  const { externalId = '', subscriptionId = '' } = batch;
  return batch.payments.map((payment, index) => ({
    ofBatch: { externalId, subscriptionId, ...(isByExternalId && { isByExternalId }) },
    reference: payment.remittanceInformation?.reference ?? '',
    identities: ownIdentities(identities[index]!), // there is one element for each payment
    identification: identificationOf(payment),
  }));
}

/** Returns the payments whose outcome is unknown, and those settled in the last minutes, the latest first. */
export async function pendingPayments(
  deps: Pick<CompanyContext, 'store' | 'clock' | 'upstream' | 'retryWindow'>,
): Promise<PendingPayment[]> {
  const { store, clock } = deps;
  const attempts = store.records(paymentAttempts);
  const now = clock.now();
  const open = (await attempts.list(undecided)).filter((attempt) => !isInProgress(attempt, now));
  const settled = (await attempts.latest(maximumSettled, settledOnes)).filter(
    (attempt) => now - Date.parse(attempt.settled?.at ?? '') < settledFor,
  );
  const found = [...open, ...settled].toSorted((one, other) => other.sentAt - one.sentAt);
  return Promise.all(
    found.map(async (attempt) => {
      const { key, sentAt, lost, settled: by, summary = summaryOf(sentFirst(attempt), '') } = attempt;
      return {
        ...{ key, sentAt: iso(sentAt), ...summary },
        lost: lost ?? 'The console stopped before the response arrived.',
        isRepeatable: isUndecided(attempt) && (await isRepeatable(deps, attempt)),
        ...(by && { settled: { ...by, status: await lastStatusOf(store, by.batchId) } }),
      };
    }),
  );
}
