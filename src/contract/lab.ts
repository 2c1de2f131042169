import { z } from 'zod';
import {
  checkedSchema,
  clockChangeSchema,
  clockSchema,
  explainedSchema,
  faultRuleSchema,
  keptRuleSchema,
  labBatchSchema,
  receivedWebhookSchema,
  receiverSchema,
  sentWebhookSchema,
  sinceSchema,
} from './controlShapes.ts';
import type { FaultRule, KeptRule, resentWebhookSchema } from './controlShapes.ts';
import { data, text } from './shape.ts';

/** The console's calls of the fault lab; the sandbox answers in the same shapes (docs/sandbox.md). */

const keptRule = keptRuleSchema as unknown as z.ZodType<KeptRule>; // the sandbox has validated it with faultRuleSchema

const standingSchema = z
  .object({
    rules: z.array(keptRule),
    clock: clockSchema,
    /** The second receiver of webhooks; null if there is none. */
    receiver: z.object({ url: text.nullable() }),
  })
  .meta({ id: 'Lab' });

/** The answer to a call that returns nothing. */
const done = data(z.null());
const ofWebhook = z.object({ webhookId: text });

export const labShapes = {
  getLab: { answer: data(standingSchema) },
  stopLab: { answer: done },
  setFault: {
    body: faultRuleSchema as unknown as z.ZodType<FaultRule, FaultRule>, // the page sends complete rules
    answer: data(keptRule),
  },
  removeFault: { params: z.object({ ruleId: text }), answer: done },
  stopFaults: { answer: done },
  changeClock: { body: clockChangeSchema, answer: data(clockSchema) },
  resetClock: { answer: data(clockSchema) },
  setReceiver: { body: receiverSchema, answer: done },
  removeReceiver: { answer: done },
  getLabBatches: { answer: data(z.array(labBatchSchema)) },
  stepBatch: { params: z.object({ batchId: text }), answer: data(z.object({ batchId: text, status: text })) },
  getLabWebhooks: { answer: data(z.array(sentWebhookSchema)) },
  /** Returns the number of webhooks to be resent, and the addresses to which they go. */
  sendWebhooksAgain: { body: sinceSchema, answer: data(z.object({ count: z.int(), to: z.array(text) })) },
  sendWebhookAgain: { params: ofWebhook, answer: data(z.object({ to: z.array(text) })) },
  explainSignature: { params: ofWebhook, answer: data(explainedSchema) },
  checkWebhook: { body: receivedWebhookSchema, answer: data(checkedSchema) },
  emptySandbox: { answer: done },
};

export type LabStanding = z.infer<typeof standingSchema>;
export type LabClock = z.infer<typeof clockSchema>;
export type LabBatch = z.infer<typeof labBatchSchema>;
export type SentWebhook = z.infer<typeof sentWebhookSchema>;
export type ResentWebhook = z.infer<typeof resentWebhookSchema>;
export type SignatureExplained = z.infer<typeof explainedSchema>;
export type SignatureChecked = z.infer<typeof checkedSchema>;
