import { z } from 'zod';
import { listedSchemas } from '#contract/party.ts';
import type { AnswerType, WebhookType } from '#contract/serviceCalls.ts';
import { jsonSchema, text } from '#contract/shape.ts';
import { address } from './answers.ts';
import { chosen, specified, type Source } from './documented.ts';
import { header } from './wire.ts';

/**
 * choice: a webhook's body, as it is read. `type` is 'subscriptionUpdated', 'batchUpdated', or the type that answers the
 * message (wire, section 6.1: 'debtoraccountlistqueryresponses' answers 'debtoraccountlistqueries'). choice: the answer to
 * a message has the message's interaction id.
 */
export const webhookSchema = z.looseObject({
  type: text,
  subscriptionId: text.optional(),
  interactionId: text.optional(),
  resource: z.looseObject({ id: text, type: text.default(''), url: text.optional() }).optional(),
  data: jsonSchema.optional(),
  /** The name used by the sibling services. */
  additionalData: jsonSchema.optional(),
});

export type WireWebhook = z.infer<typeof webhookSchema>;

/** A part of a webhook that is read, as the webhooks of a type have it. */
type Members = Partial<Record<keyof typeof webhookSchema.shape, z.ZodType>>;
const bodyOf = (type: WebhookType, members: Members, source?: Source): z.ZodType =>
  z.looseObject({ type: source ? z.literal(type).meta(source) : z.literal(type), ...members });
const resource = (type: string, more = {}) => z.looseObject({ id: text, type: z.literal(type), ...more });
const located = { url: address };
const status = { status: text };
const errors = z.array(z.looseObject({ path: text, message: text })).optional();
const links = z
  .looseObject({ authorise: text.optional(), authoriseIssuedAt: text.optional(), authoriseExpiresAt: text.optional() })
  .optional()
  .meta(specified('6.2.1'));

/** Which payments of a batch were held or came back. */
const changedPayments = z
  .array(
    z.looseObject({ paymentId: text, ...status, extendedStatus: text.optional(), additionalData: text.optional() }),
  )
  .optional()
  .meta(chosen('12.7'));

/** An answer to a message about a resource: its list, or what the provider decided. */
const answer = (type: AnswerType, about: string, data: z.ZodType): z.ZodType =>
  bodyOf(type, { subscriptionId: text, interactionId: text, resource: resource(about), data }, specified('6.1.4'));
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

/** The body of each webhook as it is documented, by its type. */
export const webhookBodies: Readonly<Record<WebhookType, z.ZodType>> = {
  subscriptionUpdated: bodyOf('subscriptionUpdated', {
    subscriptionId: text,
    resource: resource('Subscription', located),
    data: z.looseObject({ ...status, suspendedByConsumer: z.boolean() }),
  }),
  batchUpdated: bodyOf('batchUpdated', {
    subscriptionId: text.optional(),
    resource: resource('BatchPayment', located),
    data: z.looseObject({ ...status, payments: changedPayments }),
  }),
  updates: answer('updates', 'Subscription', decision({ id: text })),
  debtoraccountputs: answer('debtoraccountputs', 'DebtorAccount', decision({ debtorId: text })),
  creditorputs: answer('creditorputs', 'Creditor', decision({ creditorId: text })),
  debtoraccountlistqueryresponses: answer('debtoraccountlistqueryresponses', 'Subscription', list('debtors')),
  creditorlistqueryresponses: answer('creditorlistqueryresponses', 'Subscription', list('creditors')),
  debtoraccountdeletes: answer('debtoraccountdeletes', 'DebtorAccount', decision({ debtorId: text })),
  creditordeletes: answer('creditordeletes', 'Creditor', decision({ creditorId: text })),
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
