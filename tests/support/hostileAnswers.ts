import fc from 'fast-check';
import { z } from 'zod';
import { maximumElements } from '#server/http/json.ts';
import { answers } from '#server/upstream/answers.ts';
import { webhookSchema } from '#server/upstream/webhooks.ts';
import { mutated } from './mutatedJson.ts';
import { fitting, type Schema } from './openApiRequests.ts';
import { wholeOf } from './schemaMembers.ts';

export interface HostileAnswer {
  status: number;
  text: string;
}

const status = fc.oneof(
  { weight: 6, arbitrary: fc.constant(200) },
  { weight: 2, arbitrary: fc.constantFrom(201, 202, 400, 401, 403, 404, 409, 422, 429, 500, 503) },
);

/** The schemas by which the console reads what the service sends, as JSON schemas. */
const schemas = [...Object.values(answers), webhookSchema].map(
  (schema) =>
    z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline', cycles: 'ref' }) as Schema & {
      $defs?: Record<string, Schema>;
    }, // as zod writes them
);

const listOf = (element: string, count: number) => `[${Array.from({ length: count }, () => element).join(',')}]`;
const membersOf = (count: number) => Array.from({ length: count }, (_, index) => `"m${index}":0`).join(',');
const sizes = fc.constantFrom(1, 1000, 20_000, 150_000);
const elements = fc.constantFrom(
  '0',
  '{}',
  'null',
  '""',
  '[]',
  '{"providerId":1}',
  '"\\u0000"',
  '1e999',
  '-0',
  '12345678901234567890.5',
);

/** Bodies outside every schema: extreme sizes, deep nesting, unusual numbers, and texts that are not JSON. */
export const monsters = fc.oneof(
  fc.tuple(sizes, elements).map(([size, element]) => `{"data":${listOf(element, size)}}`),
  fc.tuple(sizes, elements).map(([size, element]) => `{"data":{"status":"x","payments":${listOf(element, size)}}}`),
  sizes.map((size) => `{"data":{${membersOf(size)}}}`),
  sizes.map((size) => `{"data":{"${'n'.repeat(size)}":"${'v'.repeat(size)}"}}`),
  sizes.map((size) => `{"data":${'['.repeat(size)}${']'.repeat(size)}}`),
  sizes.map((size) => `{"title":"${'\\u0000'.repeat(size)}","errors":${listOf('{"path":"p","message":"m"}', size)}}`),
  fc.constantFrom(
    '',
    'null',
    '[]',
    '"text"',
    '{"data":',
    '<html>',
    '{"__proto__":{"data":[]}}',
    '{"data":{"toJSON":1,"constructor":{}}}',
    '\u0000',
    '\ufeff{}',
  ),
  fc.string({ unit: 'binary' }),
);

/** Valid answers, one for each call, and refusals. */
const rightAnswers = [
  ...Object.values(answers).map(wholeOf),
  { title: 't', status: 400, detail: 'd', errors: [{ path: 'p', message: 'm' }] },
  { error: { code: 'c', message: 'm', detail: [{ target: 't', message: 'm', code: 'c' }] } },
].map((answer) => JSON.stringify(answer));

const longText = 'x'.repeat(900_000);

/**
 * Answers at the accepted maximum size, each of which has stalled or could stall the console, and overlong ids, which
 * are stored.
 */
export const extremeAnswers: readonly HostileAnswer[] = [
  ...['0', '-0', '{}', 'null', '"\\u0000"', '12345678901234567890.5', '1e999', '{"providerId":1}'].flatMap(
    (element) => [
      `{"data":${listOf(element, maximumElements)}}`,
      `{"data":{"status":"x","batchId":"b","payments":${listOf(element, maximumElements)}}}`,
      `{"data":${listOf(listOf(element, maximumElements), 2)}}`,
    ],
  ),
  `{"data":{"subscriptionId":"${longText}","providerId":"p","status":"x"}}`,
  `{"data":{"subscriptionId":"s","providerId":"p","status":"${longText}"}}`,
  `{"data":{"batchId":"${longText}","status":"x"}}`,
  `{"data":{"batchId":"b","status":"${longText}"}}`,
  `{"data":{"id":"${longText}"}}`,
  `{"organisationId":"${longText}","companyId":"${longText}","primarySigningKey":"k"}`,
  `{"organisationId":"€ \\n","companyId":"€","primarySigningKey":"${longText}"}`,
].map((text) => ({ status: 200, text }));

/**
 * Arbitrary answers: by the wire's schemas with valid and invalid values, mutated valid ones, and texts outside every
 * schema. Some repeat the secret with escapes.
 */
export const answersFrom = (secret: string): fc.Arbitrary<HostileAnswer> =>
  fc
    .record({
      status,
      text: fc.oneof(
        {
          weight: 5,
          arbitrary: fc
            .oneof(...schemas.map((schema) => fitting(schema, schema.$defs ?? {})))
            .map((value) => JSON.stringify(value) ?? ''),
        },
        { weight: 5, arbitrary: mutated(fc.constantFrom(...rightAnswers)) },
        { weight: 2, arbitrary: monsters },
      ),
      repeats: fc.constantFrom(
        '',
        secret,
        JSON.stringify(secret).replaceAll('-', '\\u002d'),
        encodeURIComponent(secret),
      ),
    })
    .map(({ status, text, repeats }) => ({
      status,
      // Only the texts of refusals are shown unchanged.
      text: status >= 400 && repeats !== '' ? `{"title":${JSON.stringify(repeats)},"more":${text || 'null'}}` : text,
    }));
