import type { Deps } from '#server/deps.ts';
import { leadsTo } from '#server/links.ts';
import { refreshBatch } from '#server/refresh.ts';
import type { Handlers } from './route.ts';

/** Posted batches and their payment files. */
export function batchRoutes(deps: Deps) {
  const { config, store, upstream } = deps;

  return {
    async getBatch({ params }) {
      const batch = await refreshBatch(deps, params.batchId);
      return { ...batch, followed: leadsTo(config.upstream.providerOrigins, batch.links?.authorise) };
    },
    getPostedBatches: async () => ({ data: JSON.stringify(await store.batches.list()) }),
    downloadPaymentFile: ({ params }) => upstream.paymentFile(params.link),
  } satisfies Partial<Handlers>;
}
