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

const nested = ['object', 'record', 'array'];

/** What else is said of a value that is refused for its type, which the value itself shows. */
function hintOn(expected: string, value: unknown): string {
  if (expected === 'string' && ['number', 'boolean'].includes(typeof value))
    return `: "${String(value)}" in quotation marks`;
  if (typeof value !== 'string') return '';
  if (nested.includes(expected)) return ': this text is not its JSON';
  const meant = jsonIn(value);
  return typeof meant === (expected === 'int' ? 'number' : expected)
    ? `: ${String(meant)} without quotation marks`
    : '';
}

/** The type of the values of which one is asked for; '' for any other issue. */
const typedAs = (issue: z.core.$ZodIssue): string =>
  issue.code === 'invalid_value' && issue.values.every((each) => typeof each === 'string') ? 'string' : '';

/** One line on each issue: what would be right, where. */
const linesOn = (issues: readonly z.core.$ZodIssue[], input: unknown): string =>
  issues
    .map((issue) => {
      const { message, path } = issue;
      const where = path.length === 0 ? '' : ` at ${path.map(String).join('.')}`;
      const expected = issue.code === 'invalid_type' ? issue.expected : typedAs(issue);
      const hint = hintOn(expected, inside(input, path));
      return `${where === '' ? message.replace(/,$/, '') : message}${where}${hint}`;
    })
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
    if (input === before) throw new Error(linesOn(error.issues, input));
  }
}

/** The issues that the server of the SDK prints as JSON within a message, in sentences; any other message as it is. */
export function readable(message: string): string {
  const begin = message.indexOf('[');
  const issues = begin < 0 ? undefined : jsonIn(message.slice(begin));
  if (!Array.isArray(issues) || !issues.every((each) => isObject(each) && Array.isArray(each['path']))) return message;
  return linesOn(issues as z.core.$ZodIssue[], undefined); // issues of Zod have paths
}
