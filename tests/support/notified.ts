import { webhookSchema } from '#contract/message.ts';
import { systemClock, type Clock } from '#server/clock.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from './console.ts';
import { deliver, type Delivery } from './delivery.ts';
import { answering, fakeUpstream } from './fakeUpstream.ts';
import { temporaryFolder } from './store.ts';

export const subscriptionId = 'subscription-1';
export const record = { subscriptionId, providerId: 'p', status: 'Received', suspended: false, useMock: 'true' };

/**
 * A console with a current subscription, beside a service that forwards every message and answers none: its webhooks are
 * what a test sends with `notify`. The same folder again is the same console after a restart.
 */
export async function notified(folder = temporaryFolder(), clock: Clock = systemClock) {
  const service = await fakeUpstream({
    [endpoints.subscriptions]: answering({ data: { subscriptionId, providerId: 'p', status: 'Authorised' } }),
    [endpoints.batches]: answering({ data: { batchId: 'b', status: 'Completed' } }),
    [endpoints.messaging]: (response) => void response.writeHead(202).end(),
  });
  const server = await testConsole({ upstreamUrl: service.url, folder, clock });
  for (const key of ['organisationId', 'companyId', 'companySigningKey'] as const)
    await server.store.settings.write(key, key);
  await server.store.settings.write('subscriptionId', subscriptionId);
  await server.store.subscriptions.put(subscriptionId, record);

  /** Sends a webhook and gives the status of the answer. */
  const notify = async (webhook: object, changes: Delivery = {}) =>
    (await deliver(server.url, JSON.stringify(webhook), changes)).status;
  const unread = async () => {
    const { webhookData } = await server.done('getSettings');
    return webhookData === '' ? [] : webhookSchema.array().parse(JSON.parse(webhookData));
  };
  return { server, service, notify, unread };
}
