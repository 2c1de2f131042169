import { z } from 'zod';
import { maximumPayments } from './constants.ts';
import { executionDateShape, executionDatePattern, isExecutionDate } from './executionDate.ts';
import { amountFlaw, amountPattern, amountShape, currencyFlaw } from './money.ts';
import { agentSchema, namedAccountSchema, postalAddressSchema } from './party.ts';
import { data, jsonSchema, text } from './shape.ts';
import { isBlank } from './text.ts';

/** `amount` is a decimal string in major units ("120.50"), never a floating-point number. */
const amountSchema = text.regex(amountPattern, {
  error: amountShape,
  abort: true, // otherwise its decimals are counted nevertheless
});

/**
 * The standing of an invoice: `paid` in a batch; `failed` if its payment failed, so that it can be paid again; or
 * `unknown` if an attempt may have paid it. `at` is the ISO time of that attempt. Both `at` and `batchId` are absent for a
 * payment of another user. `says`: what the service says of a payment that it does not call completed; of an unknown one, why
 * its outcome is not known.
 */
const standingSchema = z.object({
  state: z.enum(['unknown', 'paid', 'failed']),
  at: text.optional(),
  batchId: text.optional(),
  says: text.optional(),
});

/** A listed invoice; `creditor` is the id of the creditor to be paid. */
export const invoiceSchema = z
  .object({
    invoiceId: text,
    creditor: text,
    creditorName: text,
    description: text,
    amount: amountSchema,
    currency: text,
    /** Absent if no attempt has been made to pay it. */
    payment: standingSchema.optional(),
  })
  .meta({ id: 'Invoice' });

const currencySchema = text.regex(/^[A-Z]{3}$/, { error: currencyFlaw(''), abort: true }).refine(
  (currency) => currencyFlaw(currency) === '',
  { error: ({ input }) => currencyFlaw(input as string), abort: true }, // checked above
);

/** An amount that can be paid in its currency. */
export const instructedAmountSchema = z
  .object({ amount: amountSchema, currency: currencySchema })
  .superRefine(({ amount, currency }, context) => {
    const message = amountFlaw(amount, currency);
    if (message) context.addIssue({ code: 'custom', path: ['amount'], message });
  });

const paymentSchema = z
  .object({
    instructedAmount: instructedAmountSchema,
    debtorAgent: agentSchema.optional(),
    debtorAccount: namedAccountSchema.optional(),
    creditorAgent: agentSchema.optional(),
    creditorAccount: namedAccountSchema.optional(),
    creditor: z.looseObject({
      name: text,
      creditorId: text.optional(),
      postalAddress: postalAddressSchema.optional(),
    }),
    remittanceInformation: z.object({ reference: text.optional(), unstructured: text.optional() }).optional(),
    additionalData: jsonSchema.optional(),
  })
  .meta({ id: 'Payment' });

export const batchRequestSchema = z
  .object({
    externalId: text.refine((id) => !isBlank(id), 'a value is required'),
    subscriptionId: text.optional(),
    fileFormatId: text.optional(),
    debtor: z.object({ debtorId: text }).optional(),
    /** The page sends the chosen day at 00:00:00Z (behaviour, section 9). */
    requestedExecutionDateTime: text
      .regex(new RegExp(executionDatePattern), { error: executionDateShape, abort: true })
      .refine(isExecutionDate, executionDateShape),
    userIdentification: z.looseObject({ name: text.optional() }).optional(),
    additionalData: jsonSchema.optional(),
    debtorAgent: agentSchema.optional(),
    debtorAccount: namedAccountSchema.optional(),
    payments: z.array(paymentSchema).min(1).max(maximumPayments, `at most ${maximumPayments} payments`),
  })
  .meta({ id: 'BatchPaymentRequest' });

/** A payment whose response was lost; `settled` once a batch with its externalId is known. Times are ISO times. */
export const pendingPaymentSchema = z
  .object({
    /** The idempotency key of the attempt. */
    key: text,
    externalId: text,
    kind: z.enum(['electronic', 'file']),
    /** Number of payments, and their total by currency, e.g. "120.50 GBP". */
    payments: z.number().int(),
    amount: text,
    sentAt: text,
    /** Why no response is known, in a sentence. */
    lost: text,
    /** Whether the service still honours the key, so that resending cannot pay twice. */
    isRepeatable: z.boolean(),
    /** The request's interaction in the timeline; '' if unknown. */
    interactionId: text,
    settled: z
      .object({
        batchId: text,
        status: text,
        at: text,
        /** What named the batch: a webhook, a reading of the batch, or the response to a repeat. */
        by: z.enum(['webhook', 'read', 'response']),
        interactionId: text,
      })
      .optional(),
  })
  .meta({ id: 'PendingPayment' });

export type PendingPayment = z.infer<typeof pendingPaymentSchema>;
export type Standing = z.infer<typeof standingSchema>;
export type Invoice = z.infer<typeof invoiceSchema>;
export type Payment = z.infer<typeof paymentSchema>;
export type BatchRequest = z.infer<typeof batchRequestSchema>;

export const paymentShapes = {
  getInvoices: {
    /**
     * `debtorId`: the account from which the invoices take their currency, by default the first one; with '' they have
     * no currency. `paid=true` appends the latest paid invoices.
     */
    query: z.object({ count: text.optional(), debtorId: text.optional(), paid: z.enum(['true', 'false']).optional() }),
    answer: data(z.array(invoiceSchema)),
  },
  preparePayment: {
    body: batchRequestSchema.omit({ externalId: true }),
    answer: data(
      z.object({
        key: text,
        /**
         * Present if the outcome of an earlier attempt at the same payment is unknown: when it was sent, and its batch,
         * whose values are not validated again.
         */
        sentAt: text.optional(),
        first: batchRequestSchema.extend({ externalId: text, requestedExecutionDateTime: text }).optional(),
        /** The payments that another attempt has paid or may have paid, by index. */
        covered: z.array(standingSchema.extend({ index: z.number().int() })),
        /** Stands for these, for a confirmation (`shown` of createBatch); '' if there are none. */
        shown: text,
      }),
    ),
  },
  getPaymentAttempt: {
    params: z.object({ key: text }),
    /** The batch as it was sent first. */
    answer: data(batchRequestSchema.extend({ externalId: text, requestedExecutionDateTime: text })),
  },
  createBatch: {
    query: z.object({
      /** The payments of the same invoices that the review has shown (`shown` of preparePayment): a confirmation means no others. */
      shown: text.optional(),
      again: z
        .literal('true')
        .optional()
        .describe(
          'Confirms that invoices are paid again although they are paid, or may be. Without it such a batch is refused (409, paid-already).',
        ),
    }),
    body: batchRequestSchema,
    /** `notes`: what the service does not refuse, but a bank may, or does later; a sentence each. Absent if there is nothing. */
    answer: data(z.looseObject({ batchId: text, status: text })).extend({ notes: z.array(text).optional() }),
  },
};
