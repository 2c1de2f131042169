import { keyTtlOf } from '#server/upstream/wire.ts';
import type { PendingPayment } from '#contract/payment.ts';
import { amountText, totalsByCurrency } from '#rules/batch.ts';
import { iso } from '#server/clock.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import type { Store } from '#server/companies/companyStore.ts';
import type { Write as Row } from '#server/storage/writes.ts';
import { stoppedBefore } from '#server/writes/beside.ts';
import type { Batch } from '#server/writes/invoices.ts';
import { lastStatusOf } from './batchAnswers.ts';

/** Time (ms) after which a request in progress counts as lost: the service's longest time-out is shorter. */
export const inProgressFor = 2 * 60_000;
/** Time (ms) for which a settled payment is listed. */
const settledFor = 10 * 60_000;
/** Maximum number of settled payments that are looked at. */
const maximumSettled = 10;

/** The call under which payments are written. */
const call = 'createBatch';

const placeOf = ({ workspace, companyKey }: Store) => ({ workspace, companyKey });

/** Returns a company's payments whose outcome is not known, the earliest first. */
export const undecided = (store: Store): Promise<Row[]> =>
  store.writes.list(placeOf(store), { call, states: ['claimed', 'unknown', 'refused'] });

/** Whether the response to an undecided write is still awaited, at the time `now` (ms). */
const isInProgress = ({ state, turn, claimedAt }: Row, now: number): boolean =>
  state === 'claimed' && turn === 1 && now - claimedAt <= inProgressFor;

/** Whether a payment that was sent may be repeated under its key. */
export const isRepeatable = (
  { upstream, retryWindow }: CompanyContext,
  { claimedAt, serviceTime }: Row,
  batch: object,
): boolean =>
  retryWindow({ claimedAt, serviceTime, keyTtl: keyTtlOf(batch), serviceClock: upstream.serviceClock }).remaining() > 0;

/** Returns the payments whose outcome is unknown, and those settled in the last minutes, the latest first. */
export async function pendingPayments(context: CompanyContext): Promise<PendingPayment[]> {
  const { store, clock } = context;
  const now = clock.now();
  const open = (await undecided(store)).filter((row) => !isInProgress(row, now));
  const settled = (await store.writes.settled(placeOf(store), call, maximumSettled)).filter(
    ({ settledAt }) => now - settledAt < settledFor,
  );
  const found = [...open, ...settled].sort((one, other) => other.claimedAt - one.claimedAt);
  return (await Promise.all(found.map((row) => pendingPayment(context, row)))).filter((each) => each !== undefined);
}

async function pendingPayment(context: CompanyContext, row: Row): Promise<PendingPayment | undefined> {
  const { store } = context;
  const batch = (await store.writes.bodyOf(row)) as Batch | undefined; // as it was sent
  // It was removed with its user; the key stays, under which whoever has the batch can ask for its outcome.
  if (!batch) return undefined;
  const words = await store.writes.wordsOf(row);
  const done = row.settledBy && (await store.writes.doneOf(row));
  return {
    key: row.key,
    sentAt: iso(row.claimedAt),
    externalId: batch.externalId ?? '',
    kind: batch.fileFormatId === undefined ? 'electronic' : 'file',
    payments: batch.payments.length,
    amount: amountText(totalsByCurrency(batch.payments.map(({ instructedAmount }) => instructedAmount))),
    lost: words || stoppedBefore,
    isRepeatable: row.state !== 'done' && isRepeatable(context, row, batch),
    interactionId: row.serviceKey,
    ...(row.settledBy && {
      settled: {
        batchId: row.createdId,
        status: await lastStatusOf(store, row.createdId),
        at: iso(row.settledAt),
        by: row.settledBy,
        interactionId: (done && done.settledIn) ?? '',
      },
    }),
  };
}
