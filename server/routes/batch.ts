import type { Deps } from '#server/deps.ts';
import { leadsTo } from '#server/http/links.ts';
import type { Attempts } from '#server/payments/attempts.ts';
import { rawOf } from '#server/upstream/replies.ts';
import { refreshBatch } from '#server/workspace/refresh.ts';
import type { Handlers } from './route.ts';

/** Handlers for posted batches and their payment files. */
export function batchRoutes(deps: Deps, attempts: Attempts) {
  const { config, store } = deps;

  return {
    async getBatch({ params, query, service }) {
      const { text, ...batch } = await refreshBatch({ ...deps, upstream: service() }, params.batchId);
      const references = batch.error ? await attempts.referencesOf(params.batchId) : undefined;
      const followed = leadsTo(config.upstream.providerOrigins, batch.links?.authorise);
      return {
        ...batch,
        followed,
        ...(references && { references }),
        ...(query.raw !== undefined && { raw: rawOf(text) }),
      };
    },
    getPostedBatches: async () => ({ data: JSON.stringify(await store.batches.list()) }),
    downloadPaymentFile: ({ params, service }) => service().paymentFile(params.link),
  } satisfies Partial<Handlers>;
}
