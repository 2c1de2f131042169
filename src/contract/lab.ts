import { z } from 'zod';
import { controlCalls, type ControlAnswer } from './controlCalls.ts';
import type { FaultRule, KeptRule } from './controlShapes.ts';
import { serviceCalls, type ServiceOperation } from './serviceCalls.ts';
import { data, filled, jsonSchema, text } from './shape.ts';

/** The console's calls of the fault lab, in the shapes of the sandbox's own (docs/sandbox.md). */

const {
  addRule,
  checkWebhook,
  explainSignature,
  listBatches,
  listWebhooks,
  moveClock,
  sendAllAgain,
  setReceiver,
  stepBatch,
} = controlCalls;
const keptRule = addRule.answer as unknown as z.ZodType<KeptRule>; // the sandbox has validated it by the body
const clock = moveClock.answer;

const standingSchema = z
  .object({
    rules: z.array(keptRule),
    clock,
    /** The second receiver of webhooks; null if there is none. */
    receiver: z.object({ url: text.nullable() }),
  })
  .meta({ id: 'Lab' });

/** A webhook that the sandbox has sent; `late`: the console knew something newer when it arrived. */
const sentWebhook = listWebhooks.answer.element.extend({ late: z.literal(true).optional() });

/** The answer to a call that returns nothing. */
const done = data(z.null());
const ofWebhook = z.object({ webhookId: text });

export const labShapes = {
  getLab: { answer: data(standingSchema) },
  stopLab: { answer: done },
  setFault: {
    body: addRule.body as unknown as z.ZodType<FaultRule, FaultRule>, // the page sends complete rules
    answer: data(keptRule),
  },
  removeFault: { params: z.object({ ruleId: text }), answer: done },
  stopFaults: { answer: done },
  changeClock: { body: moveClock.body, answer: data(clock) },
  resetClock: { answer: data(clock) },
  setReceiver: { body: setReceiver.body, answer: done },
  removeReceiver: { answer: done },
  getLabBatches: { answer: data(listBatches.answer) },
  stepBatch: { params: z.object({ batchId: text }), answer: data(stepBatch.answer) },
  getLabWebhooks: { answer: data(z.array(sentWebhook)) },
  /** Returns the number of webhooks to be resent, and the addresses to which they go. */
  sendWebhooksAgain: { body: sendAllAgain.body, answer: data(z.object({ count: z.int(), to: z.array(text) })) },
  sendWebhookAgain: { params: ofWebhook, answer: data(z.object({ to: z.array(text) })) },
  explainSignature: { params: ofWebhook, answer: data(explainSignature.answer) },
  checkWebhook: { body: checkWebhook.body, answer: data(checkWebhook.answer) },
  sendExample: {
    params: z.object({ operation: z.enum(Object.keys(serviceCalls) as ServiceOperation[]) }),
    /** `ids`: those in the path, in its order; `key`: the idempotency key, read where the operation writes. */
    body: z.strictObject({
      method: z.enum(['GET', 'POST', 'PATCH']),
      ids: z.array(filled),
      query: z.record(text, text),
      body: jsonSchema.optional(),
      key: text.regex(/^[!-~]{1,200}$/),
    }),
    answer: data(z.object({ interactionId: text, status: z.int() })),
  },
  emptySandbox: { answer: done },
};

export type LabStanding = z.infer<typeof standingSchema>;
export type LabClock = ControlAnswer<'readClock'>;
export type LabBatch = ControlAnswer<'listBatches'>[number];
export type SentWebhook = z.infer<typeof sentWebhook>;
export type ResentWebhook = ControlAnswer<'sendAgain'>;
export type SignatureExplained = ControlAnswer<'explainSignature'>;
export type SignatureChecked = ControlAnswer<'checkWebhook'>;
