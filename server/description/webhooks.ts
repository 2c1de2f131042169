import { z } from 'zod';
import { listedSchemas } from '#contract/party.ts';
import type { AnswerType, WebhookType } from '#contract/requests/endpoints.ts';
import { text } from '#contract/shape.ts';
import { address } from '#server/upstream/answers.ts';
import { header } from '#server/upstream/wire.ts';
import { chosen, specified, type Source } from '#server/upstream/source.ts';

const status = { status: text };
const resource = (type: string, more = {}) => z.looseObject({ id: text, type: z.literal(type), ...more });
const located = { url: address };
const errors = z.array(z.looseObject({ path: text, message: text })).optional();
const links = z
  .looseObject({ authorise: text.optional(), authoriseIssuedAt: text.optional(), authoriseExpiresAt: text.optional() })
  .optional()
  .meta(specified('6.2.1'));

/** An answer to a message: its list, or what the provider decided. */
const answer = (type: AnswerType, about: z.ZodType, data: z.ZodType): z.ZodType =>
  z.looseObject({
    type: z.literal(type).meta(specified('6.1.4')),
    subscriptionId: text,
    interactionId: text,
    resource: about,
    data,
  });
const decision = (members: Record<string, z.ZodType>) => z.looseObject({ ...members, ...status, errors, links });
const list = (of: 'debtors' | 'creditors') =>
  z.looseObject({
    [of]: z
      .array(listedSchemas[of].meta({ 'x-repeats': true }))
      .optional()
      .meta(chosen('6.1.3')),
    status: text.optional(),
    errors,
  });

/** The body of each webhook, by its type. */
export const webhookBodies: Readonly<Record<WebhookType, z.ZodType>> = {
  subscriptionUpdated: z.looseObject({
    type: z.literal('subscriptionUpdated'),
    subscriptionId: text,
    resource: resource('Subscription', located),
    data: z.looseObject({ ...status, suspendedByConsumer: z.boolean() }),
  }),
  batchUpdated: z.looseObject({
    type: z.literal('batchUpdated'),
    subscriptionId: text.optional(),
    resource: resource('BatchPayment', located),
    data: z.looseObject(status),
  }),
  updates: answer('updates', resource('Subscription'), decision({ id: text })),
  debtoraccountputs: answer('debtoraccountputs', resource('DebtorAccount'), decision({ debtorId: text })),
  creditorputs: answer('creditorputs', resource('Creditor'), decision({ creditorId: text })),
  debtoraccountlistqueryresponses: answer('debtoraccountlistqueryresponses', resource('Subscription'), list('debtors')),
  creditorlistqueryresponses: answer('creditorlistqueryresponses', resource('Subscription'), list('creditors')),
  debtoraccountdeletes: answer('debtoraccountdeletes', resource('DebtorAccount'), decision({ debtorId: text })),
  creditordeletes: answer('creditordeletes', resource('Creditor'), decision({ creditorId: text })),
};

const named = (description: string, source: Source) => text.meta({ description, ...source });

/** The headers of a webhook: its signature according to Standard Webhooks, and the application. */
export const webhookHeaders = z.object({
  'webhook-id': named('The same in each attempt to deliver the webhook', chosen('6.3.2', '6.3.6')),
  'webhook-timestamp': named('When it was signed, in seconds since 1970', chosen('6.3.2')),
  'webhook-signature': named(
    'v1 and the HMAC-SHA256, in Base64, of id, timestamp and body joined by dots; the key is the secret behind whsec_, decoded from Base64',
    chosen('6.3.2', '6.3.7'),
  ),
  [header.application]: named('The application that the webhook belongs to', chosen('6.3.4')).optional(),
});

export const webhookSource = specified('6.3.1');
export const webhookBodySource = chosen('6.3.2');
