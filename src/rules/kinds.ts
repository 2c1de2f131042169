/** The kinds of values in words, by Zod's names. */
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
  return kinds[Array.isArray(value) ? 'array' : typeof value] ?? 'something else';
}

const units: Readonly<Record<string, string>> = { string: ' characters', array: ' elements' };

type Limit = { origin: string } & (
  { code: 'too_small'; minimum: number | bigint } | { code: 'too_big'; maximum: number | bigint }
);

/** What Zod's issue asks for: "a text of at most 36 characters". */
export function limitOf(issue: Limit): string {
  const limit = issue.code === 'too_small' ? `least ${issue.minimum}` : `most ${issue.maximum}`;
  return `${kinds[issue.origin] ?? 'a value'} of at ${limit}${units[issue.origin] ?? ''}`;
}
