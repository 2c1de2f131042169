import { isDeepStrictEqual } from 'node:util';
import type { Batch } from '#contract/batch.ts';
import type { Webhook } from '#contract/message.ts';
import type { PendingPayment } from '#contract/payment.ts';
import { afterStatus, isFailure } from '#contract/status.ts';
import { toldReturns, withTold } from '#rules/afterPaid.ts';
import { outcomeTotals } from '#rules/batch.ts';
import { paymentsIn } from '#rules/late.ts';
import { textAt } from '#rules/path.ts';
import { iso } from '#server/clock.ts';
import { currentCall } from '#server/calls/callContext.ts';
import { Failure } from '#server/failure.ts';
import { isSameId } from '#server/companies/comparableText.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { batchAnswers, batches, type BatchAnswer } from '#server/companies/records.ts';
import { companyIn } from '#server/companies/settings.ts';
import { keepBatch, withAnswer } from './batchAnswers.ts';
import { failuresIn, staysPaid } from './failures.ts';
import type { Sent } from './failures.ts';
import { undecided } from './undecided.ts';
import type { Write as Row } from '#server/storage/writes.ts';
import { payerIn, type Batch as SentBatch } from '#server/writes/invoices.ts';

type By = Exclude<NonNullable<PendingPayment['settled']>['by'], 'response'>;

/** Whether a write was made for the company that is asked for now; the settings may have given this one other ids. */
const isOfCompany = (here: CompanyContext, { owner }: Row): boolean =>
  owner === '' || owner === payerIn(here, here.settings);

/** Whether a batch has the externalId of the one that was sent, and no other subscription. */
function isAbout(batch: Batch, sent: SentBatch): boolean {
  const [answered, own = ''] = [textAt(batch, 'subscriptionId'), sent.subscriptionId];
  const isOther = answered !== '' && own !== '' && !isSameId(answered, own);
  return textAt(batch, 'externalId') === sent.externalId && !isOther;
}

/**
 * Settles the write whose outcome is not known if a batch that was read has its externalId: from then on its invoices are paid.
 * A batch of another company, one that another write has made or that was read before the write was claimed, and several writes
 * with the same externalId settle nothing. Another program may have used it too: the response to the write, if it still arrives,
 * counts more, and the failure of such a batch frees no invoice.
 */
async function settle(here: CompanyContext, batch: Batch, settledBy: By): Promise<void> {
  const { batchId, status } = batch;
  // An earlier batch may have the same externalId: that it failed says nothing about this one.
  if (textAt(batch, 'externalId') === '' || isFailure(status)) return;
  const { store } = here;
  const named: { row: Row; sent: SentBatch }[] = [];
  for (const row of await undecided(store)) {
    const sent = (await store.writes.bodyOf(row).catch(() => undefined)) as SentBatch | undefined; // as it was sent
    if (sent && isOfCompany(here, row) && isAbout(batch, sent)) named.push({ row, sent });
  }
  const [found, ...others] = named;
  if (!found || others.length > 0) return;
  const { row, sent } = found;
  const isSettled = await store.transaction(async () => {
    if (await store.writes.creatorOf('batch', batchId)) return false;
    const answered = await store.records(batchAnswers).get(batchId);
    if (answered && Date.parse(answered.firstReadAt ?? answered.readAt) < row.claimedAt) return false;
    const end = {
      answer: { data: { batchId, status } },
      created: { kind: 'batch', id: batchId },
      settledBy,
      settledIn: currentCall()?.interactionId,
    } as const;
    if (!(await store.writes.end(row, end))) return false;
    await keepBatch(store, batch, sent, row.claimedAt);
    return true;
  });
  if (isSettled) await store.announce(row.key);
}

/** Returns the write by which this company has sent a batch, and what it has sent; undefined if none has. */
async function senderOf(here: CompanyContext, batchId: string): Promise<(Sent & { row: Row }) | undefined> {
  const { store } = here;
  const row = await store.writes.creatorOf('batch', batchId);
  if (row?.workspace !== store.workspace || row.companyKey !== store.companyKey || !isOfCompany(here, row))
    return undefined;
  const batch = (await store.writes.bodyOf(row)) as SentBatch | undefined; // as it was sent
  const isByExternalId = row.settledBy === 'read' || row.settledBy === 'webhook';
  return batch && { row, batch, isByExternalId };
}

/** Precision (ms) of the time of the last read, so that not every read that says nothing new causes a write. */
const readResolution = 60_000;

/** Whether an answer says what the one before has said, less than that long after it. */
const isSaidAgain = (before: BatchAnswer, { asked, readAt, ...after }: BatchAnswer): boolean =>
  isDeepStrictEqual({ ...before, asked, readAt }, { ...after, asked, readAt }) &&
  Math.abs(Date.parse(readAt) - Date.parse(before.readAt)) < readResolution;

/** What webhooks and readings have told of payments that came back, and when the latest of these webhooks was sent. */
function toldOf(before: BatchAnswer | undefined, heard: Webhook | undefined, read: readonly unknown[] = []) {
  const told = toldReturns(before?.told, [...read, ...paymentsIn(heard ?? {})]);
  const heardAt = [before?.heardAt ?? '', heard?.sentAt ?? ''].toSorted().at(-1);
  return { ...(told.length > 0 && { told }), ...(heardAt && { heardAt }) };
}

/**
 * Keeps which payments came back by a webhook about a batch that could not be read: it may have told so alone, and is not delivered
 * again once it is accepted. Rejects if the batch is in the list and was never read, so that it is.
 */
async function keepTold({ store }: CompanyContext, batchId: string, heard: Webhook, failure: Failure): Promise<void> {
  if (!toldOf(undefined, heard).told) return;
  const kept = await store.records(batchAnswers).change(batchId, (before) => ({ ...before, ...toldOf(before, heard) }));
  if (!kept && (await store.records(batches).get(batchId)))
    throw new Failure('upstream-failed', `The batch that came back cannot be read: ${failure.message}`);
}

/**
 * Reads a batch from the service and stores the answer, with whether the batch has failed as a whole (see
 * `AskInOrder`); settles the write that has sent the batch. While the service says that a batch that has ended is at an earlier
 * stage, its invoices count as paid. `heard` is a webhook with news of it, which may tell alone that a payment came back.
 * `text` is the answer as sent; `staysPaid` says why invoices of a failed batch or payment stay paid.
 */
export async function readBatch(context: CompanyContext, batchId: string, by: By = 'read', heard?: Webhook) {
  const { settings, store, upstream, clock } = context;
  const { answer, stored } = await context.askInOrder(
    store,
    { kind: batchAnswers, id: batchId },
    async () => {
      const read = await upstream
        .batch(companyIn(settings), batchId, settings.acceptLanguage)
        .catch(async (error: unknown) => {
          if (heard && error instanceof Failure) await keepTold(context, batchId, heard, error);
          throw error;
        });
      await settle(context, read.data, by);
      return { read, sent: await senderOf(context, batchId) };
    },
    async ({ read: reading, sent }, before, asked): Promise<BatchAnswer> => {
      const now = iso(clock.now());
      const known = toldOf(before, heard, reading.data.payments);
      const data = { ...reading.data, payments: withTold(reading.data.payments, known.told ?? []) };
      const failures = failuresIn({ ...reading, data }, batchId, sent);
      const said = afterStatus(before, data.status);
      const totals = outcomeTotals(data.payments, data.status);
      const words = `${said.ended}, and later ${said.status},`;
      const read: BatchAnswer = {
        asked,
        batchId,
        readAt: now,
        firstReadAt: before?.firstReadAt ?? before?.readAt ?? now,
        ...failures,
        ...said,
        ...(totals && { totals }),
        ...known,
        ...(before &&
          said.ended !== undefined && {
            failed: [],
            staysPaid:
              before.failed.length > 0 || failures.failed.length > 0
                ? staysPaid(words, sent?.batch.payments ?? [])
                : before.staysPaid,
          }),
      };
      const after = before && isSaidAgain(before, read) ? { ...read, readAt: before.readAt } : read;
      if (sent && (read.failed === 'all' || before?.failed === 'all'))
        await store.invoiceLines.setFreed(sent.row.position, read.failed === 'all');
      await store.records(batches).change(batchId, (record) => {
        const changed = withAnswer(record, after);
        return isDeepStrictEqual(changed, record) ? undefined : changed;
      });
      return after;
    },
  );
  const { data, links, error, skipped, reply } = answer.read;
  return {
    data: {
      ...data,
      ...(data.payments && { payments: withTold(data.payments, stored.told ?? []) }),
      status: stored.status,
    },
    skipped,
    text: reply.text,
    ...(links && { links }),
    ...(error && { error }),
    ...(stored.ended !== undefined && { ended: stored.ended }),
    ...(stored.staysPaid.length > 0 && { staysPaid: stored.staysPaid }),
  };
}
