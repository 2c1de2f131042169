import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { webhookSchema } from '#contract/entities.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from './console.ts';
import { answering, fakeUpstream } from './fakeUpstream.ts';
import { temporaryFolder } from './store.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

export const subscriptionId = 'subscription-1';
export const record = { subscriptionId, providerId: 'p', status: 'Received', suspended: false, useMock: 'true' };

/**
 * A console with a current subscription, beside a service that forwards every message and answers none: its webhooks are
 * what a test sends with `notify`. The same folder again is the same console after a restart.
 */
export async function notified(folder = temporaryFolder()) {
  const service = await fakeUpstream({
    [endpoints.subscriptions]: answering({ data: { subscriptionId, providerId: 'p', status: 'Authorised' } }),
    [endpoints.batches]: answering({ data: { batchId: 'b', status: 'Completed' } }),
    [endpoints.messaging]: (response) => void response.writeHead(202).end(),
  });
  const server = await testConsole({ upstreamUrl: service.url, folder });
  for (const key of ['organisationId', 'companyId', 'companySigningKey'] as const)
    await server.store.settings.write(key, key);
  await server.store.settings.write('subscriptionId', subscriptionId);
  await server.store.subscriptions.put(subscriptionId, record);

  /** Sends a webhook and gives the status of the answer. */
  async function notify(
    webhook: object,
    changes: { id?: string; headers?: Record<string, string>; secret?: string; at?: Date } = {},
  ) {
    const { id = randomUUID(), secret = sandboxCredentials.webhookSecret, at = new Date(), headers } = changes;
    const body = JSON.stringify(webhook);
    const response = await fetch(`${server.url}/notifications`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, at, body),
        [sandboxCredentials.webhookHeader.name]: sandboxCredentials.webhookHeader.value,
        ...headers,
      },
    });
    return response.status;
  }
  const unread = async () => {
    const { webhookData } = await server.done('getSettings');
    return webhookData === '' ? [] : webhookSchema.array().parse(JSON.parse(webhookData));
  };
  return { server, service, notify, unread };
}
