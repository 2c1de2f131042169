import { Webhook } from 'standardwebhooks';
import { stringify } from '#contract/json.ts';
import { endpoints, type WireWebhook } from '#server/upstream/wire.ts';
import type { SandboxConfig } from './config.ts';
import type { SandboxCredentials } from './credentials.ts';
import type { KeptBatch, KeptSubscription } from './records.ts';
import type { Schedule, Tasks } from './schedule.ts';
import type { Clock } from '#server/clock.ts';
import type { Log } from './services.ts';

const attempts = 8;
/** Time (ms) before the next attempt: one second, doubled with each attempt. */
const backOff = (attempt: number): number => 1000 * 2 ** attempt;
/** Maximum time (ms) to wait for the consumer's answer. */
const answerTimeout = 10_000;

interface Deps {
  config: SandboxConfig;
  credentials: SandboxCredentials;
  schedule: Schedule;
  clock: Clock;
  newId: () => string;
  log: Log;
}

/**
 * Sends webhooks to the consumer, signed by Standard Webhooks and delivered at least once: up to 8 attempts until the
 * consumer answers 2xx.
 */
export function createWebhooks({ config, credentials, schedule, clock, newId, log }: Deps) {
  const signer = new Webhook(credentials.webhookSecret);
  const agreed = credentials.webhookHeader;

  async function deliver({ id, body }: Tasks['webhook']): Promise<boolean> {
    const now = new Date(clock.now());
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': signer.sign(id, now, body),
      [agreed.name]: agreed.value,
    };
    try {
      const signal = AbortSignal.timeout(answerTimeout);
      const answer = await fetch(config.webhookUrl, { method: 'POST', headers, body, signal, redirect: 'error' });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }

  schedule.on('webhook', async (webhook, attempt) => {
    if (await deliver(webhook)) return undefined;
    log.warn({ webhookId: webhook.id, attempt: attempt + 1, attempts }, 'a webhook was not taken');
    return attempt + 1 < attempts ? backOff(attempt) : undefined;
  });

  const send = (webhook: WireWebhook): void => {
    if (config.webhookUrl !== '')
      schedule.add('webhook', { id: `msg_${newId()}`, body: stringify(webhook) }, config.webhookDelay);
  };

  return {
    send,
    subscriptionUpdated({ subscriptionId, status, suspendedByConsumer }: KeptSubscription): void {
      const url = `${config.publicUrl}${endpoints.subscriptions}/${subscriptionId}`;
      const resource = { id: subscriptionId, type: 'Subscription', url };
      send({ type: 'subscriptionUpdated', subscriptionId, resource, data: { status, suspendedByConsumer } });
    },
    batchUpdated({ batchId, status, request: { subscriptionId } }: KeptBatch): void {
      const url = `${config.publicUrl}${endpoints.batches}/${batchId}`;
      const resource = { id: batchId, type: 'BatchPayment', url };
      send({ type: 'batchUpdated', ...(subscriptionId && { subscriptionId }), resource, data: { status } });
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;
