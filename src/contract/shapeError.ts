import type { z } from 'zod';
import { ExactNumber } from './json.ts';

/** The kinds of values in words, by their types or the types that a schema expects. */
export const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

/** Returns the kind of a JSON value in words. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (value instanceof ExactNumber) return 'a number';
  return Array.isArray(value) ? 'a list' : (kinds[typeof value] ?? 'something else');
}

const units: Readonly<Record<string, string>> = { string: 'character', array: 'element' };

type Limit = { origin: string } & (
  { code: 'too_small'; minimum: number | bigint } | { code: 'too_big'; maximum: number | bigint }
);

/** What Zod's issue asks for: "a text of at most 36 characters". */
export function limitOf(issue: Limit): string {
  const [word, limit] = issue.code === 'too_small' ? ['least', issue.minimum] : ['most', issue.maximum];
  const unit = units[issue.origin];
  return `${kinds[issue.origin] ?? 'a value'} of at ${word} ${limit}${unit === undefined ? '' : ` ${unit}${limit == 1 ? '' : 's'}`}`;
}

const forms: Readonly<Record<string, string>> = {
  uuid: 'a UUID',
  guid: 'a UUID',
  url: 'an address',
  email: 'an e-mail address',
  datetime: 'a time such as 2026-01-31T09:00:00Z',
  date: 'a day such as 2026-01-31',
  base64: 'Base64',
};

/** Says which type of value is expected, and which one came. */
export function typeError(expected: string, input: unknown): string {
  const kind = kinds[expected] ?? 'another value';
  const whole = expected === 'int' && typeof input === 'number' ? String(input) : kindOf(input);
  return `${kind}, not ${whole}`;
}

/** What would be right instead of a value that its schema has no words for; the words of the library are never shown. */
export const shapeError: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return typeError(issue.expected, issue.input);
    case 'invalid_value':
      return `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((each) => JSON.stringify(each)).join(', ')}`;
    case 'too_small':
    case 'too_big':
      return limitOf(issue);
    case 'not_multiple_of':
      return `a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `no member ${issue.keys.map((each) => JSON.stringify(each)).join(', ')}, which is not known`;
    case 'invalid_format':
      return forms[issue.format] ?? 'a text of another form';
    case 'invalid_union':
      return 'one of the forms that are described';
    case 'invalid_key':
      return 'other names of members';
    default:
      return 'another value';
  }
};

/** Returns what would be right of a value, at its first fault, and where; undefined if its schema takes it. */
export function faultIn(schema: z.ZodType, value: unknown): { path: PropertyKey[]; message: string } | undefined {
  const [issue] = schema.safeParse(value, { error: shapeError }).error?.issues ?? [];
  return issue && { path: issue.path, message: issue.message };
}
