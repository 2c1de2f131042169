import { calls } from '#contract/calls.ts';
import type { BatchRecord } from '#contract/batch.ts';
import { stageOf, statusOf } from '#contract/status.ts';
import { heldStatus, returnedStatus, returnTold } from '#contract/returns.ts';
import { afterPaid } from '#rules/afterPaid.ts';
import { textAt } from '#rules/path.ts';
import type { RecordedBatch, RecordedWebhook } from '#server/sandbox/recorded.ts';
import type { Exchange } from './line.ts';
import type { World } from './world.ts';

/** A payment as the console shows it. */
type Shown = Readonly<Record<string, unknown>>;

const paymentsIn = (text: string): Shown[] =>
  (JSON.parse(text) as { data: { payments?: Shown[] } }).data.payments ?? []; // of the contract
const statusIn = (payment: Shown): string => statusOf(textAt(payment, 'status'));

/** A webhook about a batch that reached the console: what it told, when it came first, and from when on the console knew it (ms). */
interface Heard {
  webhookId: string;
  batchId: string;
  status: string;
  payments: Shown[];
  at: number;
  /** Absent if no answer to it was accepted: the console may know it all the same. */
  since?: number;
}

/** What is said of an attempt that never reached the console (`world.ts`). */
export const lostOnTheWay = 'the network lost it';

/** The webhooks about batches that reached the console. */
export const heardOf = (webhooks: readonly RecordedWebhook[]): Heard[] =>
  webhooks.flatMap(({ webhookId, type, deliveries }) => {
    const reached = deliveries.filter(({ outcome }) => !outcome.includes(lostOnTheWay));
    const accepted = reached.find(({ status }) => status >= 200 && status < 300);
    const [first] = reached;
    if (type !== 'batchUpdated' || !first) return [];
    const { resource, data } = JSON.parse(first.body) as {
      resource: { id: string };
      data: { status: string; payments?: Shown[] };
    }; // the sandbox's
    return [{ webhookId, batchId: resource.id, status: data.status, payments: data.payments ?? [], at: first.at, ...(accepted && { since: accepted.at + accepted.ms }) }]; // prettier-ignore
  });

/** Whether one of these webhooks tells that a payment came back. */
const tells = (heard: readonly Heard[], paymentId: string): boolean =>
  heard.some(({ payments }) => payments.some((named) => named['paymentId'] === paymentId && statusIn(named) === returnedStatus)); // prettier-ignore

/** The payments that came back and of which the console was told so: by a status that it can read, or by a webhook. */
const toldReturns = ({ payments }: RecordedBatch, heard: readonly Heard[]) =>
  payments.filter(
    ({ paymentId, returned }) =>
      returned && (returnTold[returned.told as keyof typeof returnTold].payment || tells(heard, paymentId)),
  );

/**
 * Returns what is wrong with how the console shows the payments of a batch at rest, a sentence each: one that came back is
 * shown so, with its reason and amount, as soon as that was told, and each other one with its own status.
 */
export function wronglyShown(batch: RecordedBatch, shown: readonly Shown[], heard: readonly Heard[]): string[] {
  const back = new Set(
    toldReturns(
      batch,
      heard.filter(({ since }) => since !== undefined),
    ),
  );
  return batch.payments.flatMap((payment) => {
    const { paymentId, returned, reference } = payment;
    const one = shown.find((each) => each['paymentId'] === paymentId);
    if (!one) return [];
    // Of one that told it, and whose answer was lost, nobody knows whether it was heard.
    const isBack = back.has(payment) || (statusIn(one) === returnedStatus && tells(heard, paymentId));
    const status = isBack ? returnedStatus : statusOf(payment.status);
    if (statusIn(one) !== status)
      return [`The payment of ${reference} is ${status}, and is shown as ${statusIn(one)}.`];
    const says = afterPaid(one);
    const isWhole = !returned || !isBack || (says.includes(returned.reason) && says.includes(returned.amount));
    return isWhole ? [] : [`The payment of ${reference} came back by ${returned.reason}, and its user reads: ${says}`];
  });
}

const read = new RegExp(`^${calls.getBatch.path.replace(/\{\w+\}/, '[^/]+')}$`);

/**
 * Returns the payments that were shown to have come back, and to be completed in an answer that was asked for after that one had
 * been read: a sentence each.
 */
export function paidAfterReturn(exchanges: readonly Exchange[]): string[] {
  const back = new Map<string, number>();
  const wrong: string[] = [];
  const reads = exchanges.filter(({ method, path, status }) => method === 'GET' && read.test(path) && status === 200);
  for (const { text, sentAt, at, who } of reads.toSorted((one, other) => one.at - other.at))
    for (const payment of paymentsIn(text)) {
      const paymentId = textAt(payment, 'paymentId');
      const before = back.get(paymentId);
      if (statusIn(payment) === returnedStatus) back.set(paymentId, before ?? at);
      else if (before !== undefined && before < sentAt && statusIn(payment) === 'Completed')
        wrong.push(`The payment ${paymentId} came back, and was later told as paid to ${who}.`);
    }
  return wrong;
}

/** Returns the webhooks that came after one of a later stage of the same batch had been taken, and are not called late. */
export function lateUntold(heard: readonly Heard[], late: ReadonlySet<string>): string[] {
  const stage = ({ status }: Heard) => stageOf(status) ?? 0;
  return heard
    .filter(({ since, payments, webhookId }) => since !== undefined && payments.length === 0 && !late.has(webhookId))
    .filter((each) => heard.some((other) => other.batchId === each.batchId && stage(other) > stage(each) && (other.since ?? Infinity) < each.at)) // prettier-ignore
    .map(({ webhookId, status, batchId }) => `The webhook ${webhookId} of ${batchId}, ${status}, came late, and is not called so.`); // prettier-ignore
}

/** What users read of payments that were held or came back, in a world at rest. */
export async function afterwards(
  { api, exchanges, webhooks }: Pick<World, 'api' | 'exchanges' | 'webhooks'>,
  batches: readonly RecordedBatch[],
  isServiceTrue: boolean,
): Promise<{ wrong: string[]; happened: string[] }> {
  const heard = heardOf(webhooks());
  const listed = JSON.parse((await api.done('getPostedBatches')).data) as BatchRecord[]; // the server's own
  const wrong: string[] = [];
  for (const batch of batches.filter(({ batchId }) => listed.some((each) => each.batchId === batchId))) {
    const { data } = await api.done('getBatch', { params: { batchId: batch.batchId } });
    wrong.push(...wronglyShown(batch, data.payments ?? [], heard));
  }
  const late = new Set((await api.done('getLabWebhooks')).data.flatMap((each) => (each.late ? [each.webhookId] : [])));
  if (isServiceTrue) wrong.push(...lateUntold(heard, late));
  const returns = batches.flatMap(({ payments }) => payments.flatMap(({ returned }) => returned ?? []));
  const happened = {
    'a payment came back': returns.length > 0,
    'a payment came back by a webhook alone': returns.some(({ told }) => told === 'event'),
    'a payment was held': heard.some(({ payments }) => payments.some((each) => statusIn(each) === heldStatus)),
    'a webhook came late': late.size > 0,
  };
  wrong.push(...paidAfterReturn(exchanges));
  return { wrong, happened: Object.entries(happened).flatMap(([what, has]) => (has ? [what] : [])) };
}
