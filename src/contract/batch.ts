import { z } from 'zod';
import type { SaidStatus } from './status.ts';
import { data, filled, rawQuery, rawSchema, skippedSchema, text } from './shape.ts';

/** An error of a batch. Members that the service omits are ''. */
export const batchErrorSchema = z.looseObject({
  target: text.default(''),
  message: text.default(''),
  code: text.default(''),
  index: z.number().int().optional(),
  resourceId: text.optional(),
  sourceId: text.optional(),
});

const staysPaidSchema = z.object({ reason: text, count: z.number().int(), invoices: z.array(text) });

export const batchSchema = z
  .looseObject({
    batchId: text,
    status: text,
    payments: z.array(z.looseObject({})).optional(),
  })
  .meta({ id: 'Batch' });

/**
 * The stored record of a posted batch; `amount` is the total by currency, e.g. "120.50 GBP", in major units. Times are
 * ISO times.
 */
export interface BatchRecord extends SaidStatus {
  batchId: string;
  amount: string;
  kind: 'electronic' | 'file';
  /** What of `amount` was paid, has failed and came back, by the last reading that listed its payments; '' for nothing. */
  totals?: { paid: string; failed: string; returned?: string };
  /** How many creditors it pays; absent in records of earlier releases. */
  creditors?: number;
  postedAt: string;
  /**
   * When the status was last read from the service, to the minute while it stays the same; absent while it is the status
   * returned at creation.
   */
  readAt?: string;
}

export type StaysPaid = z.infer<typeof staysPaidSchema>;
export type BatchError = z.infer<typeof batchErrorSchema>;
export type Batch = z.infer<typeof batchSchema>;

/**
 * A payment file: its bytes as the service sent them, its media type with the charset that the service declares, and
 * the name to save it under. Sent as the body, Content-Type and Content-Disposition of the answer.
 */
const paymentFileSchema = z.object({ bytes: z.instanceof(Uint8Array), type: text, name: text });
export type PaymentFile = z.infer<typeof paymentFileSchema>;

export const batchShapes = {
  getBatch: {
    params: z.object({ batchId: filled }),
    query: z.object(rawQuery),
    answer: z.object({
      data: batchSchema,
      links: z.looseObject({ paymentFile: text.optional(), authorise: text.optional() }).optional(),
      /** Whether the authorise link points to one of the known providers' origins. */
      followed: z.boolean(),
      error: z.looseObject({ detail: z.array(batchErrorSchema) }).optional(),
      /** Present with errors: the references of the payments, in the order in which the console sent them. */
      references: z.array(text).optional(),
      /** The end status that the service had said before it says one in progress; absent if it did not. */
      ended: text.optional(),
      /**
       * Why invoices of the batch stay paid although the service reports a failure: their number, and the names of the
       * first 20. Absent if there are none.
       */
      staysPaid: z.array(staysPaidSchema).optional(),
      /** Why a batch in progress waits: its scheme does not process on its day; a sentence each. Absent if nothing is known. */
      waits: z.array(text).optional(),
      skipped: skippedSchema,
      raw: rawSchema,
    }),
  },
  /** `data` is a JSON string of batch records (behaviour, section 7). */
  getPostedBatches: { answer: data(text) },
  downloadPaymentFile: {
    /** A link that a reading of the batch returned; it may have expired. */
    params: z.object({ link: filled }),
    /** The batch; if absent, it is found by the link. */
    query: z.object({ batchId: filled.optional() }),
    answer: paymentFileSchema,
  },
};
