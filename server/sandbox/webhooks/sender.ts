import { Webhook } from 'standardwebhooks';
import { stringify } from '#contract/json.ts';
import { endpoints, header, type WireWebhook } from '#server/upstream/wire.ts';
import type { Fault } from '#contract/labShapes.ts';
import type { SandboxConfig } from '../config.ts';
import { markHeader, markOf, type Faults, type Mark } from '../lab/faults.ts';
import { namedFault } from '../lab/magicValues.ts';
import type { Sent, SentWebhooks } from './deliveries.ts';
import { defaultApplication, type SandboxCredentials } from '../credentials.ts';
import type { KeptBatch, KeptSubscription } from '../records.ts';
import { postOutside } from './outsideReceiver.ts';
import type { Schedule, Tasks } from '../store/jobs.ts';
import type { Clock } from '#server/clock.ts';
import { createRate } from '#server/http/rate.ts';
import type { Log } from '../services.ts';

const hour = 60 * 60_000;
const attempts = 8;
/** Returns the time (ms) before the next attempt: one second, doubled with each attempt. */
const backOff = (attempt: number): number => 1000 * 2 ** attempt;
/** Rate limit of the second receiver; webhooks beyond it are retried later. */
const pace = { perSecond: 20, burst: 100 };
/** Maximum time (ms) to wait for the consumer's answer. */
const answerTimeout = 10_000;

/**
 * Whether users unknown to the operator use the application: addresses that they choose must not be in the operator's
 * network.
 */
export const isShared = ({ name }: SandboxCredentials): boolean => name !== defaultApplication;

interface Deps {
  config: SandboxConfig;
  credentials: SandboxCredentials;
  schedule: Schedule;
  faults: Faults;
  sent: SentWebhooks;
  /** Returns the address of the second receiver of all webhooks; '' for none. */
  secondUrl: () => Promise<string>;
  clock: Clock;
  /** Clock for the timestamps of signatures: receivers compare them with real time. */
  machineClock: Clock;
  newId: () => string;
  log: Log;
}

/**
 * Sends webhooks to the consumer, signed by Standard Webhooks and delivered at least once: up to 8 attempts until the
 * consumer answers 2xx. The fault lab may change what is sent, when, and how it is signed.
 */
export function createWebhooks({
  config,
  credentials,
  schedule,
  faults,
  sent,
  secondUrl,
  clock,
  machineClock,
  newId,
  log,
}: Deps) {
  const signer = new Webhook(credentials.webhookSecret);
  const wrongSigner = new Webhook(`whsec_${Buffer.from(newId()).toString('base64')}`);
  const agreed = credentials.webhookHeader;
  const shared = isShared(credentials);
  /** Numbers of held-back jobs, which the next webhook is to overtake. */
  let behind: number[] = [];

  /** Returns 0 if the second receiver may be called now. */
  const paced = createRate(pace, machineClock);

  /** Makes one attempt; returns the status of the answer, 0 if there is none. */
  async function post(
    url: string,
    { id, body, mark, to }: Pick<Tasks['webhook'], 'id' | 'body' | 'mark' | 'to'>,
  ): Promise<number> {
    const at = new Date(machineClock.now() - (mark?.kind === 'oldTimestamp' ? hour : 0));
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': (mark?.kind === 'badSignature' ? wrongSigner : signer).sign(id, at, body),
      // Not for the second receiver, which could otherwise send webhooks to the consumer.
      ...(to !== 'second' && { [agreed.name]: agreed.value }),
      // Tells a receiver which application the webhook belongs to.
      [header.application]: credentials.applicationId,
      ...(mark && markHeader(mark)),
    };
    try {
      if (to === 'second')
        return paced('') > 0 ? 0 : await postOutside(url, { headers, body, timeout: answerTimeout, shared });
      const signal = AbortSignal.timeout(answerTimeout);
      const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'error' });
      await answer.body?.cancel();
      return answer.status;
    } catch {
      return 0;
    }
  }

  async function deliver({ until = 0, ...webhook }: Tasks['webhook']): Promise<boolean> {
    const { to } = webhook;
    if (clock.steady() < until) return false;
    const url = to === 'second' ? await secondUrl() : config.webhookUrl;
    if (url === '') return true; // the second receiver was removed
    const status = await post(url, webhook);
    const delivered = status >= 200 && status < 300;
    if (to !== 'second') await sent.note(webhook.id, status, delivered);
    return delivered;
  }

  async function attempted(webhook: Tasks['webhook'], attempt: number): Promise<number | undefined> {
    if (await deliver(webhook)) return undefined;
    log.warn({ webhookId: webhook.id, attempt: attempt + 1, attempts }, 'a webhook was not taken');
    return attempt + 1 < attempts ? backOff(attempt) : undefined;
  }
  schedule.on('webhook', attempted, { waits: true });

  /** Adds a job for each receiver; resolves with their numbers. */
  async function queue(webhook: Tasks['webhook'], delay: number): Promise<number[]> {
    const receivers = [
      ...(config.webhookUrl === '' ? [] : [webhook]),
      ...((await secondUrl()) === '' ? [] : [{ ...webhook, to: 'second' as const }]),
    ];
    const jobs: number[] = [];
    for (const each of receivers) jobs.push(await schedule.add('webhook', each, delay));
    return jobs;
  }

  /**
   * Sends a webhook, within a transaction. `given`: the mark of the lab's fault that caused it; `names` may cause
   * another fault.
   */
  async function send(webhook: WireWebhook, given?: Mark, names: readonly string[] = []): Promise<void> {
    if (config.webhookUrl === '' && (await secondUrl()) === '') return;
    const id = `msg_${newId()}`;
    const followed = behind;
    behind = [];
    const rule = await faults.take('webhook', webhook.type);
    const magic = rule ? undefined : namedFault('webhook', names);
    const fault = (rule ?? magic)?.fault;
    const mark = rule ? markOf(rule) : (magic?.mark ?? given);
    const { webhookDelay } = config;
    const later = fault?.kind === 'delay' || fault?.kind === 'reorder' ? fault.ms : 0;
    const until = fault?.kind === 'receiverDown' ? clock.steady() + webhookDelay + fault.ms : undefined;
    await sent.add(id, webhook.type, stringify(webhook), machineClock.now(), mark);
    const job = {
      id,
      body: stringify(fault ? changed(webhook, fault, newId) : webhook),
      ...(mark && { mark }),
      ...(until !== undefined && { until }),
    };
    const jobs: number[] = [];
    for (let left = (fault && copies[fault.kind]) ?? 1; left > 0; left -= 1)
      jobs.push(...(await queue(job, webhookDelay + later)));
    if (fault?.kind === 'reorder') behind = jobs;
    for (const each of followed) await schedule.bring(each, webhookDelay + 1);
  }

  return {
    send,
    /** Sends a webhook again, immediately, under its own id and without its fault. */
    async again({ webhookId, body }: Sent): Promise<void> {
      await queue({ id: webhookId, body }, 0);
    },
    subscriptionUpdated({ subscriptionId, status, suspendedByConsumer }: KeptSubscription, mark?: Mark): Promise<void> {
      const url = `${config.publicUrl}${endpoints.subscriptions}/${subscriptionId}`;
      const resource = { id: subscriptionId, type: 'Subscription', url };
      return send(
        { type: 'subscriptionUpdated', subscriptionId, resource, data: { status, suspendedByConsumer } },
        mark,
      );
    },
    batchUpdated({ batchId, status, request: { subscriptionId }, mark }: KeptBatch): Promise<void> {
      const url = `${config.publicUrl}${endpoints.batches}/${batchId}`;
      const resource = { id: batchId, type: 'BatchPayment', url };
      return send(
        { type: 'batchUpdated', ...(subscriptionId && { subscriptionId }), resource, data: { status } },
        mark,
      );
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Number of copies sent of a webhook with this fault; 1 by default. */
const copies: Partial<Record<Fault<'webhook'>['kind'], number>> = { lose: 0, duplicate: 2 };

/** Returns the body of a webhook with this fault. */
function changed(webhook: WireWebhook, { kind }: Fault<'webhook'>, newId: () => string): unknown {
  if (kind === 'array') return [webhook];
  if (kind === 'otherSubscription') return { ...webhook, subscriptionId: newId() };
  return webhook;
}
