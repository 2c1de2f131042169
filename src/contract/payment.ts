import { z } from 'zod';
import { maximumPayments } from './constants.ts';
import { amountFlaw } from './money.ts';
import { accountSchema, agentSchema, postalAddressSchema } from './party.ts';
import { data, jsonSchema, text } from './shape.ts';

/** `amount` is a decimal string in major units ("120.50"), never a floating-point number. */
export const amountSchema = text.regex(/^\d{1,13}(\.\d{1,4})?$/, 'an amount such as 120.50');

/** What became of an invoice: `paid` in a batch, or `unknown` whether it was; `at` is the ISO time of that attempt. */
const standingSchema = z.object({
  state: z.enum(['unknown', 'paid']),
  at: text,
  batchId: text.optional(),
});

/** The invoice's `creditor` is the creditorId to be paid. */
export const invoiceSchema = z
  .object({
    invoiceId: text,
    creditor: text,
    creditorName: text,
    description: text,
    amount: amountSchema,
    currency: text,
    /** Absent before the first attempt to pay it. */
    payment: standingSchema.optional(),
  })
  .meta({ id: 'Invoice' });

const instructedAmountSchema = z
  .object({ amount: amountSchema, currency: text.regex(/^[A-Z]{3}$/, 'a currency such as GBP') })
  .superRefine(({ amount, currency }, context) => {
    const message = amountFlaw(amount, currency);
    if (message) context.addIssue({ code: 'custom', path: ['amount'], message });
  });

const paymentSchema = z
  .object({
    instructedAmount: instructedAmountSchema,
    debtorAgent: agentSchema.optional(),
    debtorAccount: accountSchema.optional(),
    creditorAgent: agentSchema.optional(),
    creditorAccount: accountSchema.optional(),
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
    externalId: text.min(1),
    subscriptionId: text.optional(),
    fileFormatId: text.optional(),
    debtor: z.object({ debtorId: text }).optional(),
    /** Current date at 00:00:00Z (behaviour, section 9). */
    requestedExecutionDateTime: text,
    userIdentification: z.looseObject({ name: text.optional() }).optional(),
    additionalData: jsonSchema.optional(),
    debtorAgent: agentSchema.optional(),
    debtorAccount: accountSchema.optional(),
    payments: z.array(paymentSchema).min(1).max(maximumPayments, `at most ${maximumPayments} payments`),
  })
  .meta({ id: 'BatchPaymentRequest' });

export type Standing = z.infer<typeof standingSchema>;
export type Invoice = z.infer<typeof invoiceSchema>;
export type Payment = z.infer<typeof paymentSchema>;
export type BatchRequest = z.infer<typeof batchRequestSchema>;

export const paymentShapes = {
  getInvoices: {
    /**
     * In the currency of the account `debtorId`, in none ('') if that is empty; without it, of the first account.
     * `paid=true` lists the invoices that were paid last as well, after the others.
     */
    query: z.object({ count: text.optional(), debtorId: text.optional(), paid: z.enum(['true', 'false']).optional() }),
    answer: data(z.array(invoiceSchema)),
  },
  preparePayment: {
    body: batchRequestSchema.omit({ externalId: true }),
    answer: data(
      z.object({
        key: text,
        /** Of an attempt at the same payment whose outcome is not known: when it was sent, and what. */
        sentAt: text.optional(),
        first: batchRequestSchema.optional(),
        /** Payments, by their index, whose invoices another attempt has paid or may have paid. */
        covered: z.array(standingSchema.extend({ index: z.number().int() })),
      }),
    ),
  },
  createBatch: {
    query: z.object({
      again: z
        .literal('true')
        .optional()
        .describe(
          'The word that invoices are to be paid again although they are paid, or may be. Without it such a batch is refused (409, paid-already).',
        ),
    }),
    body: batchRequestSchema,
    answer: data(z.looseObject({ batchId: text, status: text })),
  },
};
