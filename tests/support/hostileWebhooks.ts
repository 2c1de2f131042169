import fc from 'fast-check';
import { z } from 'zod';
import { listedSchemas } from '#contract/party.ts';
import { webhookSchema } from '#server/upstream/webhooks.ts';
import { messageKinds } from '#server/upstream/wire.ts';
import { monsters } from './hostileAnswers.ts';
import { mutated } from './mutatedJson.ts';
import { fitting, type Schema } from './openApiRequests.ts';

/** Ids of the console's records, which webhooks may refer to. */
export const known = {
  subscription: 'subscription-1',
  batch: 'batch-1',
  debtor: '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55',
  creditor: '1b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55',
  message: (kind: string) => `message-${kind}`,
} as const;

const schemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema; // as zod writes it

const id = fc.constantFrom(
  known.subscription,
  known.batch,
  known.debtor,
  known.creditor,
  ...messageKinds.map(known.message),
  'unknown',
);
const type = fc.constantFrom(
  ...messageKinds.map((kind) => kind.replace(/queries$/, 'queryresponses')),
  ...['subscriptionUpdated', 'batchUpdated', 'resourceUpdated', 'somethingElse'],
);
const status = fc.constantFrom('Accepted', 'Rejected', 'AwaitingAuthorisation', 'deleted', 'Zzz', '');
const word = fc.oneof(fc.constantFrom('https://provider.example/authorise', 'text'), fc.string({ unit: 'binary' }));
const errors = fc.oneof(
  fc.array(fc.record({ path: word, message: word, code: word }, { requiredKeys: [] }), { maxLength: 3 }),
  fc.dictionary(word, fc.array(word, { maxLength: 2 }), { maxKeys: 2 }),
);

const optional = <T>(members: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) => fc.record(members, { requiredKeys: [] });

/** A provider's answer to a put, a delete or an update. */
const outcome = optional({
  debtorId: id,
  creditorId: id,
  status,
  errors,
  links: optional({ authorise: word, authoriseIssuedAt: word, authoriseExpiresAt: word }),
});
const parties = fc.oneof(
  fc.array(fitting(schemaOf(listedSchemas.debtors), {}), { maxLength: 4 }),
  fc.array(fitting(schemaOf(listedSchemas.creditors), {}), { maxLength: 4 }),
);
/** Answers to a query, under any name. */
const lists = fc.oneof(
  parties,
  optional({ debtors: parties, creditors: parties, creditorList: parties, data: parties, status, errors }),
);

const event = fc.oneof(
  {
    weight: 6,
    arbitrary: optional({
      type,
      subscriptionId: id,
      interactionId: id,
      resource: fc.record({ id, type: fc.constantFrom('Subscription', 'Batch', 'Creditor', '') }),
      data: fc.oneof(outcome, lists, fitting(schemaOf(listedSchemas.creditors), {}), fc.jsonValue({ maxDepth: 2 })),
    }),
  },
  { weight: 1, arbitrary: fitting(schemaOf(webhookSchema), {}) },
);
const textOf = (value: unknown): string => JSON.stringify(value) ?? '';
const events = fc.array(event, { maxLength: 5 });

const listOf = (count: number, element: (index: number) => string) =>
  `[${Array.from({ length: count }, (_, index) => element(index)).join(',')}]`;
const answerTo = (name: 'debtor' | 'creditor', list: string) =>
  `{"type":"${name === 'debtor' ? 'debtoraccount' : 'creditor'}listqueryresponses","subscriptionId":"${known.subscription}","data":{"${name}s":${list}}}`;

/** Long lists of parties, events, errors and other values. */
const long = fc.oneof(
  fc
    .tuple(fc.constantFrom('debtor' as const, 'creditor' as const), fc.constantFrom(50, 1000, 3000))
    .map(([name, size]) =>
      answerTo(
        name,
        listOf(size, (index) => `{"${name}Id":"${name}-${index}"}`),
      ),
    ),
  fc
    .tuple(fc.constantFrom('0', 'null', '{}', '-0', '[]', '"x"'), fc.constantFrom(1000, 40_000, 60_000))
    .map(([element, size]) =>
      answerTo(
        'creditor',
        listOf(size, () => element),
      ),
    ),
  fc
    .tuple(type, fc.constantFrom(50, 200))
    .map(([name, size]) => listOf(size, (index) => `{"type":"${name}","resource":{"id":"r${index}","type":"x"}}`)),
  fc.constantFrom(2001, 40_000).map((size) => listOf(size, () => '0')),
  fc
    .constantFrom(100, 20_000)
    .map(
      (size) =>
        `{"type":"creditorputs","resource":{"id":"${known.creditor}"},"data":{"errors":${listOf(size, () => '{"path":"p","message":"m"}')}}}`,
    ),
);

/** Texts of deliveries in the service's shapes, valid and invalid, single and in lists. */
export const deliveryTexts: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 40,
    arbitrary: mutated(
      fc.oneof(
        event.map(textOf),
        events.map(textOf),
        events.map((all) => textOf({ events: all })),
      ),
    ),
  },
  { weight: 2, arbitrary: long },
  { weight: 2, arbitrary: monsters },
);

/**
 * The largest possible deliveries, each of which has stalled or could stall the console: of answers that are kept, of
 * answers that are not, of events.
 */
export const longest: readonly string[] = [
  answerTo(
    'creditor',
    listOf(40_000, (index) => `{"creditorId":"creditor-${index}"}`),
  ),
  answerTo(
    'creditor',
    listOf(50_000, () => '-0'),
  ),
  listOf(2000, (index) => `{"type":"somethingElse","data":${index}}`),
  answerTo(
    'debtor',
    listOf(40_000, (index) => `{"debtorId":"debtor-${index}"}`),
  ),
  answerTo(
    'creditor',
    listOf(50_000, () => '{}'),
  ),
  listOf(2000, (index) => `${index}`),
];
