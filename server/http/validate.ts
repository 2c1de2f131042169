import type { z } from 'zod';
import { shapeError } from '#contract/shapeError.ts';
import { visibleText } from '#server/escapeId.ts';

interface Fault {
  path: string;
  message: string;
}

/** Number of values above which validation stops at the first fault, because every fault takes memory. */
const namedUpTo = 80_000;
/** Maximum number of faults reported, and maximum length of their paths and messages. */
const maximumFaults = 20;
const longestPart = 200;

/** Counts the values in a value; stops counting at `namedUpTo`. */
function valuesIn(value: unknown, before = 0): number {
  let count = before + 1;
  if (typeof value !== 'object' || value === null) return count;
  if (Array.isArray(value)) for (const each of value) count = count > namedUpTo ? count : valuesIn(each, count);
  else
    for (const name of Object.keys(value))
      count = count > namedUpTo ? count : valuesIn((value as Record<string, unknown>)[name], count); // a name of its own
  return count;
}

/** Returns the value as parsed by the schema, or its faults; these are few and short even if the value is large. */
export function validate<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { data: z.output<Schema>; faults?: undefined } | { data?: undefined; faults: Fault[] } {
  if (valuesIn(value) > namedUpTo && !schema.validate(value))
    return { faults: [{ path: '', message: 'is not valid, and too large for the place to be named' }] };
  const { data, error: wrong } = schema.safeParse(value, { error: shapeError });
  if (!wrong) return { data };
  return {
    faults: wrong.issues.slice(0, maximumFaults).map(({ path, message }) => ({
      path: visibleText(path.join('.')).slice(0, longestPart),
      message: message.slice(0, longestPart),
    })),
  };
}
