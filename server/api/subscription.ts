import type { Answer, ParsedBody } from '#contract/shapes.ts';
import { isAllowedLink } from '#server/upstream/config.ts';
import { sending } from '#server/messages/outbox.ts';
import { insertSubscription, refreshSubscription } from '#server/companies/refresh.ts';
import { companyIn, providerUrlOf } from '#server/companies/settings.ts';
import type { Write } from '#server/writes/journal.ts';
import type { Handlers, Input } from './handlers.ts';

/** Creates a subscription, and makes it the current one. */
const createSubscription: Write<'createSubscription', Input<'createSubscription'>, Answer<'createSubscription'>> = {
  send: ({ settings, upstream }, { body, key }) => upstream.createSubscription(companyIn(settings), body, key),
  async keep(context, _input, { data }) {
    const { config, settings, store } = context;
    const { subscriptionId, providerId, status } = data;
    const { useMock } = settings;
    const authLink = `${providerUrlOf(settings, config).replace(/\/?$/, '/')}provider/subscription/authorise/${subscriptionId}`;
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
};

/** Handlers for subscriptions and their stored records (behaviour, sections 3 and 4). */
export const subscriptionHandlers = {
  async getSubscription(context, { params }) {
    const { data, links, ended, skipped } = await refreshSubscription(context, params.subscriptionId);
    const followed = isAllowedLink(context.config.upstream.providerOrigins, links?.authorise);
    return { data: { data, ...(links && { links }), followed, ...(ended !== undefined && { ended }) }, skipped };
  },
  createSubscription,
  async patchSubscription(context, { params: { subscriptionId }, body }) {
    const { settings, upstream } = context;
    await upstream.patchSubscription(companyIn(settings), subscriptionId, body);
    const { data } = await refreshSubscription(context, subscriptionId);
    return { data };
  },
  sendUpdate: sending<ParsedBody<'sendUpdate'>['data']>('updates', (data) => data.id),
} satisfies Partial<Handlers>;
