import { z } from 'zod';
import type { Json } from '#contract/json.ts';
import { operationAt, type ServiceOperation } from '#contract/serviceCalls.ts';
import { text } from '#contract/shape.ts';
import { shapes } from '#contract/shapes.ts';
import { answers, problem } from './answers.ts';
import { bodies } from './bodies.ts';
import { exampleOf } from './exampleBodies.ts';
import { chosen, documentedForm, specified, type Source } from './documented.ts';

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
  /** `example`: for a body whose values must fit together, or the rules of the sandbox's first provider. */
  body?: { schema: z.ZodType; source: Source; example?: Json };
  status: 200 | 201 | 202;
  /** Absent for an answer without a body. */
  answer?: AnswerOf;
}

interface AnswerOf {
  /** By which the console reads it; absent if it does not. */
  reads?: z.ZodObject;
  /** As it is documented. */
  schema: z.ZodType;
  source: Source;
  /** By default JSON. */
  type?: string;
  /** Whether it may be wrapped in `data` or not. */
  unwraps?: true;
  /** Members of which one must be there. */
  needs?: readonly string[];
  /** Whether it may hold thousands of elements. */
  isLarge?: true;
}

const country = z.object({
  country: text
    .regex(/^[A-Z]{2}$/, 'a 2-letter country code such as GB')
    .optional()
    .meta({ description: 'Two letters', ...specified('5.5.1') }),
});
const sent = <Schema extends z.ZodType>(schema: Schema, source: Source, example?: Json) => ({
  schema,
  source,
  ...(example !== undefined && { example: { data: example } }),
});
const answered = <Reads extends z.ZodObject>(
  reads: Reads,
  source: Source,
  how: Pick<AnswerOf, 'unwraps' | 'needs' | 'isLarge'> = {},
) => ({ reads, schema: documentedForm(reads), source, ...how });
const bare = { unwraps: true } as const;
const large = { isLarge: true } as const;
/** Only `data` is sent of the body of a console's call. */
const messageOf = (body: z.ZodObject) => sent(z.object({ data: body.shape['data'] as z.ZodType }), specified('6.1.1'));
const message = (body: z.ZodObject, source = specified('6.1.1')) =>
  ({ area: 'Messages', source, body: messageOf(body), status: 202 }) satisfies Operation;
const definitions = specified('5.5.1');

/** The calls of the service that are described; the login is a page. */
export const operations = {
  createOrganisation: {
    area: 'Identity',
    source: specified('2.2.1'),
    body: sent(bodies.organisation, specified('2.3.1')),
    status: 201,
    answer: answered(answers.organisation, specified('2.3.1'), { ...bare, needs: ['primarySigningKey', 'signingKey'] }),
  },
  createCompany: {
    area: 'Identity',
    source: chosen('2.3.4'),
    body: sent(bodies.company, specified('2.3.2')),
    status: 201,
    answer: answered(answers.company, chosen('2.3.4'), bare),
  },
  accessToken: {
    area: 'Identity',
    source: specified('2.2.4'),
    status: 200,
    answer: answered(answers.token, chosen('18.2'), {
      ...bare,
      needs: ['jwt', 'access_token', 'accessToken', 'token'],
    }),
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
    answer: answered(answers.userInfo, specified('2.5.1'), bare),
  },
  createAccount: {
    area: 'Network',
    source: chosen('2.5.3'),
    body: sent(bodies.account, specified('2.5.2')),
    status: 201,
    answer: answered(answers.account, specified('2.5.2')),
  },
  createDataset: {
    area: 'Network',
    source: chosen('2.5.3'),
    body: sent(bodies.dataset, chosen('2.5.3')),
    status: 201,
    answer: answered(answers.dataset, specified('2.5.2')),
  },
  providers: {
    area: 'Definitions',
    source: definitions,
    query: country,
    status: 200,
    answer: answered(answers.providers, specified('7.1'), large),
  },
  provider: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: answered(answers.provider, specified('7.1'), large),
  },
  localInstruments: {
    area: 'Definitions',
    source: definitions,
    status: 200,
    answer: answered(answers.localInstruments, specified('8.1'), large),
  },
  fileFormats: {
    area: 'Definitions',
    source: definitions,
    query: country,
    status: 200,
    answer: answered(answers.fileFormats, specified('9.1'), large),
  },
  banks: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: answered(answers.banks, specified('17.1'), large),
  },
  translation: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: answered(answers.translation, chosen('18.2'), large),
  },
  consumerStatus: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: answered(answers.health, chosen('18.2'), { ...bare, needs: ['status', 'version'] }),
  },
  messagingStatus: {
    area: 'Definitions',
    source: chosen('5.5.2'),
    status: 200,
    answer: answered(answers.health, chosen('18.2'), { ...bare, needs: ['status', 'version'] }),
  },
  createSubscription: {
    area: 'Subscriptions',
    source: specified('5.5.1'),
    body: sent(bodies.subscription, specified('5.1.1'), exampleOf.subscription),
    status: 201,
    answer: answered(answers.subscriptionCreated, specified('5.2.1')),
  },
  subscription: {
    area: 'Subscriptions',
    source: specified('5.5.1'),
    status: 200,
    answer: answered(answers.subscription, specified('5.2.1')),
  },
  patchSubscription: {
    area: 'Subscriptions',
    source: chosen('5.5.2'),
    body: sent(shapes.patchSubscription.body, specified('10.3'), exampleOf.suspension),
    status: 200,
    answer: sent(documentedForm(answers.subscription), specified('5.2.1')),
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
    body: sent(bodies.batch, specified('5.3.1'), exampleOf.batch),
    status: 201,
    answer: answered(answers.batchCreated, specified('5.3.6'), large),
  },
  batch: {
    area: 'Payments',
    source: specified('5.5.1'),
    status: 200,
    answer: answered(answers.batch, specified('5.4.1'), large),
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

/** Operations whose answers are JSON objects that the console reads. */
export type ReadName = {
  [Name in OperationName]: (typeof operations)[Name] extends { answer: { reads: z.ZodObject } } ? Name : never;
}[OperationName];
export type Reads<Name extends ReadName> = (typeof operations)[Name]['answer']['reads'];

/** How the console reads the answer to an operation. */
export const readingOf = <Name extends ReadName>(name: Name): AnswerOf & { reads: Reads<Name> } =>
  operations[name].answer;

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
