import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { endpoints } from '#server/upstream/wire.ts';
import type { RecordedDelivery, RecordedWebhook } from '#server/sandbox/recorded.ts';
import { failureResult, resultOf } from '#server/sandbox/webhooks/attemptOutcome.ts';
import type { Situation } from './situation.ts';

/** Time (ms) that a receiver has to answer. */
const answerTime = 10_000;
const hour = 3600_000;
/** Time (ms) in which the sandbox has sent the webhook of a step. */
const told = 900;

interface Sent {
  type?: string;
  status: string;
  fault: string;
  /** The secret of the signature, if not the program's. */
  secret?: string;
  /** The status that the signed body has, if not that of the body. */
  signedStatus?: string;
  /** How long ago (ms) it was signed. */
  age?: number;
  times?: number;
}

/** Posts a webhook; returns how it was answered. */
async function deliver(port: number, headers: Record<string, string>, body: string): Promise<RecordedDelivery> {
  const at = Date.now();
  const url = `http://127.0.0.1:${port}/notifications`;
  const result = await fetch(url, {
    ...{ method: 'POST', headers, body, redirect: 'manual' },
    signal: AbortSignal.timeout(answerTime),
  }).then(
    async (answer) => {
      await answer.body?.cancel();
      return resultOf(answer.status, answer.headers.get('location'), url, Buffer.byteLength(body));
    },
    (error: unknown) => failureResult(error, answerTime),
  );
  return { at, ms: Date.now() - at, ...result, headers, body };
}

/** Sends webhooks about a batch that the sandbox itself does not send: forged, altered, old, unknown and repeated ones. */
export function webhookSender(port: number, { subscriptionId, webhookSecret, url }: Situation, batchId: string) {
  const webhookBody = (type: string, status: string): string =>
    JSON.stringify({
      type,
      subscriptionId,
      resource: { id: batchId, type: 'BatchPayment', url: `${url}${endpoints.batches}/${batchId}` },
      data: { status },
    });
  return async function send({
    type = 'batchUpdated',
    status,
    fault,
    secret = webhookSecret,
    signedStatus = status,
    age = 0,
    times = 1,
  }: Sent): Promise<RecordedWebhook> {
    const webhookId = `msg_${randomUUID()}`;
    const at = new Date(Date.now() - age);
    const body = webhookBody(type, status);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': webhookId,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(webhookId, at, webhookBody(type, signedStatus)),
    };
    const deliveries: RecordedDelivery[] = [];
    for (let time = 0; time < times; time += 1) deliveries.push(await deliver(port, headers, body));
    return { webhookId, type, fault, deliveries };
  };
}

/**
 * Sends webhooks of all kinds about a batch that waits for `step` to go on, and completes it. Returns the webhooks that
 * the sandbox has not sent itself.
 */
export async function sendAll(
  send: ReturnType<typeof webhookSender>,
  step: () => Promise<void>,
): Promise<RecordedWebhook[]> {
  const wrongSecret = `whsec_${Buffer.from(randomUUID()).toString('base64')}`;
  const sent = [
    await send({ status: 'Failed', fault: 'badSignature', secret: wrongSecret }),
    await send({ status: 'Failed', fault: 'alteredBody', signedStatus: 'Processing' }),
    await send({ status: 'Failed', fault: 'oldTimestamp', age: hour }),
    await send({ type: 'settlementReported', status: 'Settled', fault: 'unknownType' }),
  ];
  await step();
  sent.push(
    await send({ status: 'Processing', fault: 'duplicate', times: 2 }),
    await send({ status: 'Received', fault: 'reorder' }),
  );
  // Otherwise the sandbox's own webhooks of the two steps could overtake each other.
  await pause(told);
  await step();
  sent.push(await send({ status: 'Processing', fault: 'reorder' }));
  return sent;
}
