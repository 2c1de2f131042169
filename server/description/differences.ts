import { z } from 'zod';
import { kindOf, kinds, limitOf } from '#contract/shapeError.ts';
import { withParts } from '#server/upstream/documented.ts';

/** A place at which a value is not as described. */
export interface Difference {
  path: readonly (string | number)[];
  expected: string;
  /** What came, by its kind; a value only where the description lists values. */
  came: string;
}

/** What is expected of a member that is not described. */
export const noMember = 'no such member';

/** Maximum number of differences of one body; a list of thousands may differ in each element. */
const most = 2000;
const longestValue = 60;

const shown = (value: unknown): string =>
  typeof value === 'object' ? kindOf(value) : JSON.stringify(value).slice(0, longestValue);

/** Returns a schema that admits no members but those described, except in what repeats a request (`x-repeats`). */
function closed(schema: z.core.$ZodType): z.core.$ZodType {
  if (z.globalRegistry.get(schema)?.['x-repeats'] === true) return schema;
  // The console supplies what is missing; the service is described to send it.
  if (schema instanceof z.ZodDefault) return closed(schema.unwrap());
  const within = withParts(schema, closed);
  return within instanceof z.ZodObject ? z.core.clone(within, { ...within._zod.def, catchall: z.never() }) : within;
}

const closedForms = new WeakMap<z.ZodType, z.core.$ZodType>();
const closedForm = (schema: z.ZodType): z.core.$ZodType => {
  const known = closedForms.get(schema) ?? closed(schema);
  closedForms.set(schema, known);
  return known;
};

/** What came in place of a text, list or number of another size. */
function sizeOf(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value !== 'string') return kindOf(value);
  const { length } = [...value];
  return `a text of ${length} characters`; // as the fault lab reads it, also of one
}

/** What was expected and what came, of an issue; none for what the description does not say. */
function told(issue: z.core.$ZodIssue): Omit<Difference, 'path'> | undefined {
  const { input } = issue;
  switch (issue.code) {
    case 'invalid_type':
      return { expected: kinds[issue.expected] ?? issue.expected, came: kindOf(input) };
    case 'invalid_value': {
      const [first, ...others] = issue.values;
      const expected = others.length > 0 ? `one of ${issue.values.map(String).join(', ')}` : shown(first);
      return { expected, came: typeof input === typeof first ? shown(input) : kindOf(input) };
    }
    case 'invalid_format': {
      const { format, pattern = '' } = issue;
      const rule =
        format === 'regex' ? `that matches ${pattern.slice(1, pattern.lastIndexOf('/'))}` : `with the format ${format}`;
      return { expected: `a text ${rule}`, came: 'another text' };
    }
    case 'too_small':
    case 'too_big':
      return { expected: limitOf(issue), came: sizeOf(input) };
    default:
      return undefined;
  }
}

/**
 * Returns where a parsed JSON value is not as the schema says, by Zod's issues. `isClosed`: whether members that are not
 * described count.
 */
export function differencesIn(schema: z.ZodType, value: unknown, { isClosed }: { isClosed: boolean }): Difference[] {
  const { error } = z.safeParse(isClosed ? closedForm(schema) : schema, value, { reportInput: true });
  const issues = (error?.issues ?? []).slice(0, most);
  return issues.flatMap((issue): Difference[] => {
    const path = issue.path as (string | number)[]; // of JSON
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        path: [...path, key],
        expected: noMember,
        came: kindOf((issue.input as Record<string, unknown>)[key]), // an object, as it has members
      }));
    const found = told(issue);
    return found ? [{ path, ...found }] : [];
  });
}
