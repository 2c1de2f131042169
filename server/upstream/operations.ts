import { z } from 'zod';
import { bankListSchema } from '#contract/lookup.ts';
import { operationAt, type ServiceOperation } from '#contract/serviceCalls.ts';
import { batchRequestSchema } from '#contract/payment.ts';
import { text } from '#contract/shape.ts';
import { shapes } from '#contract/shapes.ts';
import { jsonText } from './jsonText.ts';
import { wire } from './wire.ts';
import { answers, problem } from './described.ts';
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

/** What a call of the service says and answers; how it is sent stands in `serviceCalls`. */
export interface Operation {
  area: Area;
  source: Source;
  query?: z.ZodObject;
  body?: { schema: z.ZodType; source: Source };
  status: 200 | 201 | 202;
  /** Absent for an answer without a body; a text for a file. */
  answer?: { schema: z.ZodType; source: Source; type?: string };
}

const country = z.object({
  country: text
    .regex(/^[A-Z]{2}$/, 'a 2-letter country code such as GB')
    .optional()
    .meta({ description: 'Two letters', ...specified('5.5.1') }),
});
const sent = <S extends z.ZodType>(schema: S, source: Source) => ({ schema, source });
/** Only `data` is sent of the body of a console's call. */
const messageOf = (body: z.ZodObject) => sent(z.object({ data: body.shape['data'] as z.ZodType }), specified('6.1.1'));
const message = (body: z.ZodObject, source = specified('6.1.1')) =>
  ({ area: 'Messages', source, body: messageOf(body), status: 202 }) satisfies Operation;
const textOfJson = jsonText.optional().meta({ description: 'A text that contains JSON', ...chosen('5.3.4') });
const batchMembers = batchRequestSchema.shape;
const batchBody = z.object({
  data: batchRequestSchema.extend({
    subscriptionId: batchMembers.subscriptionId.meta(chosen('5.3.2')),
    requestedExecutionDateTime: batchMembers.requestedExecutionDateTime.meta(chosen('5.3.7')),
    additionalData: textOfJson,
    payments: z.array(batchMembers.payments.element.extend({ additionalData: textOfJson })).min(1),
  }),
});
const subscriptionBody = wire.subscriptionRequest.extend({
  data: wire.subscriptionRequest.shape.data.extend({ additionalData: jsonText }),
});
const organisationBody = wire.organisationRequest.extend({
  externalId: wire.organisationRequest.shape.externalId.meta(chosen('2.3.5')),
});
const definitions = specified('5.5.1');

/** The calls of the service that are described; the login is a page. */
export const operations = {
  createOrganisation: {
    area: 'Identity',
    source: specified('2.2.1'),
    body: sent(organisationBody, specified('2.3.1')),
    status: 201,
    answer: sent(answers.organisation, specified('2.3.1')),
  },
  createCompany: {
    area: 'Identity',
    source: chosen('2.3.4'),
    body: sent(wire.companyRequest, specified('2.3.2')),
    status: 201,
    answer: sent(answers.company, chosen('2.3.4')),
  },
  accessToken: {
    area: 'Identity',
    source: specified('2.2.4'),
    status: 200,
    answer: sent(answers.token, chosen('18.2')),
  },
  keySet: {
    area: 'Identity',
    source: chosen('18.2'),
    status: 200,
    answer: sent(answers.keySet, chosen('18.2')),
  },
  userInfo: {
    area: 'Identity',
    source: specified('2.5.1'),
    status: 200,
    answer: sent(answers.userInfo, specified('2.5.1')),
  },
  createAccount: {
    area: 'Network',
    source: chosen('2.5.3'),
    body: sent(wire.accountRequest, specified('2.5.2')),
    status: 201,
    answer: sent(answers.account, specified('2.5.2')),
  },
  createDataset: {
    area: 'Network',
    source: chosen('2.5.3'),
    body: sent(wire.datasetRequest, chosen('2.5.3')),
    status: 201,
    answer: sent(answers.dataset, specified('2.5.2')),
  },
  providers: {
    area: 'Definitions',
    source: definitions,
    query: country,
    status: 200,
    answer: sent(answers.providers, specified('7.1')),
  },
  provider: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: sent(answers.provider, specified('7.1')),
  },
  localInstruments: {
    area: 'Definitions',
    source: definitions,
    status: 200,
    answer: sent(answers.localInstruments, specified('8.1')),
  },
  fileFormats: {
    area: 'Definitions',
    source: definitions,
    query: country,
    status: 200,
    answer: sent(answers.fileFormats, specified('9.1')),
  },
  banks: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: sent(bankListSchema.omit({ skipped: true }), specified('17.1')),
  },
  translation: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: sent(answers.translation, chosen('18.2')),
  },
  consumerStatus: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: sent(answers.health, chosen('18.2')),
  },
  messagingStatus: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: sent(answers.health, chosen('18.2')),
  },
  createSubscription: {
    area: 'Subscriptions',
    source: specified('5.5.1'),
    body: sent(subscriptionBody, specified('5.1.1')),
    status: 201,
    answer: sent(answers.subscription, specified('5.2.1')),
  },
  subscription: {
    area: 'Subscriptions',
    source: specified('5.5.1'),
    status: 200,
    answer: sent(answers.subscription, specified('5.2.1')),
  },
  patchSubscription: {
    area: 'Subscriptions',
    source: chosen('5.5.2'),
    body: sent(shapes.patchSubscription.body, specified('10.3')),
    status: 200,
    answer: sent(answers.subscription, specified('5.2.1')),
  },
  updates: message(shapes.sendUpdate.body, specified('6.1.2')),
  debtoraccountputs: message(shapes.putDebtor.body),
  creditorputs: message(shapes.putCreditor.body),
  debtoraccountlistqueries: message(shapes.queryDebtors.body),
  creditorlistqueries: message(shapes.queryCreditors.body),
  debtoraccountdeletes: message(shapes.deleteDebtor.body),
  creditordeletes: message(shapes.deleteCreditor.body),
  createBatch: {
    area: 'Payments',
    source: specified('5.5.1'),
    body: sent(batchBody, specified('5.3.1')),
    status: 201,
    answer: sent(answers.batchCreated, specified('5.3.6')),
  },
  batch: {
    area: 'Payments',
    source: specified('5.5.1'),
    status: 200,
    answer: sent(answers.batch, specified('5.4.1')),
  },
  paymentFile: {
    area: 'Payments',
    source: specified('2.1.4'),
    query: z.object({
      token: z
        .string('the token of the link that a batch was read with')
        .meta({ description: 'The authorisation within the link', ...specified('2.1.4') }),
    }),
    status: 200,
    answer: { ...sent(text, specified('9.1')), type: 'text/plain' },
  },
} satisfies Record<Exclude<ServiceOperation, 'authorize'>, Operation>;

export type OperationName = keyof typeof operations;

/** Returns the described operation of a call; its path may begin with that of the service. Undefined if there is none. */
export function describedAt(method: string, path: string): OperationName | undefined {
  const name = operationAt(method, path);
  return name === 'authorize' ? undefined : name;
}

/** Returns how an answer with this status is described: its type, its schema unless it has no body, and the status of a success. */
export function describedAnswer(name: OperationName, status: number) {
  const { status: success, answer }: Operation = operations[name];
  if (status >= 400) return { success, type: 'application/problem+json', schema: problem };
  return answer ? { success, type: answer.type ?? 'application/json', schema: answer.schema } : { success };
}
