import { z } from 'zod';
import { maximumPayments } from './constants.ts';
import type { Json } from './json.ts';
import { amountFlaw } from './money.ts';

/**
 * The entities of the specification's section 3. Objects are loose: the service may send more than the
 * specification names (wire, section 8: "new rule keys can appear; parse generically").
 */

const text = z.string();
/** Any JSON value. A parser makes nothing else, so it is not looked at: that would take seconds for a million elements. */
export const jsonSchema = z.any() as z.ZodType<Json, Json>; // what the parser made
const json = jsonSchema;

/** Which member names an element of a list: of two with the same one the second is skipped on reading. */
export const identities = z.registry<{ member: string }>();
const identified = <Schema extends z.ZodType>(member: string, schema: Schema): Schema => {
  identities.add(schema, { member });
  return schema;
};

/** Something in an answer of the service that was not understood: its place there and why. */
export const skippedSchema = z
  .array(z.object({ path: text, message: text }))
  .optional()
  .meta({ id: 'Skipped', description: 'What of the service’s answer was not understood and is left out' });

export const validationSchema = z.looseObject({
  apiPath: text.optional(),
  jsonPath: text,
  /** 'Required', 'Hidden', anything else is optional (wire, section 8). */
  optionality: text.optional(),
  /** 'Boolean', 'Array', others. */
  fieldType: text.optional(),
  uiLabel: text.optional(),
  description: text.optional(),
  example: text.optional(),
  regex: text.optional(),
  errorMessage: text.optional(),
  enumeration: z.array(identified('value', z.looseObject({ value: text, description: text.default('') }))).optional(),
});

/** A provider's rule carries `validation`, a file format's rule `sourceValidation` (behaviour, section 3). */
export const ruleSchema = identified(
  'ruleId',
  z
    .looseObject({
      ruleId: text,
      type: text.optional(),
      validation: validationSchema.optional(),
      sourceValidation: validationSchema.optional(),
      destination: z.looseObject({ destination: text.optional() }).optional(),
    })
    .meta({ id: 'Rule' }),
);

const rules = z.array(ruleSchema).default([]);

export const providerSchema = identified(
  'providerId',
  z
    .looseObject({
      providerId: text,
      name: text,
      country: z.array(text).default([]),
      accountType: z
        .looseObject({ capabilities: z.array(text).optional(), validationRules: rules })
        .default({ validationRules: [] }),
      defaultLanguage: text.optional(),
      supportedLanguages: z.array(text).optional(),
      maximumPaymentCount: z.number().int().optional(),
      localInstruments: z.array(text).optional(),
      defaultLocalInstrument: text.optional(),
    })
    .meta({ id: 'Provider' }),
);

export const localInstrumentSchema = identified(
  'localInstrumentId',
  z.looseObject({ localInstrumentId: text, name: text.default(''), validationRules: rules }),
);

export const fileFormatSchema = identified(
  'fileFormatId',
  z
    .looseObject({
      fileFormatId: text,
      name: text,
      specification: z.looseObject({ rules }).default({ rules: [] }),
      defaultLanguage: text.optional(),
      supportedLanguages: z.array(text).optional(),
    })
    .meta({ id: 'FileFormat' }),
);

export const subscriptionSchema = z
  .looseObject({
    subscriptionId: text,
    providerId: text,
    status: text,
    suspendedByConsumer: z.boolean().optional(),
    /** A text that holds JSON, in the console's own requests always. */
    additionalData: jsonSchema.optional(),
  })
  .meta({ id: 'Subscription' });

/** The record kept here when a subscription is created (behaviour, section 3: locally stored subscription record). */
export interface SubscriptionRecord {
  subscriptionId: string;
  providerId: string;
  status: string;
  /** false at creation; follows `suspendedByConsumer` afterwards. */
  suspended: boolean;
  useMock: string;
  /** Only when useMock is the string 'true': providerUrl + provider/subscription/authorise/{subscriptionId}. */
  authLink?: string;
}

const bankSchema = identified(
  'bank_id',
  z
    .looseObject({
      bank_id: text,
      name: text.optional(),
      /** '' if the service gives none; the console's own API has the name or the id then. */
      friendly_name: text.default(''),
      is_sandbox: z.boolean().optional(),
      logo: text.optional(),
      icon: text.optional(),
      standard: text.optional(),
      country_iso_code: text.optional(),
      division: text.optional(),
      group: text.optional(),
      order: z.number().optional(),
      /** Only a bank that is said to be out of service is. */
      service_status: z.boolean().default(true),
      refund_supported: z.boolean().optional(),
      abilities: z.record(text, z.boolean()).default({}),
    })
    .meta({ id: 'Bank' }),
);

export const bankListSchema = z
  .looseObject({
    data: z.array(bankSchema),
    meta: z
      .looseObject({
        total_count: z.number().optional(),
        total_pages: z.number().optional(),
        current_page: z.number().optional(),
      })
      .optional(),
    skipped: skippedSchema,
  })
  .meta({ id: 'BankList' });

/** A paying bank account, flat names as the specification's section 3 has them. */
export const debtorSchema = z
  .object({
    debtorId: text,
    debtorAccountname: text,
    debtorAgentidentification: text,
    debtorAccountidentification: text,
    currency: text,
    subscriptionId: text,
  })
  .meta({ id: 'Debtor' });

export const creditorSchema = z
  .object({
    creditorId: text,
    creditorname: text,
    creditorAgentidentification: text,
    creditorAccountidentification: text,
    creditorAccountSecondaryIdentification: text,
    creditorAddress1: text,
    creditorAddress3: text,
    creditorCountrySubDivision: text,
    creditorCountryCode: text,
    creditorPostalCode: text,
    subscriptionId: text,
  })
  .meta({ id: 'Creditor' });

/** `amount` is a decimal string in major units ("120.50"), never a floating-point number. */
export const amountSchema = text.regex(/^\d{1,13}(\.\d{1,4})?$/, 'an amount such as 120.50');

/** What became of an invoice: `paid` in a batch, or `unknown` whether it was; `at` is the ISO time of that attempt. */
export const standingSchema = z.object({
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
    /** Absent as long as nobody has tried to pay it. */
    payment: standingSchema.optional(),
  })
  .meta({ id: 'Invoice' });

const accountSchema = z.looseObject({
  identification: text.optional(),
  secondaryIdentification: text.optional(),
  name: text.optional(),
});
const agentSchema = z.looseObject({ identification: text.optional() });

const postalAddressSchema = z.looseObject({
  addressLine1: text.max(100).optional(),
  addressLine2: text.max(100).optional(),
  addressLine3: text.max(100).optional(),
  countrySubdivision: text.max(50).optional(),
  countryCode: text.optional(),
  postalCode: text.optional(),
});

/** Parties in the answer to a query, nested as they were put. */
export const listedSchemas = {
  debtors: identified(
    'debtorId',
    z.looseObject({
      debtorId: text,
      debtorAccount: accountSchema.optional(),
      debtorAgent: agentSchema.optional(),
      currency: text.optional(),
      subscriptionId: text.optional(),
    }),
  ),
  creditors: identified(
    'creditorId',
    z.looseObject({
      creditorId: text,
      creditor: z.looseObject({ name: text.optional(), postalAddress: postalAddressSchema.optional() }).optional(),
      creditorAccount: accountSchema.optional(),
      creditorAgent: agentSchema.optional(),
      subscriptionId: text.optional(),
    }),
  ),
};

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
    additionalData: json.optional(),
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
    additionalData: json.optional(),
    debtorAgent: agentSchema.optional(),
    debtorAccount: accountSchema.optional(),
    payments: z.array(paymentSchema).min(1).max(maximumPayments, `at most ${maximumPayments} payments`),
  })
  .meta({ id: 'BatchPaymentRequest' });

/** '' where the service says nothing: an error is shown whatever is known of it. */
export const batchErrorSchema = z.looseObject({
  target: text.default(''),
  message: text.default(''),
  code: text.default(''),
  index: z.number().int().optional(),
  resourceId: text.optional(),
  sourceId: text.optional(),
});

export const batchSchema = z
  .looseObject({
    batchId: text,
    status: text,
    payments: z.array(z.looseObject({})).optional(),
  })
  .meta({ id: 'Batch' });

/** What is kept here of a posted batch; `amount` is the total by currency, e.g. "120.50 GBP". Times are ISO times. */
export interface BatchRecord {
  batchId: string;
  status: string;
  amount: string;
  kind: 'electronic' | 'file';
  postedAt: string;
  /** When the service was last asked for its status; absent while that is what the posting said. */
  readAt?: string;
}

/**
 * A message to a provider and what came of it. `state` is 'waiting' until the provider's webhook brings an end status;
 * `status` is what it has said last, '' if nothing yet. Times are ISO times.
 */
export const messageSchema = z
  .object({
    messageId: text,
    kind: text,
    /** The debtor, creditor or subscription that it is about. */
    resourceId: text,
    subscriptionId: text,
    /** What a put calls the debtor or creditor, '' for other messages. */
    name: text,
    /** The body as it was sent. */
    data: z.record(text, jsonSchema),
    state: z.enum(['waiting', 'accepted', 'refused']),
    status: text,
    /** Why it was refused. */
    detail: text,
    sentAt: text,
    /** The service has taken it. False while it is being sent, and where its answer (202) was lost. */
    forwarded: z.boolean(),
    /** Where the provider wants it authorised, '' if nowhere. */
    authorise: text,
    authoriseExpiresAt: text,
    /** The link leads to the pages of a provider that the console knows. */
    followed: z.boolean(),
  })
  .meta({ id: 'Message' });

/** A webhook as it was received, unread until a page consumes it (behaviour, section 3: webhookData). */
export const webhookSchema = z
  .object({
    id: text,
    receivedAt: text,
    type: text,
    subscriptionId: text.optional(),
    /** Of the message that it answers, where the service says so. */
    interactionId: text.optional(),
    resource: z.looseObject({ id: text, type: text }).optional(),
    data: json.optional(),
  })
  .meta({ id: 'Webhook' });

/** '' where the service does not say. */
export const healthSchema = z
  .looseObject({ version: text, branch: text.default(''), name: text.default('') })
  .meta({ id: 'Health' });

export type Validation = z.infer<typeof validationSchema>;
export type Rule = z.infer<typeof ruleSchema>;
export type Provider = z.infer<typeof providerSchema>;
export type LocalInstrument = z.infer<typeof localInstrumentSchema>;
export type FileFormat = z.infer<typeof fileFormatSchema>;
export type Subscription = z.infer<typeof subscriptionSchema>;
export type Bank = z.infer<typeof bankSchema>;
export type BankList = z.infer<typeof bankListSchema>;
export type Debtor = z.infer<typeof debtorSchema>;
export type Creditor = z.infer<typeof creditorSchema>;
export type Standing = z.infer<typeof standingSchema>;
export type Invoice = z.infer<typeof invoiceSchema>;
export type Payment = z.infer<typeof paymentSchema>;
export type BatchRequest = z.infer<typeof batchRequestSchema>;
export type BatchError = z.infer<typeof batchErrorSchema>;
export type Batch = z.infer<typeof batchSchema>;
export type Message = z.infer<typeof messageSchema>;
export type Webhook = z.infer<typeof webhookSchema>;
export type Health = z.infer<typeof healthSchema>;
