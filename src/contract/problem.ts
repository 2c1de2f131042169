import { z } from 'zod';
import type { CallName } from './calls.ts';
import { failureCodes, type FailureCode } from './failureCodes.ts';
import { ofRepeat, outcomes } from './outcome.ts';

/** An error body: problem+json (RFC 9457) with the console's `code`, the invalid fields and the service's answer. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    code: z.enum(failureCodes),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
    upstream: z.object({ status: z.number().int(), body: z.string() }).optional(),
    interactionId: z.string().optional(),
    /** By what the request is found in the console's log, and in traces; also in the answer's headers. */
    requestId: z.string().optional(),
    traceparent: z.string().optional(),
    /** For a call that changes something: whether the change was made. */
    outcome: z.enum(outcomes).optional(),
    /**
     * For a repeat that was not sent, or was refused, although its outcome is unknown: an earlier request under the same
     * idempotency key may have been executed.
     */
    repeat: z.enum(ofRepeat).optional(),
    /**
     * For a repeat that failed before it was looked up: what is known of the earlier request under its idempotency key.
     * `not-read`: the console could not look, or does not know who asks.
     */
    earlier: z
      .object({ state: z.enum(['done', 'unknown', 'not-read']), detail: z.string(), id: z.string().optional() })
      .optional(),
    /** The message that is waiting for its answer (code `message-pending`), or that may have been sent. */
    messageId: z.string().optional(),
    /** Stands for earlier writes that may have created one (code `exists-already`): the query that has it creates another. */
    despite: z.string().optional(),
    /** Seconds to wait before the next attempt, if known; same as the header Retry-After. */
    retryAfter: z.number().int().optional(),
  })
  .meta({ id: 'Problem' });

export type { FailureCode };
/** `call`: the call that failed; the page adds it, to know what a retry does. */
export type Problem = z.infer<typeof problemSchema> & { call?: CallName };

/**
 * The effect of "Try again" after a failure. `reads`: sends nothing that changes anything. `confirms`: asks the user
 * first. `same`: sends the failed request again under its idempotency key, so that it takes effect once. `new`: sends
 * another request.
 */
export type Retry = 'reads' | 'confirms' | 'same' | 'new';
