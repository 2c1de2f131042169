import { Webhook } from 'standardwebhooks';
import { stringify } from '#contract/json.ts';
import type { Logger } from 'pino';
import type { Fault } from '#contract/controlShapes.ts';
import type { Clock } from '#server/clock.ts';
import { createTokenBucket } from '#server/http/tokenBucket.ts';
import type { WireWebhook } from '#server/upstream/webhooks.ts';
import { header } from '#server/upstream/wire.ts';
import type { SandboxConfig } from '../config.ts';
import { isShared, type SandboxCredentials } from '../credentials.ts';
import { changedResponse } from '../faults/changedPlace.ts';
import type { Faults } from '../faults/faults.ts';
import type { Jobs } from '../store/jobs.ts';
import type { Collections } from '../store/tenantStore.ts';
import { faultHeaders, type InjectedFault } from '../records/call.ts';
import type { SandboxMetrics } from '#server/http/observeRequests.ts';
import { wasAccepted, type Deliveries, type Delivery } from '../records/deliveries.ts';
import { failureResult, NotSent, resultOf, shownAddress, type AttemptResult } from './attemptOutcome.ts';
import { postOutside, type WebhookTransport } from './transport.ts';

/** The second receiver of all webhooks, if there is one; a single record. */
export const receiverRecords = (store: Collections) => store.collection<{ url: string }>('receiver');

/** The id of the only record. */
export const secondReceiver = 'second';

const hour = 60 * 60_000;
const attempts = 8;
/** Rate limit of the second receiver; webhooks beyond it are retried later. */
const secondReceiverRate = { perSecond: 20, burst: 100 };
/** Maximum time (ms) to wait for a receiver's answer. */
const answerTimeout = 10_000;

/** A webhook to one receiver, whose attempts are one job. */
interface WebhookJob {
  id: string;
  body: string;
  injected?: InjectedFault;
  /** No attempt reaches the receiver before this time (steady, ms). */
  until?: number;
  /** Absent for the consumer. */
  to?: 'second';
}

/** What may change a webhook: the lab's fault that caused it, or one that the texts (of names) cause by a magic word. */
interface SendOptions {
  injected?: InjectedFault | undefined;
  names?: readonly string[] | undefined;
}

interface Deps {
  config: Pick<SandboxConfig, 'webhookUrl' | 'webhookDelay' | 'webhookRetryDelay'>;
  credentials: SandboxCredentials;
  store: Collections;
  jobs: Pick<Jobs, 'define' | 'bringForward'>;
  faults: Pick<Faults, 'take'>;
  deliveries: Pick<Deliveries, 'add' | 'recordAttempt'>;
  clock: Pick<Clock, 'steady'>;
  /** Measures the time for an answer. */
  machineClock: Clock;
  transport: WebhookTransport;
  /** The clock by which webhooks are signed and recorded. */
  recordClock: Pick<Clock, 'now' | 'steady'>;
  newId: () => string;
  log: Pick<Logger, 'warn'>;
  /** Absent if nothing is measured. */
  metrics?: Pick<SandboxMetrics, 'delivery'> | undefined;
}

/**
 * Sends webhooks to the consumer, signed by Standard Webhooks and delivered at least once: up to 8 attempts until the
 * consumer answers 2xx. The fault lab may change what is sent, when, and how it is signed.
 */
export function createWebhooks({
  config,
  credentials,
  store,
  jobs,
  faults,
  deliveries,
  clock,
  machineClock,
  transport,
  recordClock,
  newId,
  log,
  metrics,
}: Deps) {
  const signer = new Webhook(credentials.webhookSecret);
  const wrongSigner = new Webhook(`whsec_${Buffer.from(`not ${credentials.webhookSecret}`).toString('base64')}`);
  const receivers = receiverRecords(store);
  const agreed = credentials.webhookHeader;
  const shared = isShared(credentials);
  /** Whether webhooks are left out, because a situation is being prepared that their receiver has not caused. */
  let isMuted = false;
  /** Numbers of held-back jobs, which the next webhook is to overtake. */
  let heldBack: number[] = [];

  /** Returns the address of the second receiver; '' for none. */
  const secondUrl = async () => (await receivers.find(secondReceiver))?.url ?? '';

  /** Returns 0 if the second receiver may be called now. */
  const waitForSecond = createTokenBucket(secondReceiverRate, machineClock);

  /** Makes one attempt; resolves with what happened, and with the headers that were sent. */
  async function post(url: string, { id, body, injected, to }: Omit<WebhookJob, 'until'>) {
    const at = new Date(recordClock.now() - (injected?.kind === 'oldTimestamp' ? hour : 0));
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': (injected?.kind === 'badSignature' ? wrongSigner : signer).sign(id, at, body),
      // Not for the second receiver, which could otherwise send webhooks to the consumer.
      ...(to !== 'second' && { [agreed.name]: agreed.value }),
      // Tells a receiver which application the webhook belongs to.
      [header.application]: credentials.applicationId,
      ...(injected && faultHeaders(injected)),
    };
    const begun = recordClock.steady();
    const result = await answerTo();
    return { ...result, sent: { ms: recordClock.steady() - begun, headers, body, fault: injected?.kind } };

    async function answerTo(): Promise<AttemptResult> {
      const timeout = new AbortController();
      const timer = machineClock.setTimeout(() => timeout.abort(), answerTimeout);
      const request = { headers, body, signal: timeout.signal };
      try {
        if (to === 'second' && waitForSecond('') > 0)
          throw new NotSent(`the second receiver gets at most ${secondReceiverRate.perSecond} webhooks a second`);
        const { status, location } = await (to === 'second'
          ? postOutside(transport, url, { ...request, shared })
          : transport(url, request));
        return resultOf(status, location, url, Buffer.byteLength(body));
      } catch (error) {
        return failureResult(error, answerTimeout);
      } finally {
        machineClock.clearTimeout(timer);
      }
    }
  }

  async function deliver({ until = 0, ...webhook }: WebhookJob): Promise<boolean> {
    const receiver = webhook.to ?? 'consumer';
    const url = receiver === 'second' ? await secondUrl() : config.webhookUrl;
    if (url === '') return true; // the second receiver was removed
    const at = recordClock.now();
    const isDown = clock.steady() < until;
    const { status, outcome, sent } = isDown
      ? { status: 0, outcome: 'not sent: the fault receiverDown of the lab holds', sent: undefined }
      : await post(url, webhook);
    metrics?.delivery(status);
    await deliveries.recordAttempt(webhook.id, { at, receiver, url: shownAddress(url), status, outcome }, sent);
    return wasAccepted({ status });
  }

  async function attemptDelivery(webhook: WebhookJob, attempt: number): Promise<number | undefined> {
    if (await deliver(webhook)) return undefined;
    log.warn({ webhookId: webhook.id, attempt: attempt + 1, attempts }, 'a webhook was not taken');
    return attempt + 1 < attempts ? config.webhookRetryDelay * 2 ** attempt : undefined;
  }
  const deliveryJobs = jobs.define('webhook', attemptDelivery, { waits: true });

  /** Adds a job for each receiver; resolves with their numbers. */
  async function queue(webhook: WebhookJob, delay: number): Promise<number[]> {
    const webhooks = [
      ...(config.webhookUrl === '' ? [] : [webhook]),
      ...((await secondUrl()) === '' ? [] : [{ ...webhook, to: 'second' as const }]),
    ];
    const numbers: number[] = [];
    for (const each of webhooks) numbers.push(await deliveryJobs.add(each, delay));
    return numbers;
  }

  /**
   * Sends a webhook, within the transaction of the change that it notifies of. Resolves with its id; undefined if nobody
   * receives webhooks.
   */
  async function send(webhook: WireWebhook, { injected: cause, names }: SendOptions = {}): Promise<string | undefined> {
    if (isMuted || (config.webhookUrl === '' && (await secondUrl()) === '')) return undefined;
    const id = `msg_${newId()}`;
    const overtaken = heldBack;
    heldBack = [];
    const active = await faults.take('webhook', webhook.type, names);
    const fault = active?.fault;
    const injected = active?.injected ?? cause;
    const { webhookDelay } = config;
    const later = fault?.kind === 'delay' || fault?.kind === 'reorder' ? fault.ms : 0;
    const until = fault?.kind === 'receiverDown' ? clock.steady() + webhookDelay + fault.ms : undefined;
    await deliveries.add(id, webhook.type, stringify(webhook), recordClock.now(), injected);
    const job = {
      id,
      body: fault ? changedBody(webhook, fault, newId) : stringify(webhook),
      ...(injected && { injected }),
      ...(until !== undefined && { until }),
    };
    const numbers: number[] = [];
    for (let left = (fault && copies[fault.kind]) ?? 1; left > 0; left -= 1)
      numbers.push(...(await queue(job, webhookDelay + later)));
    if (fault?.kind === 'reorder') heldBack = numbers;
    for (const each of overtaken) await jobs.bringForward(each, webhookDelay + 1);
    return id;
  }

  return {
    send,
    mute: (muted: boolean): void => void (isMuted = muted),
    /** The addresses to which webhooks go now. */
    async addresses(): Promise<string[]> {
      return [config.webhookUrl, await secondUrl()].filter((url) => url !== '').map((url) => shownAddress(url));
    },
    /** Sends a webhook again, immediately, under its own id and without its fault. */
    async resend({ webhookId, body }: Pick<Delivery, 'webhookId' | 'body'>): Promise<void> {
      await queue({ id: webhookId, body }, 0);
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhooks>;

/** Number of copies sent of a webhook with this fault; 1 by default. */
const copies: Partial<Record<Fault<'webhook'>['kind'], number>> = { lose: 0, duplicate: 2 };

/** Returns the body of a webhook with this fault. */
function changedBody(webhook: WireWebhook, fault: Fault<'webhook'>, newId: () => string): string {
  if (fault.kind === 'array') return stringify([webhook]);
  if (fault.kind === 'otherSubscription') return stringify({ ...webhook, subscriptionId: newId() });
  const body = stringify(webhook);
  return fault.kind === 'changed' ? changedResponse({ status: 0, type: '', body }, fault).body : body;
}
