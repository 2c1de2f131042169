import { z } from 'zod';
import type { effects } from '#contract/description.ts';
import { isObject } from '#contract/json.ts';
import { operations, type Operation, type OperationName } from '#server/upstream/operations.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import { webhookSchema } from '#server/upstream/webhooks.ts';

/**
 * Whether the console still works with what came instead: `works`, `partly` if it leaves out the part, `fails` if it
 * cannot use the answer.
 */
export type Effect = (typeof effects)[number];

/** Returns a schema without its wrappers, and whether one of them lets the value be left out. */
function inner(schema: z.core.$ZodType, isSpare = false): [schema: z.core.$ZodType, isSpare: boolean] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return inner(schema.unwrap(), true);
  return schema instanceof z.ZodNullable ? inner(schema.unwrap(), isSpare) : [schema, isSpare];
}

/** Returns the schema of a part; undefined where the console reads nothing. */
function partOf(schema: z.core.$ZodType, step: string | number): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodRecord) return schema.valueType;
  const members = schema instanceof z.ZodObject ? (schema.shape as Record<string, z.core.$ZodType>) : {};
  return Object.hasOwn(members, step) ? members[step] : undefined;
}

function effectAt(schema: z.core.$ZodType, value: unknown, path: readonly (string | number)[]): Effect {
  let [at, here, isSpare] = [schema, value, false];
  for (const step of path) {
    const [container, wasSpare] = inner(at);
    const part = partOf(container, step);
    if (!part) return 'works';
    isSpare ||= wasSpare || !(container instanceof z.ZodObject);
    at = part;
    here = (here as Record<string | number, unknown> | null | undefined)?.[step];
  }
  const reading = lenientParse(at as z.ZodType, here); // the parts of Zod's schemas are Zod's
  if ('fault' in reading) return isSpare ? 'partly' : 'fails';
  return reading.skipped.some(({ message }) => !message.endsWith('taken for a text')) ? 'partly' : 'works';
}

const unwrapped = (body: unknown): unknown => (isObject(body) && isObject(body['data']) ? body['data'] : body);

/** Returns what a difference at a place of a body means for the console. */
export function effectOf(name: OperationName | 'webhook', body: unknown, path: readonly (string | number)[]): Effect {
  const answer = name === 'webhook' ? undefined : (operations[name] as Operation).answer;
  const { reads: schema, unwraps, needs = [] } = name === 'webhook' ? { reads: webhookSchema } : (answer ?? {});
  if (!schema) return 'works';
  const read = unwraps ? unwrapped(body) : body;
  const place = read !== body && path[0] === 'data' ? path.slice(1) : path;
  const [first = ''] = place;
  const lacks = needs.every((each) => !isObject(read) || typeof read[each] !== 'string');
  return lacks && needs.includes(String(first)) ? 'fails' : effectAt(schema, read, place);
}
