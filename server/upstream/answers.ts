import { z } from 'zod';
import { batchErrorSchema, batchSchema } from '#contract/batch.ts';
import { batchRequestSchema } from '#contract/payment.ts';
import {
  bankListSchema,
  fileFormatSchema,
  localInstrumentSchema,
  providerSchema,
  ruleSchema,
} from '#contract/lookup.ts';
import { jsonSchema, text } from '#contract/shape.ts';
import { subscriptionSchema } from '#contract/subscription.ts';
import { bodies } from './bodies.ts';
import { alwaysSent, chosen, documented, specified, undocumented, unread } from './documented.ts';
import { ids } from './wire.ts';

/**
 * What the service answers. The console reads it by these schemas, tolerantly (lenientParse.ts); what is documented
 * beyond that is said where it differs (documented.ts). Bodies of auth-v1 are bare, those of the consumer API are wrapped
 * in `data` (wire, sections 2.3 and 5).
 */

const isTime = (value: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value) && !Number.isNaN(Date.parse(value));
const time = z.stringFormat('date-time', isTime);
export const address = z.stringFormat('uri', (value) => URL.canParse(value));
const data = <T extends z.ZodType>(schema: T) => z.looseObject({ data: schema });
const id = documented(text.regex(...ids.any), text);
const headerId = documented(text.regex(...ids.ofHeader), text);
/** Stored and shown as returned; decisions compare it by `statusOf`. */
const status = text.regex(/^[^]{0,200}$/, 'a status of at most 200 characters');
/** Of something that was just created: Received even if the answer omits it (wire, sections 5.1 and 5.3). */
const firstStatus = documented(status.default('Received'), text);

/** Links for the user's next step, beside `data` or in it (wire, section 5). */
const links = z.looseObject({
  self: text.optional(),
  authorise: text.optional(),
  authoriseIssuedAt: text.optional(),
  authoriseExpiresAt: text.optional(),
  paymentFile: text.optional(),
});
/** Where a person authorises something, until when (wire, sections 5.4 and 6.2). */
const authorise = {
  authorise: address.optional(),
  authoriseIssuedAt: time.optional(),
  authoriseExpiresAt: time.optional(),
};

/** The statuses of a subscription (wire, section 10). */
const subscriptionStatus = z.enum([
  'Received',
  'AwaitingAuthorisation',
  'Pending',
  'Authorised',
  'Suspended',
  'Cancelled',
  'Rejected',
]);
const subscription = z.looseObject({
  data: subscriptionSchema
    .extend({
      subscriptionId: id,
      organisationId: unread(text),
      companyId: unread(text.optional().meta(chosen('18.4'))),
      providerId: documented(text.regex(...ids.anyOrNone), text),
      status: documented(status, subscriptionStatus.meta(specified('10.1'))),
      suspendedByConsumer: alwaysSent(z.boolean().meta(specified('10.3'))),
      additionalData: documented(jsonSchema.optional(), text.optional()),
      links: undocumented(links),
    })
    .meta({ id: 'ServiceSubscription' }),
  links: documented(links.optional(), z.looseObject(authorise).optional()),
});
const { providerId } = subscription.shape.data.shape;
const subscriptionCreated = z.looseObject({
  data: z.looseObject({ subscriptionId: id, providerId: providerId.optional(), status: firstStatus }),
  links: links.optional(),
});

type Members = Readonly<Record<string, z.ZodType>>;
/** The members of a request, which its answer repeats. Their values are not read, so they have no types. */
const echoed = (members: Members) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, unread(member)])) as Record<
    never,
    z.ZodType
  >;
/** The same, with whatever else the sender gave. */
const asSent = ({ additionalData: _, ...members }: Members) => ({
  ...Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member.meta({ 'x-repeats': true })])),
  additionalData: text.optional(),
});
const { payments, ...batchMembers } = batchRequestSchema.shape;
const payment = z.looseObject({
  ...asSent(payments.element.shape),
  paymentId: text,
  status: text,
  paymentCompletedDate: time.optional(),
  extendedStatus: text.optional().meta(chosen('12.6')),
  additionalData: text.optional().meta(chosen('12.5', '12.6')),
});
/** An error without details is its own only detail; the console reads it beside `data` or in it. */
const error = z.looseObject({
  code: undocumented(text),
  message: undocumented(text),
  detail: alwaysSent(z.array(batchErrorSchema)),
});
const batch = z.looseObject({
  data: batchSchema
    .extend({
      ...echoed(asSent(batchMembers)),
      batchId: id,
      status: documented(status, text.meta(specified('12.1'))),
      payments: documented(batchSchema.shape.payments, z.array(payment)),
      links: undocumented(links),
      error: undocumented(error),
    })
    .meta({ id: 'ServiceBatch' }),
  links: documented(
    links.optional(),
    z.looseObject({ self: address, paymentFile: address.optional().meta(specified('5.4.1')), ...authorise }),
  ),
  error: error.optional().meta(specified('5.4.3')),
});
const batchCreated = z.looseObject({
  data: z.looseObject({ batchId: id, externalId: unread(text), status: firstStatus }),
  links: documented(links.optional(), z.looseObject({ self: address })),
});

const more = { author: text.optional(), language: text.optional() };
const provider = documented(
  providerSchema,
  providerSchema.extend(more).meta({ id: 'ServiceProvider', ...specified('7.1') }),
);

/** How a value is written into its columns of a file (wire, section 9). */
const destination = z.looseObject({
  destination: text.optional(),
  justify: text.optional(),
  pad: text.optional(),
  format: text.optional(),
  date: text.optional(),
  part: text.optional(),
  truncate: z.boolean().optional(),
});
/** What stands in columns without a form field: constants, counters, sums and copies. */
const content = z.looseObject({
  constant: text.optional(),
  copy: text.optional(),
  sum: text.optional(),
  count: text.optional(),
  plus: z.union([z.number(), text]).optional(),
  number: text.optional(),
  created: z.boolean().optional(),
});
const fileRule = ruleSchema
  .extend({ line: z.int().optional(), destination: destination.optional(), content: content.optional() })
  .meta({ id: 'ServiceFileRule', ...specified('9.1', '9.2') });
const fileFormat = documented(
  fileFormatSchema,
  fileFormatSchema
    .extend({
      country: z.array(text).optional(),
      specification: z.looseObject({ rules: z.array(fileRule), block: z.record(text, jsonSchema).optional() }),
    })
    .meta({ id: 'ServiceFileFormat', ...specified('9.1') }),
);

/** '' where an answer leaves it out. */
const textOrNone = (as: z.ZodType = text) => documented(text.default(''), as);

const resource = (body: z.ZodObject) => data(z.looseObject({ ...echoed(body.shape), id }));

export const answers = {
  /** `signingKey` is the name used by the sibling services. */
  organisation: z.looseObject({
    ...echoed(bodies.organisation.shape),
    organisationId: headerId,
    primarySigningKey: alwaysSent(text),
    signingKey: undocumented(text),
  }),
  company: z.looseObject({ ...echoed(bodies.company.shape), companyId: headerId, organisationId: alwaysSent(text) }),
  /** The names other than `jwt` are used by OAuth servers. */
  token: z.looseObject({
    jwt: alwaysSent(text),
    access_token: undocumented(text),
    accessToken: undocumented(text),
    token: undocumented(text),
  }),
  keySet: z.looseObject({
    keys: z.array(
      z.looseObject({ kty: text, n: text, e: text, kid: text.optional(), use: text.optional(), alg: text }),
    ),
  }),
  userInfo: z.looseObject({
    sub: text,
    email: text,
    name: alwaysSent(text),
  }),
  account: resource(bodies.account.shape.data),
  dataset: resource(bodies.dataset.shape.data),
  providers: data(z.array(provider)),
  provider: data(provider),
  localInstruments: data(z.array(localInstrumentSchema)),
  fileFormats: data(z.array(fileFormat)),
  banks: documented(bankListSchema, bankListSchema.omit({ skipped: true })),
  translation: data(z.looseObject({ translation: text })),
  health: z.looseObject({
    version: textOrNone(),
    branch: textOrNone(),
    name: textOrNone(),
    status: textOrNone(text.optional()),
  }),
  subscription,
  subscriptionCreated: documented(subscriptionCreated, subscription),
  batchCreated,
  batch,
};

/**
 * A refusal (RFC 9457); `errors` names the faulty members and headers (wire, section 14). choice: the console shows other
 * forms as well (refusal.ts), and believes few (strict.ts).
 */
export const problem = z
  .looseObject({
    title: text,
    status: z.number(),
    code: text,
    detail: text,
    type: text,
    errors: z
      .array(z.looseObject({ path: text, message: text, code: text.optional(), ruleId: text.optional() }))
      .optional(),
  })
  .meta({ id: 'ServiceProblem', ...chosen('14.2') });
