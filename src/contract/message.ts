import { z } from 'zod';
import { data, filled, jsonSchema, paged, pageQuery, read, text } from './shape.ts';

/**
 * A message to a provider and its outcome. `state` is 'waiting' until the provider's webhook reports a final status;
 * `status` is the provider's last status, '' if none. Times are ISO times.
 */
const messageSchema = z
  .object({
    messageId: text,
    kind: text,
    /** The id of the debtor, creditor or subscription that the message is about. */
    resourceId: text,
    subscriptionId: text,
    /** The name of the debtor or creditor in a put; '' for other messages. */
    name: text,
    /** The data of the request's body. */
    data: z.record(text, jsonSchema),
    state: z.enum(['waiting', 'accepted', 'refused']),
    status: text,
    /** The reason of a refusal. */
    detail: text,
    sentAt: text,
    /**
     * Whether the service accepted the message: false while it is being sent, and if the service's answer (202) was
     * lost.
     */
    forwarded: z.boolean(),
    /** The provider's link to authorise the message; '' if it needs no authorisation. */
    authorise: text,
    authoriseExpiresAt: text,
    /** Whether the authorise link points to one of the known providers' origins. */
    followed: z.boolean(),
    /** Whether the message is a query whose list has arrived and has not been read. */
    unread: z.boolean(),
  })
  .meta({ id: 'Message' });

/** A webhook as received; it is unread until a page consumes it (behaviour, section 3: webhookData). */
export const webhookSchema = z
  .object({
    id: text,
    receivedAt: text,
    /** When the service signed it; absent without a signature. */
    sentAt: text.optional(),
    type: text,
    subscriptionId: text.optional(),
    /** The interaction id of the message that the webhook answers; absent if the service does not give it. */
    interactionId: text.optional(),
    resource: z.looseObject({ id: text, type: text }).optional(),
    data: jsonSchema.optional(),
  })
  .meta({ id: 'Webhook' });

export type Message = z.infer<typeof messageSchema>;
export type Webhook = z.infer<typeof webhookSchema>;

/**
 * The body of a call that sends a message. `whilePending` applies while an earlier message awaits its answer. By
 * default, a call is refused (code `message-pending`) if the same message about the same debtor, creditor or
 * subscription is waiting. With `refuse`, it is also refused if a put with the same values under another id, or another
 * update of the same subscription (`errors` says that it differs), is waiting, and (code `exists-already`) if the
 * debtor or creditor is stored under another id. With `send`, it is never refused.
 */
export const message = <T extends z.ZodType>(schema: T) =>
  z.object({ data: schema, whilePending: z.enum(['refuse', 'send']).optional() });

/** 202 from the service: forwarded, not completed (wire, section 6.1). The outcome can be read by `messageId`. */
export const accepted = z.object({ accepted: z.literal(true), interactionId: text, messageId: text });

export const messageShapes = {
  listMessages: {
    query: z.object({
      state: messageSchema.shape.state.optional(),
      /** One or more kinds, separated by commas. */
      kind: text.optional(),
      subscriptionId: text.optional(),
      resourceId: text.optional(),
      ...pageQuery,
    }),
    answer: paged(messageSchema),
  },
  getMessage: {
    params: z.object({ resourceId: filled }),
    /** For a query, contains the webhook with its list until it is read. */
    answer: read(messageSchema.extend({ webhook: webhookSchema.optional() })),
  },
  sendMessageAgain: { params: z.object({ messageId: filled }), answer: data(messageSchema) },
  listWebhooks: {
    query: z.object(pageQuery),
    answer: paged(webhookSchema).extend({ lost: z.number().int() }),
  },
};
