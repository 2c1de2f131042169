import { webhookSchema } from '#contract/message.ts';
import { systemClock, type Clock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from './console.ts';
import { deliver, type Delivery } from './deliverWebhook.ts';
import { answering, fakeUpstream } from './fakeUpstream.ts';
import { temporaryFolder } from './store.ts';

export const subscriptionId = 'subscription-1';
export const record = { subscriptionId, providerId: 'p', status: 'Received', suspended: false, useMock: 'true' };

/**
 * A console with a current subscription and a service that accepts every message but answers none; a test sends the
 * webhooks with `notify`. Reusing the folder simulates a restart of the console.
 */
export async function notified(folder = temporaryFolder(), clock: Clock = systemClock) {
  const service = await fakeUpstream({
    [endpoints.subscriptions]: answering({ data: { subscriptionId, providerId: 'p', status: 'Authorised' } }),
    [endpoints.batches]: (response, asked) =>
      answering({ data: { batchId: asked.path.split('/').at(-1), status: 'Completed' } })(response, asked),
    [endpoints.messaging]: (response) => void response.writeHead(202).end(),
  });
  const server = await testConsole({ upstreamUrl: service.url, folder, clock });
  for (const key of ['organisationId', 'companyId', 'companySigningKey'] as const)
    await server.store.settings.write(key, key);
  await server.store.settings.write('subscriptionId', subscriptionId);
  await server.store.subscriptions.put(subscriptionId, record);

  /** Sends a webhook and returns the status of the answer. */
  const notify = async (webhook: object, changes: Delivery = {}) =>
    (await deliver(server.url, JSON.stringify(webhook), changes)).status;
  const unread = async () => {
    const { webhookData } = await server.done('getSettings');
    return webhookData === '' ? [] : webhookSchema.array().parse(JSON.parse(webhookData));
  };
  return { server, service, notify, unread };
}
