import type { CompanyContext } from '#server/companies/companyContext.ts';
import { isAllowedLink } from '#server/http/links.ts';
import { createSendHandlers } from '#server/messages/outbox.ts';
import { requireNewId } from '#server/companies/receivedIds.ts';
import { insertSubscription, refreshSubscription } from '#server/companies/refresh.ts';
import { companyOf, providerUrlOf, storedSettingsOf } from '#server/companies/settings.ts';
import type { Handlers } from './handlers.ts';

/** Handlers for subscriptions and their stored records (behaviour, sections 3 and 4). */
export function subscriptionRoutes(deps: CompanyContext) {
  const { config, store, upstream } = deps;

  return {
    async getSubscription({ params }) {
      const { data, links, skipped } = await refreshSubscription(deps, params.subscriptionId);
      const followed = isAllowedLink(config.upstream.providerOrigins, links?.authorise);
      return { data: { data, ...(links && { links }), followed }, skipped };
    },
    async createSubscription({ body, key }) {
      const { data } = await upstream.createSubscription(await companyOf(store), body, key);
      const { subscriptionId, providerId, status } = data;
      await requireNewId(deps, 'subscription', subscriptionId, key);
      const stored = await storedSettingsOf(store);
      const { useMock } = stored;
      const authLink = `${providerUrlOf(stored, config).replace(/\/?$/, '/')}provider/subscription/authorise/${subscriptionId}`;
      // Stored by the server, so that two tabs cannot overwrite each other's record. A repeat does not replace the
      // record, which may be newer than the repeat's answer.
      await insertSubscription(deps, {
        subscriptionId,
        providerId,
        status,
        suspended: false,
        useMock,
        ...(useMock === 'true' && { authLink }),
      });
      await store.settings.writeAll({ providerId, subscriptionId });
      return { data };
    },
    async patchSubscription({ params: { subscriptionId }, body }) {
      await upstream.patchSubscription(await companyOf(store), subscriptionId, body);
      const { data } = await refreshSubscription(deps, subscriptionId);
      return { data };
    },
    sendUpdate: createSendHandlers(deps)('updates', (data) => data.id),
  } satisfies Partial<Handlers>;
}
