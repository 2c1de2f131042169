import { z } from 'zod';
import { data, paged, pageQuery, text } from './shape.ts';

/** What passed, as the server keeps it: without secrets, which are written as $TOKEN. */

const count = z.number().int();

/** `call` from a page to the console, `service` from the console to the service, `webhook` from the service. */
const timelineKinds = ['call', 'service', 'webhook'] as const;

/** One side of an exchange. `body` may be cut short, then it is shorter than `bytes` says. */
const messageSchema = z.object({
  headers: z.record(text, text),
  body: text,
  /** Of the whole body. */
  bytes: count,
});

export const timelineEntrySchema = z
  .object({
    /** Later entries have greater ids, compared as numbers. */
    id: text,
    kind: z.enum(timelineKinds),
    /** Joins a call, what the console asked of the service for it, and the webhooks that answer. */
    interactionId: text,
    /** When it began, an ISO time. */
    at: text,
    /** Milliseconds until the answer had arrived; 0 for a webhook. */
    ms: z.number(),
    /** The journey whose page made the call and the state it was in, '' if the caller named none. */
    journey: text,
    step: text,
    /** Of the console's call, also for what the console asked of the service for it; of a webhook its type. */
    name: text,
    method: text,
    url: text,
    /** 0 if no answer arrived; `reason` says why. */
    status: count,
    reason: text,
    /** 1 for the first, 2 for the first repeat. */
    attempt: count,
    request: messageSchema,
    response: messageSchema,
    /** Whether a webhook's signature holds; '' where none is looked at, and for what is no webhook. */
    signature: z.enum(['valid', 'invalid', '']),
    /** The text that was signed, '' if the request carries no signature (wire, section 2.2). */
    baseString: text,
    /** Id of the message that a webhook answers, '' if it answers none. */
    answers: text,
  })
  .meta({ id: 'TimelineEntry' });

export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
export type TimelineMessage = z.infer<typeof messageSchema>;

export const timelineShapes = {
  getTimeline: {
    query: z.object({
      journey: text.optional(),
      /** Of an entry, an interaction, or a record that stands in it. */
      id: text.optional(),
      kind: text
        .regex(
          new RegExp(`^(${timelineKinds.join('|')})(,(${timelineKinds.join('|')}))*$`),
          `one or several of ${timelineKinds.join(', ')}`,
        )
        .optional(),
      status: text.regex(/^(\d{3}|\dxx|0)$/, 'a status such as 200 or 4xx, or 0 for no answer').optional(),
      text: text.max(200).optional(),
      /** `false` leaves out the readings of facts and settings, which every page makes. */
      facts: z.enum(['true', 'false']).optional(),
      ...pageQuery,
    }),
    answer: paged(timelineEntrySchema),
  },
  repeatCall: {
    params: z.object({ entryId: text }),
    /** `same`: shows the first answer. `new`: another request, in the sandbox only. */
    body: z.object({ key: z.enum(['same', 'new']) }),
    /** `entry` is that of the call that was made for it. */
    answer: data(z.object({ entry: timelineEntrySchema, replayed: z.boolean() })),
  },
};
