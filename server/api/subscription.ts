import { isAllowedLink } from '#server/upstream/config.ts';
import { sendHandler } from '#server/messages/outbox.ts';
import { requireNewId } from '#server/companies/receivedIds.ts';
import { insertSubscription, refreshSubscription } from '#server/companies/refresh.ts';
import { companyOf, providerUrlOf, storedSettingsOf } from '#server/companies/settings.ts';
import type { Handlers } from './handlers.ts';

/** Handlers for subscriptions and their stored records (behaviour, sections 3 and 4). */
export const subscriptionHandlers = {
  async getSubscription(context, { params }) {
    const { data, links, skipped } = await refreshSubscription(context, params.subscriptionId);
    const followed = isAllowedLink(context.config.upstream.providerOrigins, links?.authorise);
    return { data: { data, ...(links && { links }), followed }, skipped };
  },
  async createSubscription(context, { body, key }) {
    const { config, store, upstream } = context;
    const { data } = await upstream.createSubscription(await companyOf(store), body, key);
    const { subscriptionId, providerId, status } = data;
    await requireNewId(context, 'subscription', subscriptionId, key);
    const stored = await storedSettingsOf(store);
    const { useMock } = stored;
    const authLink = `${providerUrlOf(stored, config).replace(/\/?$/, '/')}provider/subscription/authorise/${subscriptionId}`;
    // Stored by the server, so that two tabs cannot overwrite each other's record. A repeat does not replace the
    // record, which may be newer than the repeat's answer.
    await insertSubscription(context, {
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
  async patchSubscription(context, { params: { subscriptionId }, body }) {
    const { store, upstream } = context;
    await upstream.patchSubscription(await companyOf(store), subscriptionId, body);
    const { data } = await refreshSubscription(context, subscriptionId);
    return { data };
  },
  sendUpdate: sendHandler('updates', (data) => data.id),
} satisfies Partial<Handlers>;
