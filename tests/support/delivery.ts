import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

export interface Delivery {
  id?: string;
  headers?: Record<string, string>;
  secret?: string;
  at?: Date;
}

/** Sends a webhook's text to a console, signed and with the agreed header as the service does, and gives the answer. */
export function deliver(
  url: string,
  body: string,
  { id = randomUUID(), secret = sandboxCredentials.webhookSecret, at = new Date(), headers }: Delivery = {},
): Promise<Response> {
  return fetch(`${url}/notifications`, {
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
}
