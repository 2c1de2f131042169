import { createHmac, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { endpoints } from '#server/upstream/wire.ts';
import type { RecordedDelivery, RecordedWebhook } from '#server/sandbox/recorded.ts';
import { failureResult, resultOf } from '#server/sandbox/webhooks/attemptOutcome.ts';
import type { Situation } from './situation.ts';

/** Time (ms) that a receiver has to answer. */
const answerTime = 10_000;
const minute = 60_000;
/** Time (ms) in which the sandbox has sent the webhook of a step. */
const told = 900;

/** The signature of a body, by the secret. */
type Sign = (body: string, secret?: string) => string;

/** A webhook that differs from those of the sandbox. */
interface Sent {
  type?: string;
  status: string;
  fault: string;
  /** How long ago (ms) it was signed; less than 0 for a time to come. */
  age?: number;
  times?: number;
  webhookId?: string;
  /** Writes the body otherwise than JSON.stringify does. */
  written?: (event: object) => string;
  /** The header of the signature; without it, the right one. Null for none. */
  signature?: (sign: Sign, body: string) => string | null;
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
  const eventOf = (type: string, status: string): object => ({
    type,
    subscriptionId,
    resource: { id: batchId, type: 'BatchPayment', url: `${url}${endpoints.batches}/${batchId}` },
    data: { status },
  });
  return async function send({
    type = 'batchUpdated',
    status,
    fault,
    age = 0,
    times = 1,
    webhookId = `msg_${randomUUID()}`,
    written = JSON.stringify,
    signature = (sign, body) => sign(body),
  }: Sent): Promise<RecordedWebhook> {
    const timestamp = String(Math.floor((Date.now() - age) / 1000));
    const body = written(eventOf(type, status));
    const sign: Sign = (text, secret = webhookSecret) =>
      `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
        .update(`${webhookId}.${timestamp}.${text}`)
        .digest('base64')}`;
    const signed = signature(sign, body);
    const headers = {
      'content-type': 'application/json',
      'webhook-id': webhookId,
      'webhook-timestamp': timestamp,
      ...(signed !== null && { 'webhook-signature': signed }),
    };
    const deliveries: RecordedDelivery[] = [];
    for (let time = 0; time < times; time += 1) deliveries.push(await deliver(port, headers, body));
    return { webhookId, type, fault, deliveries };
  };
}

type Send = ReturnType<typeof webhookSender>;

const anotherSecret = () => `whsec_${Buffer.from(randomUUID()).toString('base64')}`;

/** Genuine webhooks whose bytes or headers are not those that a program would write itself. */
const genuine: readonly Omit<Sent, 'status'>[] = [
  { fault: 'blanks', written: (event) => `${JSON.stringify(event, null, 4)}\n` },
  {
    fault: 'escapes',
    written: (event) => JSON.stringify(event).replaceAll('/', '\\/').replace('Payment', '\\u0050ayment'),
  },
  { fault: 'memberOrder', written: (event) => JSON.stringify(Object.fromEntries(Object.entries(event).reverse())) },
  { fault: 'secondSignature', signature: (sign, body) => `${sign(body, anotherSecret())} ${sign(body)}` },
];

/** Webhooks that nobody may believe, whatever they say. */
const forged: readonly Omit<Sent, 'status'>[] = [
  { fault: 'badSignature', signature: (sign, body) => sign(body, anotherSecret()) },
  { fault: 'alteredBody', signature: (sign, body) => sign(body.replace('"Failed"', '"Processing"')) },
  { fault: 'oldTimestamp', age: 60 * minute },
  { fault: 'oldTimestamp', age: 6 * minute },
  { fault: 'futureTimestamp', age: -60 * minute },
  { fault: 'noSignature', signature: () => null },
  { fault: 'noSignature', signature: () => '' },
  { fault: 'noSignature', signature: () => 'v1,' },
  { fault: 'badSignature', signature: (sign, body) => sign(body).slice(0, 15) },
  { fault: 'badSignature', signature: (sign, body) => `${sign(body, anotherSecret())},${sign(body, anotherSecret())}` },
  { fault: 'alteredBody', signature: (sign) => sign('') },
];

/**
 * Sends webhooks of all kinds about a batch that waits for `step` to go on, and completes it. Returns the webhooks that
 * the sandbox has not sent itself.
 */
export async function sendAll(send: Send, step: () => Promise<void>): Promise<RecordedWebhook[]> {
  const sent: RecordedWebhook[] = [];
  for (const each of forged) sent.push(await send({ ...each, status: 'Failed' }));
  for (const each of genuine) sent.push(await send({ ...each, status: 'Received' }));
  sent.push(await send({ type: 'settlementReported', status: 'Settled', fault: 'unknownType' }));
  await step();
  const webhookId = `msg_${randomUUID()}`;
  sent.push(
    await send({ status: 'Processing', fault: 'duplicate', times: 2, webhookId }),
    // The same id again, with another content: the first one counts.
    await send({ status: 'Failed', fault: 'duplicate', webhookId }),
    await send({ status: 'Received', fault: 'reorder' }),
  );
  // Otherwise the sandbox's own webhooks of the two steps could overtake each other.
  await pause(told);
  await step();
  sent.push(await send({ status: 'Processing', fault: 'reorder' }));
  return sent;
}

/** Sends a genuine webhook by which the batch is completed, before it is. Returns it. */
export async function sendMisleading(send: Send, step: () => Promise<void>): Promise<RecordedWebhook[]> {
  await step();
  return [await send({ status: 'Completed', fault: 'misleading' })];
}
