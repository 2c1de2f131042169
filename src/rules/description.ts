import type { Description } from '#contract/description.ts';
import { member, own } from '#contract/member.ts';
import { isObject, type Json, type JsonObject } from '#contract/json.ts';

/** The description of the service as a page shows it: its operations by area, with every member of their bodies. */

/** Where a part comes from; the lines are those of docs/wire.md. */
export interface Source {
  source: string;
  lines: readonly string[];
}

/** A parameter, or a member of a body. */
export interface Part extends Source {
  /** The name of a parameter, or the place in a body: `data.payments[].status`. */
  place: string;
  /** Where a parameter is sent: path, query or header; '' for a member. */
  sent: string;
  type: string;
  isRequired: boolean;
  says: string;
}

interface Content extends Source {
  /** The media type; '' if there is no body. */
  type: string;
  parts: readonly Part[];
  /** A value of its shape; null if there is no body. */
  example: Json;
}

export interface DescribedOperation extends Source {
  id: string;
  area: string;
  summary: string;
  method: string;
  /** The path; for a webhook, its type. */
  address: string;
  isWebhook: boolean;
  parameters: readonly Part[];
  body: Content | null;
  answers: readonly (Content & { status: string; says: string })[];
}

const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
const listIn = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

const sourceOf = (part: JsonObject, outer: Source = { source: '', lines: [] }): Source => {
  const source = textIn(part['x-source']);
  return source === '' ? outer : { source, lines: listIn(part['x-wire']).map((line) => textIn(line)) };
};

/** Levels to which members are listed: deeper ones are of any shape. */
const deepest = 8;

const examplesOf: Readonly<Record<string, Json>> = {
  'date-time': '2026-01-31T09:00:00Z',
  date: '2026-01-31',
  uuid: '3f2b8c1e-5d7a-4b9e-9c64-0a1d2e3f4a5b',
  email: 'user@example.com',
  uri: 'https://example.com/',
  boolean: true,
  integer: 1,
  number: 1,
  object: {},
  null: null,
};

/** Texts of which one fits each pattern of the description. */
const texts = ['GB', 'GBR', '120.50', '2026-01-31T00:00:00Z'];

/** A value of a type, a format and a pattern of the description. */
function plainExample({ format, pattern }: JsonObject, type = ''): Json {
  const known =
    member(examplesOf, textIn(format)) ?? (own(examplesOf, type) ? (member(examplesOf, type) ?? null) : 'text');
  const like = textIn(pattern);
  if (like === '' || typeof known !== 'string') return known;
  return [known, ...texts].find((text) => new RegExp(like, 'u').test(text)) ?? known;
}

function createReader(schemas: JsonObject) {
  const resolved = (schema: JsonObject): JsonObject => {
    const name = textIn(schema['$ref']).split('/').at(-1) ?? '';
    return name === '' ? schema : { ...objectIn(schemas[name]), ...schema };
  };

  function typeOf(given: JsonObject): string {
    const schema = resolved(given);
    const alternatives = [...listIn(schema['anyOf']), ...listIn(schema['oneOf'])];
    if (alternatives.length > 0) return [...new Set(alternatives.map((each) => typeOf(objectIn(each))))].join(' or ');
    if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
    const values = listIn(schema['enum']);
    if (values.length > 0) return values.map((each) => JSON.stringify(each)).join(', ');
    const types = [schema['type'] ?? 'any'].flat().map((each) => textIn(each));
    const more = textIn(schema['format']) || textIn(schema['pattern']);
    return `${types.join(' or ')}${more && ` (${more})`}`;
  }

  function membersOf(given: JsonObject, outer: Source, place = '', depth = 0): Part[] {
    const schema = resolved(given);
    if (depth > deepest) return [];
    const inside = [...listIn(schema['allOf']), ...listIn(schema['anyOf']), ...listIn(schema['oneOf'])];
    const required = listIn(schema['required']);
    const members = Object.entries(objectIn(schema['properties'])).flatMap(([name, each]) => {
      const member = resolved(objectIn(each));
      const source = sourceOf(member, outer);
      const at = place === '' ? name : `${place}.${name}`;
      const part = {
        place: at,
        sent: '',
        type: typeOf(member),
        says: textIn(member['description']),
        ...source,
        isRequired: required.includes(name),
      };
      return [part, ...membersOf(member, source, at, depth + 1)];
    });
    const { items } = schema;
    return [
      ...members,
      ...(isObject(items) ? membersOf(items, sourceOf(items, outer), `${place}[]`, depth + 1) : []),
      ...inside.flatMap((each) => membersOf(objectIn(each), outer, place, depth + 1)),
    ];
  }

  /** A value of the shape of a schema, with the examples that the schema has. */
  function exampleOf(given: JsonObject, depth = 0): Json {
    const schema = resolved(given);
    const [one] = [...listIn(schema['anyOf']), ...listIn(schema['oneOf'])];
    const known = schema['example'] ?? listIn(schema['examples'])[0] ?? schema['const'] ?? schema['default'];
    if (known !== undefined) return known;
    const [value] = listIn(schema['enum']);
    if (value !== undefined) return value;
    if (one !== undefined && !schema['properties']) return exampleOf(objectIn(one), depth);
    const all = listIn(schema['allOf']).map((each) => objectIn(exampleOf(objectIn(each), depth)));
    if (schema['properties'] || all.length > 0) {
      const members = depth > deepest ? [] : Object.entries(objectIn(schema['properties']));
      const own = members.map(([name, member]): [string, Json] => [name, exampleOf(objectIn(member), depth + 1)]);
      return Object.assign({}, ...all, Object.fromEntries(own)) as JsonObject; // of objects
    }
    const [type] = [schema['type'] ?? 'any'].flat().map((each) => textIn(each));
    if (type === 'array')
      return isObject(schema['items']) && depth <= deepest ? [exampleOf(schema['items'], depth + 1)] : [];
    return plainExample(schema, type);
  }

  function contentOf(holder: JsonObject, outer: Source): Content {
    const [[type, content] = ['', {} as Json]] = Object.entries(objectIn(holder['content']));
    const schema = resolved(objectIn(objectIn(content)['schema']));
    const source = sourceOf(schema, sourceOf(holder, outer));
    const example = type === '' ? null : (objectIn(content)['example'] ?? exampleOf(schema));
    return { type, ...source, parts: membersOf(schema, source), example };
  }

  const parameterOf = (given: Json): Part => {
    const parameter = objectIn(given);
    const schema = objectIn(parameter['schema']);
    return {
      place: textIn(parameter['name']),
      sent: textIn(parameter['in']),
      type: typeOf(schema),
      isRequired: parameter['required'] === true,
      says: textIn(parameter['description']),
      ...sourceOf(parameter, sourceOf(schema)),
    };
  };

  return (method: string, address: string, isWebhook: boolean, operation: JsonObject): DescribedOperation => {
    const source = sourceOf(operation);
    const body = operation['requestBody'];
    return {
      id: textIn(operation['operationId']),
      area: textIn(listIn(operation['tags'])[0]),
      summary: textIn(operation['summary']),
      method: method.toUpperCase(),
      address,
      isWebhook,
      ...source,
      parameters: listIn(operation['parameters']).map(parameterOf),
      body: isObject(body) ? contentOf(body, source) : null,
      answers: Object.entries(objectIn(operation['responses'])).map(([status, answer]) => ({
        status,
        says: textIn(objectIn(answer)['description']),
        ...contentOf(objectIn(answer), source),
      })),
    };
  };
}

/** Reads all operations and webhooks of a description, in its order. */
export function operationsIn({ paths, webhooks, components }: Description): DescribedOperation[] {
  const read = createReader(components.schemas);
  return [
    ...[paths, webhooks].flatMap((addresses, index) =>
      Object.entries(addresses).flatMap(([address, methods]) =>
        Object.entries(methods).map(([method, operation]) => read(method, address, index === 1, objectIn(operation))),
      ),
    ),
  ];
}

/** Operations in groups by area, in the order in which the areas come first. */
export function byArea(
  operations: readonly DescribedOperation[],
): { area: string; operations: DescribedOperation[] }[] {
  const areas = [...new Set(operations.map(({ area }) => area))];
  return areas.map((area) => ({ area, operations: operations.filter((each) => each.area === area) }));
}

/** The source of a part in words. */
export const sourceWords = ({ source }: Source): string => (source === 'sandbox' ? 'our choice' : 'specified');
