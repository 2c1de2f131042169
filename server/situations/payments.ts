import { parse, stringify } from '#contract/json.ts';
import type { SavedPayments } from '#contract/situation.ts';
import { fingerprintOf } from '#server/calls/fingerprint.ts';
import type { CompanyContext } from '#server/companies/companyContext.ts';
import { storedSettingsOf } from '#server/companies/settings.ts';
import { batchAnswers } from '#server/companies/records.ts';
import { factsOfBatch, payerIn } from '#server/writes/invoices.ts';
import type { Store } from '#server/companies/companyStore.ts';
import { serviceKey } from '#server/writes/serviceKey.ts';

/** Why the response to a payment is not known that was under way when its situation was saved. */
const lost = 'The situation was saved before the response arrived.';

/** The call whose writes are payments. */
const call = 'createBatch';

const placeOf = ({ workspace, companyKey }: Store) => ({ workspace, companyKey });

type SavedPayment = SavedPayments[number];

/**
 * Returns the payments by which the console refuses, or warns of, a second payment of an invoice of the company. One whose key is
 * among `taken`, those of another record of the company, gets another one.
 */
export async function paymentsIn({ store }: CompanyContext, taken: ReadonlySet<string>): Promise<SavedPayments> {
  const saved: SavedPayments = [];
  const states = ['claimed', 'unknown', 'refused', 'done'] as const;
  for (const row of await store.writes.list(placeOf(store), { call, states })) {
    const { key, claimedAt, serviceTime, createdId: batchId, settledBy } = row;
    const batch = (await store.writes.bodyOf(row)) as SavedPayment['batch'] | undefined; // as it was sent
    if (!batch) continue;
    const words = await store.writes.wordsOf(row);
    const answer = batchId === '' ? undefined : await store.records(batchAnswers).get(batchId);
    const {
      status = '',
      ended,
      readAt = '',
      firstReadAt,
      failed = [],
      says,
      staysPaid = [],
      totals,
      told,
    } = answer ?? {};
    saved.push({
      key: taken.has(key) ? serviceKey(placeOf(store), row.serviceKey) : key,
      claimedAt,
      batch,
      ...(batchId === '' && { serviceKey: row.serviceKey }),
      ...(serviceTime !== undefined && { serviceTime }),
      ...(words !== '' && { lost: words }),
      ...(batchId !== '' && { made: { batchId, status, ...(settledBy && { settledBy }) } }),
      ...(answer && {
        answer: {
          status,
          readAt,
          failed,
          staysPaid,
          ...(ended !== undefined && { ended }),
          ...(says && { says }),
          ...(totals && { totals }),
          ...(told && { told }),
          ...(firstReadAt !== undefined && { firstReadAt }),
        },
      }),
    });
  }
  return saved;
}

/**
 * Replaces the keys under which the sandbox knows the payments of a file by those that this console sends for them
 * (`keyFor`): a repeat then finds the first request, and nothing is paid twice.
 */
export const withServiceKeys = <T>(value: T, payments: SavedPayments, keyFor: (key: string) => string): T =>
  parse(
    payments.reduce(
      (all, { key, serviceKey }) => (serviceKey === undefined ? all : all.replaceAll(serviceKey, keyFor(key))),
      stringify(value),
    ),
  ) as T; // of the same form

/**
 * Stores the payments of a file in a company that has none, within the current transaction. One whose batch another user of
 * the console has stays paid, and does not know its batch. Returns what was not stored.
 */
export async function putPayments(context: CompanyContext, payments: SavedPayments): Promise<string[]> {
  const { store, newId } = context;
  const notes: string[] = [];
  const payer = payerIn(context, await storedSettingsOf(store));
  if (payer === undefined) return notes;
  for (const { key, claimedAt, serviceTime, batch, made, answer, lost: words = lost } of payments) {
    const fingerprint = store.tag('fingerprint', fingerprintOf(call, batch));
    const at = {
      ...placeOf(store),
      key,
      call,
      owner: payer,
      fingerprint,
      serviceKey: serviceKey(placeOf(store), key),
      serviceTime,
      claimedAt,
    };
    const row = await store.writes.claim({ ...at, body: batch });
    if (!row) continue;
    await store.invoiceLines.add(row.position, await factsOfBatch(store, payer, batch, true)); // its date alone may differ
    if (!made) {
      await store.writes.loseTrack(row, words);
      continue;
    }
    const { batchId, status, settledBy } = made;
    const ended = { answer: { data: { batchId, status } }, settledBy };
    if (await store.writes.creatorOf('batch', batchId)) {
      await store.writes.end(row, ended);
      notes.push(`batch ${batchId}: another user of this console has it`);
      continue;
    }
    await store.writes.end(row, { ...ended, created: { kind: 'batch', id: batchId } });
    if (answer) await store.records(batchAnswers).put(batchId, { batchId, asked: { by: newId(), turn: 0 }, ...answer });
    if (answer?.failed === 'all') await store.invoiceLines.setFreed(row.position, true);
  }
  return notes;
}
