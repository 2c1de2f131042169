import type { z } from 'zod';
import { visibleText } from './visible.ts';

interface Fault {
  path: string;
  message: string;
}

/** Size above which a value is checked only up to its first fault, because every fault takes memory. */
const namedUpTo = 80_000;
/** Maximum number of faults reported, and maximum length of their paths and messages. */
const mostFaults = 20;
const longestPart = 200;

function isLarge(value: unknown, count = { values: 0 }): boolean {
  count.values += 1;
  if (count.values > namedUpTo) return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((each) => isLarge(each, count));
  for (const name of Object.keys(value)) if (isLarge((value as Record<string, unknown>)[name], count)) return true; // its own name
  return false;
}

/** Returns the value as parsed by the schema, or its faults; these are few and short even if the value is large. */
export function fitting<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): { data: z.output<Schema>; faults?: undefined } | { data?: undefined; faults: Fault[] } {
  if (isLarge(value) && !schema.validate(value))
    return { faults: [{ path: '', message: 'is not as it should be, and too large for the place to be named' }] };
  const { data, error } = schema.safeParse(value);
  if (!error) return { data };
  return {
    faults: error.issues.slice(0, mostFaults).map(({ path, message }) => ({
      path: visibleText(path.join('.')).slice(0, longestPart),
      message: message.slice(0, longestPart),
    })),
  };
}
