import { z } from 'zod';
import { testRunners } from './exports.ts';
import { data, paged, pageQuery, text } from './shape.ts';

/** The schemas of the timeline. The server stores entries with placeholders such as $TOKEN in place of secrets. */

const count = z.number().int();

/**
 * `call`: from a page to the console; `service`: from the console to the service; `webhook`: from the service;
 * `program`: from a user's own program, directly to the embedded sandbox or through the console.
 */
const timelineKinds = ['call', 'service', 'webhook', 'program'] as const;

/** One side of an exchange, with placeholders such as $TOKEN in place of secrets. */
const messageSchema = z.object({
  headers: z.record(text, text),
  body: text,
  /** Length in bytes of the complete body as sent, secrets included. */
  bytes: count,
  /** Set if the body is no text: `body` is then Base64 of its bytes. */
  encoding: z.literal('base64').optional(),
  /** Length in bytes without the content coding; absent if there is none. */
  contentBytes: count.optional(),
  /** What stands in the body for each secret that was masked; absent if none was. Nothing else in the body is like it. */
  secretAs: text.optional(),
  /** Set if only the beginning of the body is stored. */
  truncated: z.literal(true).optional(),
});

export const timelineEntrySchema = z
  .object({
    /** Later entries have greater ids, compared as numbers. */
    id: text,
    kind: z.enum(timelineKinds),
    /** Common to a call, the requests to the service made for it, and the webhooks that answer it. */
    interactionId: text,
    /** The ISO time at which the exchange began. */
    at: text,
    /** Time (ms) until the answer had arrived; 0 for a webhook. */
    ms: z.number(),
    /** The journey whose page made the call, and that journey's state (`step`); '' if the caller named none. */
    journey: text,
    step: text,
    /**
     * The name of the console's call, also for requests made for it; for a webhook, its type; for a program that calls
     * through the console, the name of its token.
     */
    name: text,
    method: text,
    url: text,
    /** The HTTP status; 0 if no answer arrived, with the cause in `reason`. */
    status: count,
    reason: text,
    /** The number of the attempt: 1 for the first, 2 for the first retry. */
    attempt: count,
    request: messageSchema,
    response: messageSchema,
    /** Whether a webhook's signature is valid; '' if it was not checked, and for other entries. */
    signature: z.enum(['valid', 'invalid', '']),
    /** The signed text; '' if the request is unsigned (wire, section 2.2). */
    baseString: text,
    /** The mistakes in a program's call, one sentence each; absent if none were found. */
    wrong: z.array(text).optional(),
    /** What a program with a wrong signature seems to have signed instead of `baseString`; absent if unknown. */
    signed: text.optional(),
    /**
     * The fault that the sandbox's lab caused in a call without an answer, in the words of its header; absent if none.
     */
    fault: text.optional(),
    /** Set if a program made a call of the console, not a page. */
    byProgram: z.literal(true).optional(),
    /** Set if a webhook was older than what was known when it arrived, so that it changed nothing. */
    late: z.literal(true).optional(),
    /** The id of the message that a webhook answers; '' if it answers none. */
    answers: text,
  })
  .meta({ id: 'TimelineEntry' });

export type TimelineEntry = z.infer<typeof timelineEntrySchema>;
export type TimelineMessage = z.infer<typeof messageSchema>;

/** A time, as entries have it. */
const moment = z.iso.datetime('a time such as 2026-11-29T16:25:00.000Z');

/** `company`: what has brought the company from nothing to its last batch. */
const exportedOf = z.literal('company', 'company, or nothing').optional();

export const timelineShapes = {
  getTimeline: {
    query: z.object({
      journey: text.optional(),
      /** The id of an entry. */
      entry: text.optional(),
      /** The id of an interaction, or the idempotency key of a request: exactly its calls and the webhooks that answer it. */
      interaction: text.optional(),
      /** Names of entries, separated by commas: those of the console's calls. */
      name: text.optional(),
      kind: text
        .regex(
          new RegExp(`^(${timelineKinds.join('|')})(,(${timelineKinds.join('|')}))*$`),
          `one or several of ${timelineKinds.join(', ')}`,
        )
        .optional(),
      status: text.regex(/^(\d{3}|\dxx|0)$/, 'a status such as 200 or 4xx, or 0 for no response').optional(),
      /** Part of a name, an address, a reason or a body; or the whole id of an entry, an interaction, a message or a webhook. */
      text: text.max(200).optional(),
      /** `false` leaves out the reads that have succeeded, except those of programs. */
      reads: z.enum(['true', 'false']).optional(),
      /** `true`: only calls without an answer or with a status of 400 and above, and webhooks refused or not signed by the service. */
      failed: z.literal('true').optional(),
      /** Times (ISO) between which an exchange began; the first is included. */
      from: moment.optional(),
      to: moment.optional(),
      /** `true` leaves out headers and bodies: for what is drawn of many entries. */
      brief: z.literal('true').optional(),
      ...pageQuery,
    }),
    /** `createdBy`: the interaction id of the write that created the record that the query's `text` is the id of, if it is known. */
    answer: paged(timelineEntrySchema).extend({ createdBy: text.optional() }),
  },
  getTest: {
    params: z.object({ entryId: text }),
    query: z.object({ runner: z.enum(testRunners) }),
    /** The file: its name and its text. */
    answer: data(z.object({ name: text, text })),
  },
};

/** The query of an export of calls: a filter, or the company's way. */
export const collectionQuery = timelineShapes.getTimeline.query.omit({ brief: true }).extend({ of: exportedOf });
