import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { notificationsPath } from '#server/http/paths.ts';
import { sandboxCredentials } from './sandboxCredentials.ts';

const { webhookSecret, webhookHeader } = sandboxCredentials;

/** The properties of a webhook's delivery; authentic by default. */
export interface Delivery {
  id?: string;
  at?: Date;
  /** The signing secret; '' leaves the webhook unsigned. */
  secret?: string;
  /** The agreed header. */
  agreed?: Record<string, string>;
  /** Additional or overriding headers. */
  headers?: Record<string, string>;
}

/** Delivers the text of a webhook to the console at `url` and returns the answer. */
export function deliver(
  url: string,
  text: string,
  {
    id = randomUUID(),
    at = new Date(),
    secret = webhookSecret,
    agreed = { [webhookHeader.name]: webhookHeader.value },
    headers,
  }: Delivery = {},
): Promise<Response> {
  const signature = secret !== '' && {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, at, text),
  };
  return fetch(url + notificationsPath, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...signature, ...agreed, ...headers },
  });
}
