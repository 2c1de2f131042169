import { z } from 'zod';
import type { effects } from '#contract/description.ts';
import { bankListSchema } from '#contract/lookup.ts';
import { isObject } from '#contract/json.ts';
import type { OperationName } from '#server/upstream/operations.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import { wire } from '#server/upstream/wire.ts';

/**
 * Whether the console still works with what came instead: `works`, `partly` if it leaves out the part, `fails` if it
 * cannot use the answer.
 */
export type Effect = (typeof effects)[number];

/** How the console reads the answer to an operation, or a webhook. */
interface Reading {
  schema: z.ZodObject;
  /** Whether a body may be wrapped in `data` or not. */
  unwraps?: true;
  /** Members of which one must be there. */
  needs?: readonly string[];
}

const readings: Partial<Record<OperationName | 'webhook', Reading>> = {
  createOrganisation: {
    schema: wire.organisationAnswer,
    unwraps: true,
    needs: ['primarySigningKey', 'signingKey'],
  },
  createCompany: { schema: wire.companyAnswer, unwraps: true },
  accessToken: { schema: wire.tokenAnswer, unwraps: true, needs: ['jwt', 'access_token', 'accessToken', 'token'] },
  userInfo: { schema: wire.userInfo, unwraps: true },
  createAccount: { schema: wire.resourceAnswer },
  createDataset: { schema: wire.resourceAnswer },
  providers: { schema: wire.providers },
  provider: { schema: wire.provider },
  localInstruments: { schema: wire.localInstruments },
  fileFormats: { schema: wire.fileFormats },
  banks: { schema: bankListSchema },
  translation: { schema: wire.translation },
  consumerStatus: { schema: wire.health, unwraps: true, needs: ['status', 'version'] },
  messagingStatus: { schema: wire.health, unwraps: true, needs: ['status', 'version'] },
  createSubscription: { schema: wire.subscriptionCreated },
  subscription: { schema: wire.subscription },
  createBatch: { schema: wire.batchCreated },
  batch: { schema: wire.batch },
  webhook: { schema: wire.webhook },
};

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
  const { schema, unwraps, needs = [] } = readings[name] ?? {};
  if (!schema) return 'works';
  const read = unwraps ? unwrapped(body) : body;
  const place = read !== body && path[0] === 'data' ? path.slice(1) : path;
  const [first = ''] = place;
  const lacks = needs.every((each) => !isObject(read) || typeof read[each] !== 'string');
  return lacks && needs.includes(String(first)) ? 'fails' : effectAt(schema, read, place);
}
