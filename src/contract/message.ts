import { z } from 'zod';
import { data, filled, jsonSchema, paged, pageQuery, read, text } from './shape.ts';

/**
 * A message to a provider and its outcome. `state` is 'waiting' until the provider's webhook brings an end status;
 * `status` is the provider's last status, '' if none. Times are ISO times.
 */
const messageSchema = z
  .object({
    messageId: text,
    kind: text,
    /** The debtor, creditor or subscription that it is about. */
    resourceId: text,
    subscriptionId: text,
    /** What a put calls the debtor or creditor, '' for other messages. */
    name: text,
    /** The body as it was sent. */
    data: z.record(text, jsonSchema),
    state: z.enum(['waiting', 'accepted', 'refused']),
    status: text,
    /** Why it was refused. */
    detail: text,
    sentAt: text,
    /** The service has taken it. False while it is being sent, and where its answer (202) was lost. */
    forwarded: z.boolean(),
    /** Where the provider wants it authorised, '' if nowhere. */
    authorise: text,
    authoriseExpiresAt: text,
    /** The link leads to the pages of a provider that the console knows. */
    followed: z.boolean(),
    /** It is a query whose list has arrived, and nobody has read it yet. */
    unread: z.boolean(),
  })
  .meta({ id: 'Message' });

/** A webhook as it was received, unread until a page consumes it (behaviour, section 3: webhookData). */
export const webhookSchema = z
  .object({
    id: text,
    receivedAt: text,
    type: text,
    subscriptionId: text.optional(),
    /** Of the message that it answers, where the service says so. */
    interactionId: text.optional(),
    resource: z.looseObject({ id: text, type: text }).optional(),
    data: jsonSchema.optional(),
  })
  .meta({ id: 'Webhook' });

export type Message = z.infer<typeof messageSchema>;
export type Webhook = z.infer<typeof webhookSchema>;

/**
 * A message, and what happens while an earlier one awaits its answer. By default it is refused (code `message-pending`) if it
 * is about the same debtor, creditor or subscription; with `refuse` also if it puts the same values under another id, or
 * is another update of the same subscription (`errors` says that it differs); with `send` it is never refused.
 */
export const message = <T extends z.ZodType>(schema: T) =>
  z.object({ data: schema, whilePending: z.enum(['refuse', 'send']).optional() });

/** 202 from the service: forwarded, not done (wire, section 6.1). `messageId` is what the outcome is asked for by. */
export const accepted = z.object({ accepted: z.literal(true), interactionId: text, messageId: text });

export const messageShapes = {
  listMessages: {
    query: z.object({
      state: messageSchema.shape.state.optional(),
      /** One kind or several, separated by commas. */
      kind: text.optional(),
      subscriptionId: text.optional(),
      resourceId: text.optional(),
      ...pageQuery,
    }),
    answer: paged(messageSchema),
  },
  getMessage: {
    params: z.object({ resourceId: filled }),
    /** With the webhook that brought the list which a query asked for, until it was read. */
    answer: read(messageSchema.extend({ webhook: webhookSchema.optional() })),
  },
  sendMessageAgain: { params: z.object({ messageId: filled }), answer: data(messageSchema) },
  listWebhooks: {
    query: z.object(pageQuery),
    answer: paged(webhookSchema).extend({ lost: z.number().int() }),
  },
};
