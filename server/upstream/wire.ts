import { z } from 'zod';
import { batchErrorSchema, batchSchema } from '#contract/batch.ts';
import { memberOf } from '#contract/member.ts';
import { fileFormatSchema, localInstrumentSchema, providerSchema } from '#contract/lookup.ts';
import { atMost, filled, jsonSchema } from '#contract/shape.ts';
import { subscriptionSchema } from '#contract/subscription.ts';
import { Failure } from '#server/failure.ts';

/**
 * The wire protocol of the Payments Out Service (wire, sections 1-6): its shapes, and the paths of
 * requests/endpoints.ts. Both the upstream client and the sandbox use it. Decisions on points that the public pages
 * leave open are made only here and marked "choice"; the real service may differ.
 */
export { createSubscriptionPath, endpoints, header, messageKinds } from '#contract/requests/endpoints.ts';
export type { MessageKind } from '#contract/requests/endpoints.ts';

const minute = 60_000;

/** Time (ms) for which the service honours the idempotency key of a write that sends this (wire, section 4). */
export const keyTtlOf = (sent: unknown): number =>
  memberOf(sent, 'fileFormatId') === undefined ? 14 * 24 * 60 * minute : 10 * minute;

const text = z.string();
const email = z.email({ pattern: z.regexes.unicodeEmail, error: 'an e-mail address such as admin@example.com' });
/** An id that can be sent in a header. */
const headerText = text.regex(/^[\x21-\x7e]{1,200}$/, 'an id of at most 200 visible characters of ASCII');
/** An id from the service that is stored and returned with the settings. */
/** Not only blanks and invisible characters, which could not be told from no id. */
const id = text.regex(/^(?=[^]*[^\s\p{Cc}\p{DI}])[^]{1,1000}$/u, 'an id of at most 1,000 characters');
/** Stored and shown as returned; decisions compare it by `statusOf`. */
const status = text.regex(/^[^]{0,200}$/, 'a status of at most 200 characters');
/** The ids that a caller may enter, by their setting. */
export const enteredIds = {
  organisationId: headerText,
  companyId: headerText,
  accountId: id,
  dataSetId: id,
  subscriptionId: id,
  batchId: id,
} as const;
const idOrNone = text.regex(/^[^]{0,1000}$/, 'an id of at most 1,000 characters');
const data = <T extends z.ZodType>(schema: T) => z.looseObject({ data: schema });

/** Links for the user's next step, beside `data` or in it (wire, section 5). */
const links = z
  .looseObject({
    self: text.optional(),
    authorise: text.optional(),
    authoriseIssuedAt: text.optional(),
    authoriseExpiresAt: text.optional(),
    paymentFile: text.optional(),
  })
  .optional();
const error = z
  .looseObject({ code: text.optional(), message: text.optional(), detail: z.array(batchErrorSchema).optional() })
  .optional();

/**
 * Bodies of auth-v1 are bare, those of the consumer API are wrapped in `data` (wire, sections 2.3 and 5). Request
 * bodies are described independently of the console's own forms, so that differences between the two are detected.
 */
export const wire = {
  organisationRequest: z.object({
    sageCRMId: filled,
    primaryCountry: text.regex(/^[A-Z]{3}$/, 'a 3-letter country code such as GBR'),
    adminEmail: email,
    defaultLanguage: text.regex(/^[A-Za-z]{2}$/, 'a 2-letter language code such as EN'),
    name: text.nullish(),
    externalId: filled,
  }),
  /** The name used by the sibling services. */
  organisationAnswer: z.looseObject({
    organisationId: headerText,
    primarySigningKey: text.optional(),
    signingKey: text.optional(),
  }),
  companyRequest: z.object({
    externalId: atMost(36, undefined, filled),
    name: atMost(100).nullish(),
    taxNumber: atMost(50).nullish(),
    standardIndustrialCode: atMost(50).nullish(),
    contactTelNo: atMost(50).nullish(),
    contactEmail: atMost(255, undefined, email).nullish(),
  }),
  companyAnswer: z.looseObject({ companyId: headerText, organisationId: text.optional() }),
  /** `jwt` is the name used by the sibling services; the others are used by OAuth servers. */
  tokenAnswer: z.looseObject({
    jwt: text.optional(),
    access_token: text.optional(),
    accessToken: text.optional(),
    token: text.optional(),
  }),
  accountRequest: data(
    z.object({
      type: z.literal('Account'),
      attributes: z.object({ externalId: filled, externalSource: filled }),
      owner: z.object({ user: z.object({ email: filled, locale: filled, identityId: filled }) }),
    }),
  ),
  /** choice: the country is a two-letter code, as everywhere but in an organisation (wire, section 15). */
  datasetRequest: data(
    z.object({
      type: z.literal('DataSet'),
      attributes: z.object({
        name: filled,
        country: text.regex(/^[A-Z]{2}$/, 'a 2-letter country code such as GB'),
        externalId: filled,
        externalSource: filled,
      }),
    }),
  ),
  resourceAnswer: data(z.looseObject({ id })),
  userInfo: z.looseObject({ sub: text, email: text, name: text.optional() }),
  providers: data(z.array(providerSchema)),
  provider: data(providerSchema),
  localInstruments: data(z.array(localInstrumentSchema)),
  fileFormats: data(z.array(fileFormatSchema)),
  subscriptionRequest: data(z.object({ providerId: text.min(1), additionalData: text })),
  /**
   * A new subscription or batch has the status Received (wire, sections 5.1 and 5.3), even if the answer omits the
   * status.
   */
  subscriptionCreated: z.looseObject({
    data: z.looseObject({
      subscriptionId: id,
      providerId: idOrNone.optional(),
      status: status.default('Received'),
    }),
    links,
  }),
  subscription: z.looseObject({
    data: subscriptionSchema.extend({ subscriptionId: id, providerId: idOrNone, status, links }),
    links,
  }),
  batchCreated: z.looseObject({ data: z.looseObject({ batchId: id, status: status.default('Received') }), links }),
  batch: z.looseObject({ data: batchSchema.extend({ batchId: id, status, links, error }), links, error }),
  translation: data(z.looseObject({ translation: text })),
  health: z.looseObject({
    status: text.default(''),
    version: text.default(''),
    branch: text.default(''),
    name: text.default(''),
  }),
  /**
   * choice: a webhook's body. `type` is 'subscriptionUpdated', 'batchUpdated', or the type that answers the message
   * (wire, section 6.1: 'debtoraccountlistqueryresponses' answers 'debtoraccountlistqueries'). choice: the answer to a
   * message has the message's interaction id.
   */
  webhook: z.looseObject({
    type: text,
    subscriptionId: text.optional(),
    interactionId: text.optional(),
    resource: z.looseObject({ id: text, type: text.default(''), url: text.optional() }).optional(),
    data: jsonSchema.optional(),
    /** The name used by the sibling services. */
    additionalData: jsonSchema.optional(),
  }),
  /** choice: error bodies are problem+json; the console shows other forms as well, and believes few (strict.ts). */
  problem: z.looseObject({
    title: text,
    status: z.number(),
    code: text.optional(),
    detail: text.optional(),
    errors: z.array(z.looseObject({ path: text, message: text })).optional(),
  }),
} as const;

export type WireWebhook = z.infer<typeof wire.webhook>;

/** Encodes an id as one segment of a path. Throws for `.` and `..`, which change the path even if they are encoded. */
export function segment(id: string): string {
  if (/^\.{1,2}$/.test(id)) throw new Failure('invalid-request', `${id} is not an id.`);
  return id;
}
