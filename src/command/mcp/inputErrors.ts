import type { z } from 'zod';

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : (kinds[typeof value] ?? 'something else');
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' elements' };

function limitOf(origin: string, word: 'least' | 'most', limit: number | bigint): string {
  return `Give ${kinds[origin] ?? 'a value'} of at ${word} ${limit}${units[origin] ?? ''},`;
}

/**
 * What would be right instead of an input that no schema of a tool has words for. The server of the SDK adds ` at ` and the
 * member.
 */
export const inputError: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return `Give ${kinds[issue.expected] ?? issue.expected}, not ${kindOf(issue.input)},`;
    case 'invalid_value':
      return `Give one of ${issue.values.map(String).join(', ')},`;
    case 'too_small':
      return limitOf(issue.origin, 'least', issue.minimum);
    case 'too_big':
      return limitOf(issue.origin, 'most', issue.maximum);
    case 'unrecognized_keys':
      return `Leave out ${issue.keys.map((each) => JSON.stringify(each)).join(', ')}: there is no such member,`;
    default:
      return undefined;
  }
};
