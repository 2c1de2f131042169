import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { SeenDelivery, SeenWebhook } from '#server/programs/checks/evidence.ts';
import { closedUnanswered, failureResult, resultOf } from '#server/sandbox/webhooks/attemptOutcome.ts';
import { slownessNow } from './slowness.ts';
import type { TestedService } from './tested.ts';
import type { WebhookForm } from './webhookForm.ts';

/** Time (ms) that a receiver has to answer. */
const answerTime = 10_000;
const minute = 60_000;

/** The type of the webhooks about batches. */
const usualType = 'batchUpdated';

/** What a signature can be made of: of a text by the secret, or by another one. */
interface Signer {
  sign: (body: string) => string;
  forge: (body: string) => string;
  /** A body that says something else. */
  other: string;
  form: WebhookForm;
}

/** A webhook that differs from those of the sandbox. */
interface Sent {
  /** Whether its type is one that nobody knows. */
  isUnknown?: boolean;
  status: string;
  /** The kind, by which the checks know it; absent for one without anything unusual. */
  fault?: string;
  /** How long ago (ms) it was signed; less than 0 for a time to come. */
  age?: number;
  times?: number;
  webhookId?: string;
  /** Writes the body otherwise than JSON.stringify does. */
  written?: (event: object) => string;
  /** The header of the signature; without it, the right one. Null for none. */
  signature?: (signer: Signer, body: string) => string | null;
}

/** Posts a webhook; returns how it was answered. */
async function deliver(url: string, headers: Record<string, string>, body: string): Promise<SeenDelivery> {
  const at = Date.now();
  const post = () =>
    fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(answerTime),
    }).then(
      async (answer) => {
        await answer.body?.cancel();
        return resultOf(answer.status, answer.headers.get('location'), url, Buffer.byteLength(body));
      },
      (error: unknown) => failureResult(error, answerTime),
    );
  const first = await post();
  const delivery = { at, ms: Date.now() - at, ...first, headers, body };
  if (first.outcome !== closedUnanswered) return delivery;
  // The receiver may have closed an idle connection in the moment in which it was used again.
  const second = await post();
  return second.status === 0 ? { ...delivery, isClosed: true } : { ...delivery, ...second, ms: Date.now() - at };
}

/** Sends webhooks about a batch that the service itself does not send: forged, altered, old, unknown and repeated ones. */
export function webhookSender(port: number, form: WebhookForm, batchId: string) {
  async function send({
    isUnknown = false,
    status,
    fault,
    age = 0,
    times = 1,
    webhookId = `msg_${randomUUID()}`,
    written = JSON.stringify,
    signature = ({ sign }, body) => sign(body),
  }: Sent): Promise<SeenWebhook> {
    const by = { webhookId, timestamp: String(Math.floor((Date.now() - age) / 1000)) };
    const eventOf = (said: string) =>
      form.bodyOf({ webhookId, batchId, status: said, ...(!isUnknown && { type: usualType }) });
    const body = written(eventOf(status));
    const signer: Signer = {
      sign: (text) => form.signatureOf(text, by),
      forge: (text) => form.signatureOf(text, by, form.anotherSecret()),
      other: written(eventOf('Processing')),
      form,
    };
    const headers = { 'content-type': 'application/json', ...form.headersOf(by, signature(signer, body)) };
    const deliveries: SeenDelivery[] = [];
    for (let time = 0; time < times; time += 1)
      deliveries.push(await deliver(`http://127.0.0.1:${port}${form.path}`, headers, body));
    const type = isUnknown ? 'unknown' : usualType;
    return { webhookId, type, ...(fault !== undefined && { fault }), deliveries };
  }
  return { send, form, batchId };
}

type Sender = ReturnType<typeof webhookSender>;
type Steps = Pick<TestedService, 'step' | 'told' | 'calls'>;

/** Time (ms) in which a program has read a response that has ended; longer on a slow machine. */
const noticing = 300;

/** Waits until the program knows its batch: until the responses to its calls for one have ended, and it has read them. */
async function untilAnswered({ calls }: Steps): Promise<void> {
  // It has a status as soon as its headers are sent.
  const isUnderWay = () => calls().some((call) => call.operation === 'createBatch' && call.ms === 0);
  while (isUnderWay()) await pause(25);
  await pause(noticing * (await slownessNow()));
}

/** Time (ms) in which a program reads a batch that has ended; longer on a slow machine. */
const readingTime = 4000;

/** Waits until the program has read a batch since a time (ms since the epoch), or does not for a while. */
async function untilRead({ calls }: Steps, batchId: string, since: number): Promise<void> {
  const until = since + readingTime * (await slownessNow());
  const isRead = () =>
    calls().some(
      ({ operation, path, at, ms, status }) =>
        operation === 'batch' && path.endsWith(batchId) && at >= since && status === 200 && ms > 0,
    );
  while (!isRead() && Date.now() < until) await pause(10);
}

/** Genuine webhooks whose bytes or headers are not those that a program would write itself. */
const genuine: readonly Omit<Sent, 'status'>[] = [
  { fault: 'blanks', written: (event) => `${JSON.stringify(event, null, 4)}\n` },
  {
    fault: 'escapes',
    written: (event) => JSON.stringify(event).replaceAll('/', '\\/').replace('Payment', '\\u0050ayment'),
  },
  { fault: 'memberOrder', written: (event) => JSON.stringify(Object.fromEntries(Object.entries(event).reverse())) },
  {
    fault: 'secondSignature',
    signature: ({ sign, forge, form }, body) => `${forge(body)}${form.separator}${sign(body)}`,
  },
];

/** Webhooks that nobody may believe, whatever they say. */
const forged: readonly Omit<Sent, 'status'>[] = [
  { fault: 'badSignature', signature: ({ forge }, body) => forge(body) },
  { fault: 'alteredBody', signature: ({ sign, other }) => sign(other) },
  { fault: 'oldTimestamp', age: 60 * minute },
  { fault: 'oldTimestamp', age: 6 * minute },
  { fault: 'futureTimestamp', age: -60 * minute },
  { fault: 'noSignature', signature: () => null },
  { fault: 'noSignature', signature: () => '' },
  { fault: 'noSignature', signature: ({ form }) => form.emptySignature },
  { fault: 'badSignature', signature: ({ sign }, body) => sign(body).slice(0, 15) },
  { fault: 'badSignature', signature: ({ forge }, body) => `${forge(body)},${forge(body)}` },
  { fault: 'alteredBody', signature: ({ sign }) => sign('') },
];

/** Whether a service with this form can send such a webhook at all. */
const isPossible = ({ hasTime, separator }: WebhookForm, { age, fault }: Omit<Sent, 'status'>): boolean =>
  (hasTime || age === undefined) && (separator !== undefined || fault !== 'secondSignature');

/** The orders in which a webhook, the response to the batch and a reading come to a program that listens, with what is sent then. */
export const webhookOrders: readonly (readonly [order: string, scenario: string, sent: string])[] = [
  ['before the response to the batch', 'webhooks', 'a genuine one'],
  ['between the response and the first reading', 'webhooks', 'forged, unusual, unknown and repeated ones'],
  ['between two readings', 'webhooks', 'an earlier status after a later one'],
  ['after the end, before it was read', 'webhooks', 'an earlier status'],
  ['after the end was read, while the program reads other batches', 'webhooks', 'an earlier status, and a failure'],
  ['before the end, and against it', 'misleading-webhook', 'a failure, and a completion'],
  ['to a run after a kill, about a batch of an earlier run', 'killed-reading', 'the sandbox’s own'],
];

/**
 * Sends webhooks of all kinds about a batch that waits for a step to go on, and completes it. Returns the webhooks that
 * the sandbox has not sent itself.
 */
export async function sendAll({ send, form, batchId }: Sender, steps: Steps): Promise<SeenWebhook[]> {
  const { step, told } = steps;
  const sent = [await send({ status: 'Received' })];
  await untilAnswered(steps);
  const possible = (all: readonly Omit<Sent, 'status'>[]) => all.filter((each) => isPossible(form, each));
  for (const each of possible(forged)) sent.push(await send({ ...each, status: 'Failed' }));
  for (const each of possible(genuine)) sent.push(await send({ ...each, status: 'Received' }));
  if (form.hasType) sent.push(await send({ isUnknown: true, status: 'Settled', fault: 'unknownType' }));
  await step();
  const webhookId = `msg_${randomUUID()}`;
  sent.push(
    await send({ status: 'Processing', fault: 'duplicate', times: 2, webhookId }),
    // The same id again, with another content: the first one counts.
    await send({ status: 'Failed', fault: 'duplicate', webhookId }),
    await send({ status: 'Received', fault: 'reorder' }),
  );
  // Otherwise the sandbox's own webhooks of the two steps could overtake each other.
  await told();
  // The other batches of the program end later, so that it is still there when the end of this one was read.
  await step(batchId);
  const ended = Date.now();
  sent.push(await send({ status: 'Processing', fault: 'reorder' }));
  await untilRead(steps, batchId, ended);
  for (const status of ['Processing', 'Failed']) sent.push(await send({ status, fault: 'reorder', age: minute }));
  return sent;
}

/** Sends genuine webhooks by which the batch has failed and is completed, before it ends. Returns them. */
export async function sendMisleading({ send }: Sender, { step, told }: Steps): Promise<SeenWebhook[]> {
  await step();
  await told();
  return [
    await send({ status: 'Failed', fault: 'misleading' }),
    await send({ status: 'Completed', fault: 'misleading' }),
  ];
}
