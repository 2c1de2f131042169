import { z } from 'zod';
import { bankListSchema } from '#contract/lookup.ts';
import { openCalls, serviceCalls, type ServiceOperation } from '#contract/serviceCalls.ts';
import { batchRequestSchema } from '#contract/payment.ts';
import { text } from '#contract/shape.ts';
import { shapes } from '#contract/shapes.ts';
import { wire } from '#server/upstream/wire.ts';
import type { securityOf } from './security.ts';
import { answers } from './shapes.ts';
import { chosen, specified, type Source } from './source.ts';

/** The areas of the protocol, in the order of a company's way from nothing to a paid batch. */
export const areas = {
  Identity: 'Organisations, companies and their tokens',
  Network: 'Accounts and data sets of a user',
  Definitions: 'Providers, formats, banks and texts',
  Subscriptions: 'Connecting a company to a provider',
  Messages: 'What the provider is asked; a webhook brings its answer',
  Payments: 'Batches of payments and their files',
  Webhooks: 'What the service sends',
} as const;
type Area = keyof typeof areas;

/** One call of the service; its method and path are those of `serviceCalls` and `openCalls`. */
export interface Operation {
  area: Area;
  summary: string;
  source: Source;
  /** The names of the ids in its path. */
  ids?: readonly string[];
  proof: keyof typeof securityOf;
  query?: z.ZodObject;
  /** A write has an idempotency key; a message also needs an interaction id. */
  writes?: 'once' | 'message';
  /** Whether texts are in the language of x-accept-language. */
  isTranslated?: true;
  /** Whose token is asked for. */
  forOwner?: true;
  body?: { schema: z.ZodType; source: Source };
  status: 200 | 201 | 202;
  /** Absent for an answer without a body; a text for a file. */
  answer?: { schema: z.ZodType; source: Source; type?: string };
}

const country = z.object({
  country: text
    .regex(/^[A-Z]{2}$/)
    .optional()
    .meta({ description: 'Two letters', ...specified('5.5.1') }),
});
const sent = (schema: z.ZodType, source: Source) => ({ schema, source });
/** Only `data` is sent of the body of a console's call. */
const messageOf = (body: z.ZodObject) => sent(z.object({ data: body.shape['data'] as z.ZodType }), specified('6.1.1'));
const message = (summary: string, body: z.ZodObject, source = specified('6.1.1')): Operation => ({
  ...{ area: 'Messages', summary, source, proof: 'company', writes: 'message', status: 202 },
  body: messageOf(body),
});
/** A text that contains JSON (wire, sections 5.1 and 5.3). */
const textOfJson = text.optional().meta({ description: 'A text that contains JSON', ...chosen('5.3.4') });
const batchMembers = batchRequestSchema.shape;
const batchBody = z.object({
  data: batchRequestSchema.extend({
    subscriptionId: batchMembers.subscriptionId.meta(chosen('5.3.2')),
    requestedExecutionDateTime: batchMembers.requestedExecutionDateTime.meta(chosen('5.3.7')),
    additionalData: textOfJson,
    payments: z.array(batchMembers.payments.element.extend({ additionalData: textOfJson })).min(1),
  }),
});
const organisationBody = wire.organisationRequest.extend({
  externalId: wire.organisationRequest.shape.externalId.meta(chosen('2.3.5')),
});
const definitions = specified('5.5.1');

type Name = Exclude<ServiceOperation, 'authorize'>;

export const operations = {
  createOrganisation: {
    area: 'Identity',
    summary: 'Create an organisation',
    source: specified('2.2.1'),
    proof: 'application',
    writes: 'once',
    body: sent(organisationBody, specified('2.3.1')),
    status: 201,
    answer: sent(answers.organisation, specified('2.3.1')),
  },
  createCompany: {
    area: 'Identity',
    summary: 'Create a company',
    source: chosen('2.3.4'),
    proof: 'organisation',
    writes: 'once',
    body: sent(wire.companyRequest, specified('2.3.2')),
    status: 201,
    answer: sent(answers.company, chosen('2.3.4')),
  },
  accessToken: {
    area: 'Identity',
    summary: 'Obtain a token',
    source: specified('2.2.4'),
    proof: 'owner',
    forOwner: true,
    status: 200,
    answer: sent(answers.token, chosen('18.2')),
  },
  keySet: {
    area: 'Identity',
    summary: 'Read the keys that sign tokens',
    source: chosen('18.2'),
    proof: 'none',
    status: 200,
    answer: sent(answers.keySet, chosen('18.2')),
  },
  userInfo: {
    area: 'Identity',
    summary: 'Read who a user token belongs to',
    source: specified('2.5.1'),
    proof: 'user',
    status: 200,
    answer: sent(answers.userInfo, specified('2.5.1')),
  },
  createAccount: {
    area: 'Network',
    summary: 'Create a network account',
    source: chosen('2.5.3'),
    proof: 'user',
    writes: 'once',
    body: sent(wire.accountRequest, specified('2.5.2')),
    status: 201,
    answer: sent(answers.account, specified('2.5.2')),
  },
  createDataset: {
    area: 'Network',
    summary: 'Create a data set of the network',
    source: chosen('2.5.3'),
    proof: 'user',
    writes: 'once',
    body: sent(wire.datasetRequest, chosen('2.5.3')),
    status: 201,
    answer: sent(answers.dataset, specified('2.5.2')),
  },
  providers: {
    area: 'Definitions',
    summary: 'List the providers of a country',
    source: definitions,
    proof: 'client',
    query: country,
    isTranslated: true,
    status: 200,
    answer: sent(answers.providers, specified('7.1')),
  },
  provider: {
    area: 'Definitions',
    summary: 'Read a provider',
    source: chosen('5.5.2'),
    ids: ['providerId'],
    proof: 'client',
    isTranslated: true,
    status: 200,
    answer: sent(answers.provider, specified('7.1')),
  },
  localInstruments: {
    area: 'Definitions',
    summary: 'List the types of payment',
    source: definitions,
    proof: 'client',
    isTranslated: true,
    status: 200,
    answer: sent(answers.localInstruments, specified('8.1')),
  },
  fileFormats: {
    area: 'Definitions',
    summary: 'List the templates of bank files of a country',
    source: definitions,
    proof: 'client',
    query: country,
    isTranslated: true,
    status: 200,
    answer: sent(answers.fileFormats, specified('9.1')),
  },
  banks: {
    area: 'Definitions',
    summary: 'List the banks',
    source: chosen('5.5.2'),
    proof: 'client',
    status: 200,
    answer: sent(bankListSchema.omit({ skipped: true }), specified('17.1')),
  },
  translation: {
    area: 'Definitions',
    summary: 'Read the translation of a text',
    source: chosen('5.5.2'),
    ids: ['key'],
    proof: 'client',
    isTranslated: true,
    status: 200,
    answer: sent(answers.translation, chosen('18.2')),
  },
  consumerStatus: {
    area: 'Definitions',
    summary: 'Ask whether the consumer API works',
    source: chosen('5.5.2'),
    proof: 'none',
    status: 200,
    answer: sent(answers.health, chosen('18.2')),
  },
  messagingStatus: {
    area: 'Definitions',
    summary: 'Ask whether the messaging API works',
    source: chosen('5.5.2'),
    proof: 'none',
    status: 200,
    answer: sent(answers.health, chosen('18.2')),
  },
  createSubscription: {
    area: 'Subscriptions',
    summary: 'Subscribe a company to a provider',
    source: specified('5.5.1'),
    ids: ['organisationId'],
    proof: 'company',
    writes: 'once',
    body: sent(wire.subscriptionRequest, specified('5.1.1')),
    status: 201,
    answer: sent(answers.subscription, specified('5.2.1')),
  },
  subscription: {
    area: 'Subscriptions',
    summary: 'Read a subscription',
    source: specified('5.5.1'),
    ids: ['subscriptionId'],
    proof: 'company',
    status: 200,
    answer: sent(answers.subscription, specified('5.2.1')),
  },
  patchSubscription: {
    area: 'Subscriptions',
    summary: 'Suspend or resume a subscription',
    source: chosen('5.5.2'),
    ids: ['subscriptionId'],
    proof: 'company',
    body: sent(shapes.patchSubscription.body, specified('10.3')),
    status: 200,
    answer: sent(answers.subscription, specified('5.2.1')),
  },
  updates: message('Change properties of a subscription', shapes.sendUpdate.body, specified('6.1.2')),
  debtoraccountputs: message('Add or change a debtor', shapes.putDebtor.body),
  creditorputs: message('Add or change a creditor', shapes.putCreditor.body),
  debtoraccountlistqueries: message('Ask for the debtors', shapes.queryDebtors.body),
  creditorlistqueries: message('Ask for the creditors', shapes.queryCreditors.body),
  debtoraccountdeletes: message('Delete a debtor', shapes.deleteDebtor.body),
  creditordeletes: message('Delete a creditor', shapes.deleteCreditor.body),
  createBatch: {
    area: 'Payments',
    summary: 'Pay a batch',
    source: specified('5.5.1'),
    proof: 'payments',
    writes: 'once',
    isTranslated: true,
    body: sent(batchBody, specified('5.3.1')),
    status: 201,
    answer: sent(answers.batchCreated, specified('5.3.6')),
  },
  batch: {
    area: 'Payments',
    summary: 'Read a batch',
    source: specified('5.5.1'),
    ids: ['batchId'],
    proof: 'payments',
    isTranslated: true,
    status: 200,
    answer: sent(answers.batch, specified('5.4.1')),
  },
  paymentFile: {
    area: 'Payments',
    summary: 'Download a payment file by the link of its batch',
    source: specified('2.1.4'),
    ids: ['batchId'],
    proof: 'none',
    query: z.object({ token: text.meta({ description: 'The authorisation within the link', ...specified('2.1.4') }) }),
    status: 200,
    answer: { ...sent(text, specified('9.1')), type: 'text/plain' },
  },
} satisfies Record<Name, Operation>;

export type OperationName = keyof typeof operations;

/** The methods of each operation, and its path with the names of its ids. */
export const routes = Object.fromEntries(
  Object.entries<Operation>(operations).map(([name, { ids = [] }]) => {
    const { methods, path }: { methods: readonly string[]; path: string } = { ...serviceCalls, ...openCalls }[
      name as OperationName // its own keys
    ];
    return [name, { methods, path: ids.reduce((before, id) => before.replace('{}', `{${id}}`), path) }];
  }),
) as Record<OperationName, { methods: readonly string[]; path: string }>; // from the same keys
