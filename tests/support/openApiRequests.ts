import fc from 'fast-check';
import type { openApi } from '#server/api/openapi.ts';
import { eventsPath } from '#server/api/events.ts';

/** A request as sent over the wire; `path` includes the query, and neither is normalised. */
export interface WireRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface Schema {
  $ref?: string;
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
}

interface Operation {
  parameters?: readonly { name: string; in: string; schema: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

const hostile = [
  '',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '<img src=x onerror=alert(1)>',
  "'; drop table entries; --",
  'http://169.254.169.254/latest',
  'javascript:alert(1)',
  '\r\nX-Evil: 1',
  '\u0000',
  '\ud800',
  '9'.repeat(400),
  'x'.repeat(5000),
];
const usual = [
  'GB',
  'en',
  'true',
  '10',
  'user@example.com',
  '120.50',
  'GBP',
  'key',
  '00000000-0000-4000-8000-000000000000',
];

const text = fc.oneof(
  fc.constantFrom(...usual),
  fc.constantFrom(...hostile),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const deep = fc.integer({ min: 1, max: 50_000 }).map((depth) => `{"data":${'['.repeat(depth)}${']'.repeat(depth)}}`);

/** Values that match the schema, mixed with some that do not. */
export function fitting(
  schema: Schema,
  components: Record<string, Schema>,
  within: readonly string[] = [],
): fc.Arbitrary<unknown> {
  const name = schema.$ref?.split('/').at(-1) ?? '';
  // A recursive schema is one of arbitrary JSON.
  if (within.includes(name)) return fc.jsonValue({ maxDepth: 2 });
  const fits = (inner: Schema) => fitting(inner, components, name ? [...within, name] : within);
  const named = components[name];
  if (named) return fits(named);
  if (schema.const !== undefined) return rarely(fc.constant(schema.const));
  if (schema.enum) return rarely(fc.constantFrom(...schema.enum));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fits));
  if (schema.type === 'array') return rarely(fc.array(fits(schema.items ?? {}), { maxLength: 3 }));
  if (schema.type === 'object') {
    const { properties = {}, required = [] } = schema;
    const members = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, fits(inner)]));
    const known = fc.record(members, { requiredKeys: [...required] });
    if (!schema.additionalProperties) return rarely(known);
    const more = fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 });
    return rarely(fc.tuple(more, known).map(([others, given]) => ({ ...others, ...given })));
  }
  if (schema.type === 'boolean') return rarely(fc.boolean());
  if (schema.type === 'number' || schema.type === 'integer') return rarely(fc.double());
  return schema.type === 'string' ? rarely(text) : fc.jsonValue({ maxDepth: 2 });
}

/** Occasionally returns an unrelated value. */
const rarely = (usually: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: usually }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });

/** Encodes a path segment; lone surrogates are removed, because they cannot be encoded. */
const encoded = (value: string): string => encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, ''));
const segment = fc.oneof(
  { weight: 8, arbitrary: text.map(encoded) },
  { weight: 1, arbitrary: fc.constantFrom('..', '%2e%2e', '%', '%zz', '%c0%ae', '%00', '%E0%A4%A', ';a=b', '.') },
);

const contentType = fc.oneof(
  { weight: 12, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'application/x-www-form-urlencoded',
      '',
      'application/json; charset=utf-99',
      ';',
    ),
  },
);
const key = fc.oneof(
  { weight: 8, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.constantFrom('', 'key', 'x'.repeat(300), 'a b') },
);
const foreign = fc.oneof(
  { weight: 12, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { origin: 'null' },
      { origin: 'http://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { host: 'rebound.example' },
      { 'accept-encoding': 'br;q=0, *' },
      { 'if-none-match': '*', range: 'bytes=0-0' },
      { 'transfer-encoding': 'chunked' },
    ),
  },
);

/** Requests for all described operations, and for undescribed ones. */
export function requestsFor({ paths, components }: ReturnType<typeof openApi>): fc.Arbitrary<WireRequest> {
  const operations = Object.entries(paths)
    .flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Operation })), // made there
    )
    // A stream of events never ends, so it cannot be awaited; tests of its own read it.
    .filter(({ path }) => path !== eventsPath);
  const schemas = components.schemas as Record<string, Schema>; // JSON schemas, as zod writes them

  const requestOf = ({ path, method, operation }: (typeof operations)[number]): fc.Arbitrary<WireRequest> => {
    const query = fc.record(
      Object.fromEntries(
        (operation.parameters ?? []).filter((each) => each.in === 'query').map(({ name }) => [name, text]),
      ),
      { requiredKeys: [] },
    );
    const schema = operation.requestBody?.content['application/json'].schema;
    const body = fc.oneof(
      {
        weight: 12,
        arbitrary: (schema ? fitting(schema, schemas) : fc.constant(undefined)).map(
          (value) => JSON.stringify(value) ?? null,
        ),
      },
      {
        weight: 1,
        arbitrary: fc.oneof(
          fc.string(),
          deep,
          fc.constantFrom('{"a":', '[]', 'null', '"', '{"__proto__":{"admin":true}}'),
        ),
      },
    );
    const others = fc.oneof(
      { weight: 20, arbitrary: fc.constant(method.toUpperCase()) },
      { weight: 1, arbitrary: fc.constantFrom('PUT', 'DELETE', 'OPTIONS', 'HEAD', 'POST', 'GET') },
    );
    return fc
      .record({
        method: others,
        segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
        query,
        body,
        contentType,
        key,
        foreign,
      })
      .map((parts) => {
        let used = 0;
        const filled = path.replace(/\{\w+\}/g, () => parts.segments[used++ % 3]!);
        const search = Object.entries(parts.query).map(([name, value]) => `${name}=${encoded(String(value))}`);
        const sends = !['GET', 'HEAD'].includes(parts.method) && parts.body !== null;
        const { 'transfer-encoding': _chunked, ...headers } = {
          'idempotency-key': parts.key,
          ...parts.foreign,
        } as Record<string, string>;
        return {
          method: parts.method,
          path: search.length > 0 ? `${filled}?${search.join('&')}` : filled,
          headers: { ...headers, ...(sends && { 'content-type': parts.contentType }) },
          body: sends ? parts.body : null,
        };
      });
  };
  return fc.oneof(...operations.map(requestOf));
}
