import { z } from 'zod';
import type { BatchRecord } from './batch.ts';
import { batchRequestSchema } from './payment.ts';
import { creditorSchema, debtorSchema } from './party.ts';
import { exactly, longestTime, rows, sandboxMomentSchema } from './sandboxMoment.ts';
import { settingsSchema } from './settings.ts';
import { data, filled, inAnyNotation, text } from './shape.ts';
import type { SubscriptionRecord } from './subscription.ts';

/** The version of the files that this console writes and opens. */
export const situationVersion = 3;

const kept = {
  providerCountry: true,
  fileFormatCountry: true,
  acceptLanguage: true,
  useMock: true,
  useNetwork: true,
} as const;

/** The settings that all companies share, in the order in which they are set again. */
export const keptSettings = Object.keys(kept) as (keyof typeof kept)[]; // its own keys

/** The path of a page, of which a browser opens no other site's. */
const stepSchema = text.regex(/^\/(?!\/)[\w/?=&.-]*$/, 'a path of the page, such as /debtors');

const ms = inAnyNotation(z.int().min(0).max(longestTime));
const texts = z.array(text);
const totals = exactly('member', { paid: text, failed: text, returned: text.exactOptional() }).exactOptional();

/** A payment that was sent, with what is known of it: by these the console refuses, or warns of, a second payment of an invoice. */
const paymentSchema = exactly('member', {
  key: filled,
  claimedAt: ms,
  serviceTime: ms.exactOptional(),
  /** The key under which the sandbox knows the request, while its outcome is not known. */
  serviceKey: z.uuid('a UUID, as it was saved').exactOptional(),
  /** The batch as it was sent; its date may have passed since. */
  batch: batchRequestSchema.extend({ requestedExecutionDateTime: text }),
  /** Why its outcome was not known. */
  lost: text.exactOptional(),
  /** The batch that it has made; absent while its outcome was not known. */
  made: exactly('member', {
    batchId: filled,
    status: text,
    settledBy: z.enum(['response', 'read', 'webhook']).exactOptional(),
  }).exactOptional(),
  /** The service's last answer about that batch: what failed can be paid again. */
  answer: exactly('member', {
    status: text,
    ended: text.exactOptional(),
    readAt: text,
    firstReadAt: text.exactOptional(),
    failed: z.union([z.literal('all'), texts]),
    says: z.array(exactly('member', { reference: text, status: text, words: text })).exactOptional(),
    staysPaid: z.array(exactly('member', { reason: text, count: ms, invoices: texts })),
    told: z.array(exactly('member', { paymentId: text, extendedStatus: text, additionalData: text })).exactOptional(),
    totals,
  }).exactOptional(),
});
const paymentsSchema = rows(paymentSchema, 'key');
export type SavedPayments = z.infer<typeof paymentsSchema>;

const subscription = exactly('member', {
  subscriptionId: filled,
  providerId: text,
  status: text,
  suspended: z.boolean(),
  useMock: text,
  authLink: text.exactOptional(),
  ended: text.exactOptional(),
} satisfies Record<keyof SubscriptionRecord, z.ZodType>);

const batch = exactly('member', {
  batchId: filled,
  status: text,
  amount: text,
  kind: z.enum(['electronic', 'file']),
  totals,
  creditors: ms.exactOptional(),
  postedAt: text,
  readAt: text.exactOptional(),
  ended: text.exactOptional(),
} satisfies Record<keyof BatchRecord, z.ZodType>);

const owner = { organisationId: filled, companyId: text, companyName: text };

/** A company of the console with what is stored of it, or an organisation without a company (companyId ''). */
const company = exactly('member', {
  ...owner,
  signingKey: text,
  subscriptionId: text,
  batchId: text,
  accountId: text,
  dataSetId: text,
  /** Whether an access token was obtained for the company. */
  hasToken: z.boolean(),
  subscriptions: z.array(subscription),
  batches: z.array(batch),
  debtors: z.array(debtorSchema.strict()),
  creditors: z.array(creditorSchema.strict()),
  payments: paymentsSchema,
});

/**
 * A situation in one file: the sandbox with its seed, clock and faults, the console's companies with their payments, the
 * timeline, the present step.
 */
const situationSchema = exactly('member', {
  kind: z.literal('payments-out-situation', 'payments-out-situation: give a file that this console has saved'),
  version: z.literal(situationVersion, `is not ${situationVersion}: this console opens no other version of the file`),
  /** The version of the console. */
  console: text,
  savedAt: z.iso.datetime(),
  /** The path of the page. */
  step: stepSchema,
  sandbox: sandboxMomentSchema,
  /** In order of creation. */
  companies: z.array(company),
  /** The place of the current one among them; 0 if there are none. */
  current: inAnyNotation(z.int().min(0)),
  settings: settingsSchema.pick(kept).strict(),
  /** The lengths of the keys whose placeholders are in the file; new ones are made when it is opened. */
  keys: z.array(z.int().min(1).max(1000)).max(1000),
  /** An HTTP archive without secrets. */
  timeline: z.looseObject({ log: z.looseObject({}) }),
});
export type SituationFile = z.infer<typeof situationSchema>;

const ownerSchema = z.object({ ...owner, organisationId: text });
/** A company, or an organisation without one, as the console lists it. */
export type SituationOwner = z.infer<typeof ownerSchema>;

export const situationShapes = {
  saveSituation: { query: z.object({ step: stepSchema.optional() }), answer: situationSchema },
  checkSituation: {
    body: situationSchema,
    /** The companies of the file, and those of the console that would end because the file lacks them. */
    answer: data(z.object({ savedAt: text, opens: z.array(ownerSchema), ends: z.array(ownerSchema) })),
  },
  openSituation: {
    body: situationSchema,
    /** `ended`: the companies that the console no longer has; `notes`: what could not be set again, one sentence each. */
    answer: data(z.object({ step: text, ended: z.array(ownerSchema), notes: z.array(text) })),
  },
};
