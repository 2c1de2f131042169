import { z } from 'zod';
import { batchErrorSchema } from '#contract/batch.ts';
import { batchRequestSchema } from '#contract/payment.ts';
import { fileFormatSchema, providerSchema, ruleSchema } from '#contract/lookup.ts';
import { jsonSchema, text } from '#contract/shape.ts';
import { wire } from './wire.ts';
import { chosen, specified } from './source.ts';

/**
 * What the service answers, with all members that it is known to send. The console reads less, and more tolerantly
 * (server/upstream/wire.ts): what differs between the two still works.
 */

const isTime = (value: string): boolean =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value) && !Number.isNaN(Date.parse(value));
const time = z.stringFormat('date-time', isTime);
export const address = z.stringFormat('uri', (value) => URL.canParse(value));
const data = <T extends z.ZodType>(schema: T) => z.looseObject({ data: schema });

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
  data: z
    .looseObject({
      subscriptionId: text,
      organisationId: text,
      companyId: text.optional().meta(chosen('18.4')),
      providerId: text,
      status: subscriptionStatus.meta(specified('10.1')),
      suspendedByConsumer: z.boolean().meta(specified('10.3')),
      additionalData: text.optional(),
    })
    .meta({ id: 'ServiceSubscription' }),
  links: z.looseObject(authorise).optional(),
});

/** The members of a request, which an answer repeats with whatever else the sender gave. */
const repeated = (members: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, member.meta({ 'x-repeats': true })]));

const { payments, ...batchMembers } = batchRequestSchema.shape;
const asSent = { additionalData: text.optional() };

const batch = z.looseObject({
  data: z
    .looseObject({
      ...repeated(batchMembers),
      ...asSent,
      batchId: text,
      status: text.meta(specified('12.1')),
      payments: z.array(
        z.looseObject({
          ...repeated(payments.element.shape),
          ...asSent,
          paymentId: text,
          status: text,
          paymentCompletedDate: time.optional(),
        }),
      ),
    })
    .meta({ id: 'ServiceBatch' }),
  links: z.looseObject({ self: address, paymentFile: address.optional().meta(specified('5.4.1')), ...authorise }),
  error: z
    .looseObject({ detail: z.array(batchErrorSchema) })
    .optional()
    .meta(specified('5.4.3')),
});

const more = { author: text.optional(), language: text.optional() };
const provider = providerSchema.extend(more).meta({ id: 'ServiceProvider', ...specified('7.1') });

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
const fileFormat = fileFormatSchema
  .extend({
    country: z.array(text).optional(),
    specification: z.looseObject({ rules: z.array(fileRule), block: z.record(text, jsonSchema).optional() }),
  })
  .meta({ id: 'ServiceFileFormat', ...specified('9.1') });

const health = z.looseObject({ version: text, branch: text, name: text, status: text.optional() });

/** A refusal (RFC 9457); `errors` names the faulty members and headers (wire, section 14). */
export const problem = wire.problem
  .extend({
    type: text,
    code: text,
    detail: text,
    errors: z
      .array(z.looseObject({ path: text, message: text, code: text.optional(), ruleId: text.optional() }))
      .optional(),
  })
  .meta({ id: 'ServiceProblem', ...chosen('14.2') });

export const answers = {
  organisation: z.looseObject({
    ...wire.organisationRequest.shape,
    organisationId: text,
    primarySigningKey: text,
  }),
  company: z.looseObject({ ...wire.companyRequest.shape, companyId: text, organisationId: text }),
  token: z.looseObject({ jwt: text }),
  keySet: z.looseObject({
    keys: z.array(
      z.looseObject({ kty: text, n: text, e: text, kid: text.optional(), use: text.optional(), alg: text }),
    ),
  }),
  userInfo: z.looseObject({ sub: text, email: text, name: text }),
  account: data(z.looseObject({ id: text, ...wire.accountRequest.shape.data.shape })),
  dataset: data(z.looseObject({ id: text, ...wire.datasetRequest.shape.data.shape })),
  providers: data(z.array(provider)),
  provider: data(provider),
  localInstruments: wire.localInstruments,
  fileFormats: data(z.array(fileFormat)),
  translation: wire.translation,
  health,
  subscription,
  batchCreated: z.looseObject({
    data: z.looseObject({ batchId: text, externalId: text, status: text }),
    links: z.looseObject({ self: address }),
  }),
  batch,
};
