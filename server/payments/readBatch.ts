import { isDeepStrictEqual } from 'node:util';
import type { Batch } from '#contract/batch.ts';
import type { PendingPayment } from '#contract/payment.ts';
import { goesBack, isBatchEnd, isFailure } from '#contract/status.ts';
import { textAt } from '#rules/path.ts';
import { creditorCount } from '#rules/batch.ts';
import { iso } from '#server/clock.ts';
import { currentCall } from '#server/calls/callContext.ts';
import { isSameId } from '#server/companies/companyList.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { batches } from '#server/companies/records.ts';
import { companyIn, storedSettingsOf } from '#server/companies/settings.ts';
import { batchAnswers, insertBatch, withAnswer, type BatchAnswer } from './batchAnswers.ts';
import { failuresIn, staysPaid } from './failures.ts';
import { identified } from './identifiedBatch.ts';
import type { Batch as SentBatch } from './invoiceIdentity.ts';
import { sentPaymentsOf, summaryOf } from './pendingPayments.ts';
import { isInProgress, paymentAttempts, sentFirst, sentPayments, undecided } from './records.ts';

type By = NonNullable<PendingPayment['settled']>['by'];
type Needs = Pick<CompanyContext, 'store' | 'config' | 'upstream' | 'clock' | 'askInOrder'>;

/** Whether a batch has the externalId of the one that was sent, and no other subscription. */
function isAbout(batch: Batch, sent: SentBatch): boolean {
  const [answered, own = ''] = [textAt(batch, 'subscriptionId'), sent.subscriptionId];
  const isOther = answered !== '' && own !== '' && !isSameId(answered, own);
  return textAt(batch, 'externalId') === sent.externalId && !isOther;
}

/**
 * Settles the attempt whose response was lost if a batch that was read has its externalId: from then on its invoices
 * are paid, and never freed by that batch, because another program may have used the same externalId. A batch that
 * belongs to another attempt or has failed, and several attempts with the same externalId, settle nothing.
 */
async function settle(deps: Needs, batch: Batch, by: Exclude<By, 'response'>): Promise<void> {
  const { store, clock } = deps;
  const { batchId, status } = batch;
  const externalId = textAt(batch, 'externalId');
  const attempts = store.records(paymentAttempts);
  const isKnown = async () => (await store.records(sentPayments).get(batchId)) !== undefined;
  const named = async () =>
    externalId === ''
      ? []
      : (await attempts.list({ ...undecided, name: externalId })).filter((each) => isAbout(batch, sentFirst(each)));
  if (await isKnown()) return;
  const [found, ...others] = await named();
  if (!found || others.length > 0) return;
  // An earlier batch may have the same externalId: that it failed says nothing about this one.
  if (isFailure(status)) return;
  const its = sentPaymentsOf(await identified(deps, sentFirst(found), found.known ?? []), true);
  const key = await store.transaction(async () => {
    const [attempt, ...more] = await named();
    if (attempt?.key !== found.key || more.length > 0 || (await isKnown())) return undefined;
    // A batch that was read before the attempt was sent is not the one that it made.
    const answered = await store.records(batchAnswers).get(batchId);
    if (answered && Date.parse(answered.firstReadAt ?? answered.readAt) < attempt.sentAt) return undefined;
    if (isInProgress(attempt, clock.now())) {
      // Its response decides; if that is lost, the batch is read again.
      await attempts.put(attempt.key, { ...attempt, named: batchId });
      return undefined;
    }
    const first = sentFirst(attempt);
    const { kind, amount, interactionId } = attempt.summary ?? summaryOf(first, '');
    // The interaction id of a write is its key at the service.
    if (interactionId !== '' && !(await store.receivedIds.record('batch', batchId, interactionId))) return undefined;
    const at = iso(clock.now());
    await attempts.put(attempt.key, {
      ...attempt,
      ...{ state: 'done', request: null },
      summary: { ...summaryOf(first, interactionId) },
      settled: { batchId, at, by, interactionId: currentCall()?.interactionId ?? '' },
    });
    await store.paidInvoices.confirm({ workspace: store.workspace, companyKey: store.scope }, attempt.key, batchId);
    await store.records(sentPayments).put(batchId, its);
    const creditors = creditorCount(first.payments);
    const record = { batchId, status, amount, kind, creditors, postedAt: iso(attempt.sentAt), readAt: at };
    await insertBatch(store, record);
    await store.settings.write('batchId', batchId);
    return attempt.key;
  });
  if (key !== undefined) await store.announce(key);
}

/** Precision (ms) of the time of the last read, so that not every read that says nothing new causes a write. */
const readResolution = 60_000;

/** Whether an answer says what the one before has said, less than that long after it. */
const isSaidAgain = (before: BatchAnswer, { asked, readAt, ...after }: BatchAnswer): boolean =>
  isDeepStrictEqual({ ...before, asked, readAt }, { ...after, asked, readAt }) &&
  Math.abs(Date.parse(readAt) - Date.parse(before.readAt)) < readResolution;

/**
 * Reads a batch from the service and stores the answer, with whether the batch has failed as a whole (see
 * `AskInOrder`); settles the attempt that has sent the batch. A batch that has ended does not go back, but its invoices
 * count as paid while the service says that it has not ended. `text` is the answer as sent; `staysPaid` says why
 * invoices of a failed batch or payment stay paid.
 */
export async function readBatch(deps: Needs, batchId: string, by: Exclude<By, 'response'> = 'read') {
  const { store, upstream, clock } = deps;
  const { answer, stored } = await deps.askInOrder(
    store,
    { kind: batchAnswers, id: batchId },
    async () => {
      const stored = await storedSettingsOf(store);
      const read = await upstream.batch(companyIn(stored), batchId, stored.acceptLanguage);
      await settle(deps, read.data, by);
      const sent = await store.records(sentPayments).get(batchId);
      return { read, sent, failures: failuresIn(read, batchId, sent) };
    },
    async ({ read: { data }, sent = [], failures }, before, asked): Promise<BatchAnswer> => {
      const now = iso(clock.now());
      const isBack = before !== undefined && goesBack(before.status, data.status, isBatchEnd);
      const words = `${before?.status}, and later ${data.status},`;
      const read: BatchAnswer = {
        ...{ asked, batchId, readAt: now, firstReadAt: before?.firstReadAt ?? before?.readAt ?? now, ...failures },
        status: isBack ? before.status : data.status,
        ...(isBack && { staysPaid: before.failed.length > 0 ? staysPaid(words, sent) : before.staysPaid }),
      };
      const after = before && isSaidAgain(before, read) ? { ...read, readAt: before.readAt } : read;
      await store.records(batches).change(batchId, (record) => {
        const changed = withAnswer(record, after);
        return isDeepStrictEqual(changed, record) ? undefined : changed;
      });
      return after;
    },
  );
  const { data, links, error, skipped, reply } = answer.read;
  return {
    ...{ data: { ...data, status: stored.status }, skipped, text: reply.text },
    ...(links && { links }),
    ...(error && { error }),
    ...(stored.staysPaid.length > 0 && { staysPaid: stored.staysPaid }),
  };
}
