import type { z } from 'zod';
import { shapeError } from '#contract/shapeError.ts';

/** What would be right instead of an input, to be followed by its place; the schemas' own words are sentences. */
export const inputError: z.core.$ZodErrorMap = (issue) => {
  const words = shapeError(issue);
  return typeof words === 'string' ? `Give ${words},` : undefined;
};

/** The value of a JSON text; undefined if it is none. */
export function jsonIn(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null;

const inside = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((whole, name) => (isObject(whole) ? whole[name] : undefined), value);

/** Returns a copy with another value at a path. */
function replaced(whole: unknown, [name, ...path]: readonly PropertyKey[], value: unknown): unknown {
  if (name === undefined || !isObject(whole)) return value;
  const next = replaced(whole[name], path, value);
  return Array.isArray(whole) ? whole.with(Number(name), next) : { ...whole, [name]: next };
}

/** The kinds of values of which agents give a JSON text. */
const nested = ['object', 'record', 'array'];

/** One line on each issue: what would be right, where. */
const linesOn = (issues: readonly z.core.$ZodIssue[]): string =>
  issues
    .map(({ message, path }) =>
      path.length === 0 ? message.replace(/,$/, '') : `${message} at ${path.map(String).join('.')}`,
    )
    .join('\n');

/** How deep JSON texts may stand in JSON texts. */
const deepest = 4;

/**
 * Reads the input of a tool by its schema. Where an object or a list is asked for and a JSON text of one is given, as agents
 * do, takes that. Throws an Error that says what would be right at which member.
 */
export function readInput<Input extends z.ZodType>(schema: Input, given: unknown): z.output<Input> {
  let input = given;
  for (let depth = 0; ; depth += 1) {
    const { success, data, error } = schema.safeParse(input, { error: inputError, reportInput: false });
    if (success) return data;
    const before = input;
    if (depth < deepest)
      for (const issue of error.issues) {
        if (issue.code !== 'invalid_type' || !nested.includes(issue.expected)) continue;
        const value = jsonIn(inside(input, issue.path));
        const isAsked = isObject(value) && Array.isArray(value) === (issue.expected === 'array');
        if (isAsked) input = replaced(input, issue.path, value);
      }
    if (input === before) throw new Error(linesOn(error.issues));
  }
}

/** The issues that the server of the SDK prints as JSON within a message, in sentences; any other message as it is. */
export function readable(message: string): string {
  const begin = message.indexOf('[');
  const issues = begin < 0 ? undefined : jsonIn(message.slice(begin));
  if (!Array.isArray(issues) || !issues.every((each) => isObject(each) && Array.isArray(each['path']))) return message;
  return linesOn(issues as z.core.$ZodIssue[]); // issues of Zod have paths
}
