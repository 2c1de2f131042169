import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookForm } from '../webhookForm.ts';
import type { MappedWebhooks, Mapping } from './mapping.ts';

export const createWebhookSecret = (): string => `whsec_${randomBytes(24).toString('base64')}`;

/** A type that no service has. */
const unknownType = 'verify.unknown.type';

/** Replaces the placeholders in a text. */
const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);

/** Replaces the placeholders in all texts of a value. */
function filledIn(value: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return filled(value, values);
  if (Array.isArray(value)) return value.map((each) => filledIn(each, values));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledIn(each, values)]));
}

/** Returns how the webhooks of a mapped service are written and signed. */
export function mappedForm(
  { path, body, type, headers, signature }: MappedWebhooks,
  { paid, failed, pending }: Mapping['statuses'],
  ownSecret: string,
): WebhookForm {
  const { header, signs, algorithm, encoding, value, separator } = signature;
  /** The status that the service has for one of the sandbox. */
  const said = (status: string): string =>
    (status === 'Completed' ? paid[0] : status === 'Failed' ? failed[0] : pending) ?? pending;
  return {
    path,
    bodyOf: (event) =>
      filledIn(body, {
        id: event.webhookId,
        batch: event.batchId,
        status: said(event.status),
        type: event.type === undefined ? unknownType : type,
        timestamp: String(Math.floor(Date.now() / 1000)),
      }) as object, // an object stays one
    signatureOf(text, { webhookId, timestamp }, secret = ownSecret) {
      const signed = filled(signs, { id: webhookId, timestamp, body: text });
      return filled(value, {
        timestamp,
        signature: createHmac(algorithm, secret).update(signed).digest(encoding),
      });
    },
    emptySignature: filled(value, { signature: '', timestamp: String(Math.floor(Date.now() / 1000)) }),
    headersOf: ({ webhookId, timestamp }, given) => ({
      ...(filledIn(headers, { id: webhookId, timestamp }) as Record<string, string>), // texts stay texts
      ...(given !== null && { [header]: given }),
    }),
    separator,
    hasTime: signs.includes('{timestamp}'),
    hasType: JSON.stringify(body).includes('{type}'),
    anotherSecret: createWebhookSecret,
  };
}
