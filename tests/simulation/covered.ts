import type { BatchRequest } from '#contract/payment.ts';
import { batchRequest } from '#rules/batch.ts';
import { isFailed, paymentsOf } from './invariants.ts';
import type { Company } from './onboard.ts';
import { invoicesOf, type Ledger } from './users.ts';
import type { World } from './world.ts';

/**
 * Opens a review of all invoices once the world is at rest. Returns what is wrong with it, a sentence each: it warns of
 * each invoice that is paid, and, once the console has read all batches, of no other, unless it has said so of a batch
 * that failed in part, or that it knows by its externalId alone.
 */
export async function wronglyCovered(world: World, company: Company): Promise<string[]> {
  const { api, sandbox } = world;
  const invoices = invoicesOf(company);
  const today = new Date().toISOString().slice(0, 10);
  const { externalId: _, ...body } = batchRequest({ externalId: '', invoices, today, ...company });
  const batches = await sandbox.batches();
  const isPaid = (index: number) => paymentsOf(batches, invoices[index]?.invoiceId ?? '').length > 0;
  const coveredNow = async () =>
    new Set((await api.done('preparePayment', { body })).data.covered.map(({ index }) => index));

  const before = await coveredNow();
  const kept = new Set<string>();
  for (const { batchId, status } of batches) {
    const { staysPaid = [] } = await api.done('getBatch', { params: { batchId } });
    for (const { reason, invoices: named } of staysPaid)
      if (!isFailed(status) || /externalId/.test(reason)) for (const each of named) kept.add(each);
  }
  const after = await coveredNow();
  return invoices.flatMap(({ invoiceId }, index) => [
    ...(isPaid(index) && !(before.has(index) && after.has(index))
      ? [`${invoiceId} is paid, and a review does not say so.`]
      : []),
    ...(!isPaid(index) && after.has(index) && !kept.has(invoiceId)
      ? [`${invoiceId} is not paid, and a review says that it is, or may be, although all batches have been read.`]
      : []),
  ]);
}

/**
 * Reviews again, once the world is at rest, what users have reviewed, and pays what nothing warns of. Returns what cannot be
 * paid, a sentence each.
 */
export async function unpayable({ api, scheduler }: World, { reviewed }: Ledger): Promise<string[]> {
  const requestedExecutionDateTime = `${new Date(scheduler.now()).toISOString().slice(0, 10)}T00:00:00Z`;
  const wrong: string[] = [];
  for (const text of reviewed) {
    const batch = { ...(JSON.parse(text) as BatchRequest), requestedExecutionDateTime }; // written by users.ts
    const { key, first, covered } = (await api.done('preparePayment', { body: batch })).data;
    if (covered.length > 0) continue;
    const reply = await api.call('createBatch', { key, body: first ?? { ...batch, externalId: key } });
    if (!reply.ok) wrong.push(`A review warns of nothing, and its payment ${key} fails: ${reply.problem.detail}`);
  }
  return wrong;
}
