import { createHmac } from 'node:crypto';
import { pathOf } from '#contract/serviceCalls.ts';
import type { Situation } from './situation.ts';

/** What a webhook tells, in the words of the sandbox. */
interface WebhookEvent {
  webhookId: string;
  /** The type; undefined for one that nobody knows. */
  type?: string | undefined;
  status: string;
  batchId: string;
}

/** What is signed besides the body. */
interface SignedWith {
  webhookId: string;
  /** Seconds since the epoch. */
  timestamp: string;
}

/** How a service writes and signs its webhooks. */
export interface WebhookForm {
  /** The path at the program. */
  path: string;
  bodyOf: (event: WebhookEvent) => object;
  /** Returns the value of the header of the signature, by the secret or by another one; of a wrong value by `value`. */
  signatureOf: (body: string, by: SignedWith, secret?: string) => string;
  /** The value of the header with a signature of no characters. */
  emptySignature: string;
  /** The headers of a webhook; without a signature if it is null. */
  headersOf: (by: SignedWith, signature: string | null) => Record<string, string>;
  /** What stands between several signatures; undefined if there is one only. */
  separator: string | undefined;
  /** Whether the time is signed, so that an old webhook can be told. */
  hasTime: boolean;
  /** Whether the body names a type. */
  hasType: boolean;
  /** Returns a secret of the same form. */
  anotherSecret: () => string;
}

/** The Standard Webhooks of the sandbox (wire, section 6). */
export const sandboxForm = ({ subscriptionId, webhookSecret, url }: Situation): WebhookForm => ({
  path: '/notifications',
  bodyOf: ({ type = 'settlementReported', status, batchId }) => ({
    type,
    subscriptionId,
    resource: { id: batchId, type: 'BatchPayment', url: `${url}${pathOf('batch', batchId)}` },
    data: { status },
  }),
  signatureOf: (body, { webhookId, timestamp }, secret = webhookSecret) =>
    `v1,${createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
      .update(`${webhookId}.${timestamp}.${body}`)
      .digest('base64')}`,
  emptySignature: 'v1,',
  headersOf: ({ webhookId, timestamp }, signature) => ({
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    ...(signature !== null && { 'webhook-signature': signature }),
  }),
  separator: ' ',
  hasTime: true,
  hasType: true,
  anotherSecret: () => `whsec_${Buffer.from(crypto.randomUUID()).toString('base64')}`,
});
