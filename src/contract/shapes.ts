import { z } from 'zod';
import type { CallName } from './calls.ts';
import {
  bankListSchema,
  batchErrorSchema,
  batchRequestSchema,
  batchSchema,
  creditorSchema,
  debtorSchema,
  fileFormatSchema,
  healthSchema,
  invoiceSchema,
  jsonSchema,
  localInstrumentSchema,
  messageSchema,
  providerSchema,
  skippedSchema,
  standingSchema,
  subscriptionSchema,
  webhookSchema,
} from './entities.ts';
import { fieldsOf, messageOf, type FormName, type OwnField, type OwnValues } from './forms.ts';
import { factsSchema, setAsideSchema } from './facts.ts';
import { settingsSchema } from './settings.ts';
import { timelineEntrySchema, timelineKinds } from './timeline.ts';

/** Params, query, body and answer of every call in calls.ts (behaviour, section 7). The route guard enforces them. */

const text = z.string();
const filled = text.trim().min(1, 'a value is required');
const data = <T extends z.ZodType>(schema: T) => z.object({ data: schema });
/** Read from the service: what was not understood of it is told beside it. */
const read = <T extends z.ZodType>(schema: T) => z.object({ data: schema, skipped: skippedSchema });

/** Country and language default to the settings; the Rules pages choose their own (behaviour, section 2). */
const localeQuery = z.object({
  country: text.regex(/^([A-Z]{2})?$/, 'a 2-letter country code such as GB, or nothing').optional(),
  language: text.regex(/^([A-Za-z]{2}(-[A-Za-z]{2})?)?$/, 'a language such as en-GB, or nothing').optional(),
});

/** A field of an own form; an optional one may be empty. */
function fieldShape(field: OwnField) {
  const { pattern, longest, optional } = field;
  const message = messageOf(field);
  return text
    .trim()
    .max(longest, { error: message, abort: true })
    .regex(new RegExp(optional ? `^$|${pattern}` : pattern), message);
}

/** The values of one of the console's own forms. */
const formShape = <Name extends FormName>(name: Name) =>
  z.object(
    Object.fromEntries(fieldsOf(name).map(([id, own]) => [id, fieldShape(own)])) as Record<
      keyof OwnValues<Name>,
      z.ZodString
    >, // made from exactly its fields
  );

/** JSON:API style (behaviour, section 3: account create body; wire, section 2.5). */
const accountBody = z.object({
  data: z.object({
    type: z.literal('Account'),
    attributes: formShape('account').extend({ externalSource: filled }),
    owner: z.object({ user: z.object({ email: filled, locale: filled, identityId: filled }) }),
  }),
});

const datasetBody = z.object({
  data: z.object({
    type: z.literal('DataSet'),
    attributes: formShape('dataset'),
  }),
});

const nested = z.record(text, jsonSchema);
/**
 * A message, and what happens while the same one awaits its answer. Usually it is refused (code `message-pending`) if it
 * is about the same debtor, creditor or subscription; with `refuse` also if it puts the same values under another id, or
 * is another update of the same subscription (`errors` says that it differs); with `send`, the deliberate word, never.
 */
const message = <T extends z.ZodType>(schema: T) =>
  z.object({ data: schema, whilePending: z.enum(['refuse', 'send']).optional() });
/** Beside its ids a put carries the form's nested values (behaviour, section 7). */
const partyPut = <Ids extends Record<string, z.ZodString | z.ZodUUID>>(ids: Ids) =>
  message(z.object(ids).catchall(jsonSchema));
const listQuery = data(z.object({ subscriptionId: filled }));
/** 202 from the service: forwarded, not done (wire, section 6.1). `messageId` is what the outcome is asked for by. */
const accepted = z.object({ accepted: z.literal(true), interactionId: text, messageId: text });
/** A page of a list: at most `limit` elements after the one with the id `after`. */
const pageQuery = { limit: text.regex(/^[1-9]\d{0,2}$/, 'a number from 1 to 999').optional(), after: text.optional() };
const paged = <T extends z.ZodType>(schema: T) =>
  z.object({
    data: z.array(schema),
    total: z.number().int(),
    /** What to ask for as `after` to get the next page; absent on the last one. */
    next: text.optional(),
  });

export const shapes = {
  getSettings: { answer: settingsSchema },
  setSetting: { body: z.object({ key: settingsSchema.keyof(), value: text }), answer: settingsSchema },
  getFacts: { answer: factsSchema },
  getSetAside: { answer: data(z.array(setAsideSchema)) },
  getProviders: { query: localeQuery, answer: read(z.array(providerSchema)) },
  getProvider: { params: z.object({ providerId: filled }), answer: read(providerSchema) },
  getLocalInstruments: {
    answer: read(z.array(localInstrumentSchema)),
  },
  getBanks: { answer: bankListSchema },
  getSubscription: {
    params: z.object({ subscriptionId: filled }),
    answer: read(
      z.object({
        data: subscriptionSchema,
        links: z.looseObject({ authorise: text.optional() }).optional(),
        /** The authorise link leads to the pages of a provider that the console knows. */
        followed: z.boolean(),
      }),
    ),
  },
  createSubscription: {
    body: data(z.object({ providerId: filled, additionalData: text })),
    answer: data(z.looseObject({ subscriptionId: text, providerId: text, status: text })),
  },
  patchSubscription: {
    params: z.object({ subscriptionId: filled }),
    body: data(z.object({ suspendedByConsumer: z.boolean() })),
    answer: data(subscriptionSchema),
  },
  sendUpdate: {
    body: message(
      z.object({ resource: z.literal('Subscription'), id: filled, subscriptionId: filled, properties: nested }),
    ),
    answer: accepted,
  },
  putDebtor: { body: partyPut({ debtorId: z.uuid(), subscriptionId: filled }), answer: accepted },
  putCreditor: { body: partyPut({ creditorId: z.uuid(), subscriptionId: filled }), answer: accepted },
  queryDebtors: { body: listQuery, answer: accepted },
  queryCreditors: { body: listQuery, answer: accepted },
  deleteDebtor: { body: message(z.object({ subscriptionId: filled, debtorId: filled })), answer: accepted },
  deleteCreditor: { body: message(z.object({ subscriptionId: filled, creditorId: filled })), answer: accepted },
  listMessages: {
    query: z.object({
      state: messageSchema.shape.state.optional(),
      /** One kind or several, separated by commas. */
      kind: text.optional(),
      subscriptionId: text.optional(),
      resourceId: text.optional(),
      ...pageQuery,
    }),
    answer: paged(messageSchema),
  },
  getMessage: {
    params: z.object({ resourceId: filled }),
    /** With the webhook that brought the list which a query asked for, until it was read. */
    answer: read(messageSchema.extend({ webhook: webhookSchema.optional() })),
  },
  sendMessageAgain: { params: z.object({ messageId: filled }), answer: data(messageSchema) },
  listWebhooks: {
    query: z.object(pageQuery),
    answer: paged(webhookSchema).extend({ lost: z.number().int() }),
  },
  getDebtors: { answer: data(z.array(debtorSchema)) },
  getCreditors: { answer: data(z.array(creditorSchema)) },
  getInvoices: {
    /**
     * In the currency of the account `debtorId`, in none ('') if that is empty; without it, of the first account.
     * `paid=true` lists the invoices that were paid last as well, after the others.
     */
    query: z.object({ count: text.optional(), debtorId: text.optional(), paid: z.enum(['true', 'false']).optional() }),
    answer: data(z.array(invoiceSchema)),
  },
  getFileFormats: { query: localeQuery, answer: read(z.array(fileFormatSchema)) },
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
  getBatch: {
    params: z.object({ batchId: filled }),
    answer: z.object({
      data: batchSchema,
      links: z.looseObject({ paymentFile: text.optional(), authorise: text.optional() }).optional(),
      /** The authorise link leads to the pages of a provider that the console knows. */
      followed: z.boolean(),
      error: z.looseObject({ detail: z.array(batchErrorSchema) }).optional(),
      skipped: skippedSchema,
    }),
  },
  /** `data` is a JSON string of batch records (behaviour, section 7). */
  getPostedBatches: { answer: data(text) },
  downloadPaymentFile: { params: z.object({ link: filled }), answer: text },
  createOrganisation: {
    body: formShape('organisation'),
    /** The signing key stays on the server; the answer says that it was kept. */
    answer: z.object({ organisationId: text, primarySigningKey: text }),
  },
  useExisting: {
    body: formShape('existing'),
    answer: z.object({ organisationId: text, companyId: text }),
  },
  revealSigningKey: { body: z.object({ organisationId: filled }), answer: z.object({ signingKey: text }) },
  removeRecord: {
    body: z.object({ kind: z.enum(['subscription', 'batch', 'company', 'organisation']), id: filled }),
    answer: z.object({ removed: z.literal(true) }),
  },
  createCompany: { body: formShape('company'), answer: z.looseObject({ companyId: text }) },
  createAccount: { body: accountBody, answer: data(z.object({ data: z.looseObject({ id: text }) })) },
  createDataset: { body: datasetBody, answer: data(z.object({ data: z.looseObject({ id: text }) })) },
  getUserInfo: { answer: data(z.looseObject({ sub: text, email: text })) },
  /** `reveal=true` gives the token itself, else it is masked (behaviour, section 10.8). */
  getToken: {
    query: z.object({ reveal: z.enum(['true', 'false']).optional() }),
    answer: data(z.object({ token: text, expiresAt: text, companyId: text, organisationId: text })),
  },
  /** Where and with what the network login's GET form goes (behaviour, section 7). */
  startLogin: {
    answer: z.object({ action: text, fields: z.record(text, text) }),
  },
  storeUserToken: {
    /** The token goes into a header. */
    body: z.object({ token: text.regex(/^[\x21-\x7e]+$/, 'a token without blanks'), state: filled }),
    answer: z.object({ email: text, expiresAt: text }),
  },
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
      ...pageQuery,
    }),
    answer: paged(timelineEntrySchema),
  },
  getTranslation: {
    params: z.object({ key: filled }),
    answer: data(z.object({ data: z.object({ translation: text }) })),
  },
  getConsumerHealth: { answer: data(healthSchema) },
  getMessagingHealth: { answer: data(healthSchema) },
  /** Where the browser goes next. */
  signOut: { answer: z.object({ location: text }) },
} satisfies Record<CallName, { params?: z.ZodType; query?: z.ZodType; body?: z.ZodType; answer: z.ZodType }>;

type Shapes = typeof shapes;
type Part<C extends CallName, P extends string> =
  Shapes[C] extends Record<P, infer S extends z.ZodType> ? z.input<S> : undefined;

export type Params<C extends CallName> = Part<C, 'params'>;
export type Query<C extends CallName> = Part<C, 'query'>;
export type Body<C extends CallName> = Part<C, 'body'>;
export type Answer<C extends CallName> = z.output<Shapes[C]['answer']>;
