import { invoiceCounts } from '#contract/constants.ts';
import { amountText, totalsByCurrency } from '#rules/batch.ts';
import { iso } from '#server/clock.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { refreshBatch } from '#server/refresh.ts';
import { companyOf, storedSettingsOf } from '#server/settings.ts';
import { currencyFor, sampleInvoices } from './invoices.ts';
import type { Handlers } from './route.ts';

const maximumInvoices = Math.max(...invoiceCounts);

/** Invoices, batch payments and their files. */
export function paymentRoutes(deps: Deps) {
  const { store, upstream, clock } = deps;

  return {
    async getInvoices({ query }) {
      const count = Number(query.count ?? invoiceCounts[0]);
      if (!Number.isInteger(count) || count < 0 || count > maximumInvoices)
        throw new Failure(
          'invalid-request',
          `count is ${query.count}: give a whole number from 0 to ${maximumInvoices}.`,
        );
      const { subscriptionId, providerCountry } = await storedSettingsOf(store);
      const isCurrent = (party: { subscriptionId: string }) => party.subscriptionId === subscriptionId;
      const creditors = (await store.creditors.list()).filter(isCurrent);
      const debtor = (await store.debtors.list()).find(isCurrent);
      return { data: sampleInvoices(creditors, count, currencyFor(debtor?.currency, providerCountry)) };
    },
    async createBatch({ body, key }) {
      const { data } = await upstream.createBatch(await companyOf(store), body, key);
      const { batchId, status } = data;
      // A repeat finds the record as it was kept before.
      await store.batches.add(batchId, {
        batchId,
        status,
        amount: amountText(totalsByCurrency(body.payments.map(({ instructedAmount }) => instructedAmount))),
        kind: body.fileFormatId === undefined ? 'electronic' : 'file',
        postedAt: iso(clock.now()),
      });
      await store.settings.write('batchId', batchId);
      return { data };
    },
    getBatch: ({ params }) => refreshBatch(deps, params.batchId),
    getPostedBatches: async () => ({ data: JSON.stringify(await store.batches.list()) }),
    downloadPaymentFile: ({ params }) => upstream.paymentFile(params.link),
  } satisfies Partial<Handlers>;
}
