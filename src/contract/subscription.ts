import { z } from 'zod';
import { accepted, message } from './message.ts';
import { besideQuery, data, filled, jsonSchema, read, text } from './shape.ts';
import type { SaidStatus } from './status.ts';

export const subscriptionSchema = z
  .looseObject({
    subscriptionId: text,
    providerId: text,
    status: text,
    suspendedByConsumer: z.boolean().optional(),
    /** In the console's own requests, a string that contains JSON. */
    additionalData: jsonSchema.optional(),
  })
  .meta({ id: 'Subscription' });

/** The record stored when a subscription is created (behaviour, section 3: locally stored subscription record). */
export interface SubscriptionRecord extends SaidStatus {
  subscriptionId: string;
  providerId: string;
  /** false at creation; later a copy of `suspendedByConsumer`. */
  suspended: boolean;
  useMock: string;
  /** Present only if useMock is the string 'true': providerUrl + provider/subscription/authorise/{subscriptionId}. */
  authLink?: string;
}

export type Subscription = z.infer<typeof subscriptionSchema>;

export const subscriptionShapes = {
  getSubscription: {
    params: z.object({ subscriptionId: filled }),
    answer: read(
      z.object({
        data: subscriptionSchema,
        links: z.looseObject({ authorise: text.optional() }).optional(),
        /** Whether the authorise link points to one of the known providers' origins. */
        followed: z.boolean(),
        /** The end status that the service had said before it says one in progress; absent if it did not. */
        ended: text.optional(),
      }),
    ),
  },
  createSubscription: {
    /** Beside the latest subscription, whichever is in use. */
    query: z.object(besideQuery),
    body: data(z.object({ providerId: filled, additionalData: text })),
    answer: data(z.looseObject({ subscriptionId: text, providerId: text, status: text })),
  },
  patchSubscription: {
    params: z.object({ subscriptionId: filled }),
    body: data(z.object({ suspendedByConsumer: z.boolean() })),
    answer: data(subscriptionSchema),
  },
  sendUpdate: {
    body: message(
      z.object({
        resource: z.literal('Subscription'),
        id: filled,
        subscriptionId: filled,
        properties: z.record(text, jsonSchema),
      }),
    ),
    answer: accepted,
  },
};
