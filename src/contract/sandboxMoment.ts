import { z } from 'zod';
import { faultIn } from './shapeError.ts';
import { isObject, jsonIn } from './json.ts';
import { faultRuleSchema, keptRuleSchema } from './controlShapes.ts';
import { inAnyNotation, text } from './shape.ts';

/** An object that names the members that it knows where it is given another one. */
export function exactly<Shape extends z.ZodRawShape>(what: string, shape: Shape) {
  const known = Object.keys(shape).join(', ');
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `there is no ${what} ${issue.keys.join(', ')}: the known ones are ${known}`
        : undefined,
  });
}

const number = inAnyNotation(z.number());
const count = inAnyNotation(z.int().min(0));
/** About three hundred years in ms, by which a clock can be shifted. */
export const longestTime = 1e13;
const time = inAnyNotation(z.number().min(-longestTime).max(longestTime));
const isJson = (value: string): boolean => isObject(jsonIn(value)) || Array.isArray(jsonIn(value));
const json = text.refine(isJson, 'a JSON object or list, as it was saved');

const owned = { organisationId: text, companyId: text };
const list = z.array(z.looseObject({}));

/** What each record is, by its kind: the members that the sandbox needs, and the one that is its id. */
const records: Readonly<Record<string, { shape: z.ZodType; id?: string }>> = {
  organisation: {
    shape: z.looseObject({ organisationId: text, applicationId: text, primarySigningKey: text }),
    id: 'organisationId',
  },
  company: { shape: z.looseObject({ ...owned, name: text }), id: 'companyId' },
  user: { shape: z.looseObject({ sub: text, email: text, name: text }), id: 'sub' },
  account: { shape: z.looseObject({ sub: text }) },
  subscription: {
    shape: z.looseObject({
      ...owned,
      subscriptionId: text,
      providerId: text,
      status: text,
      additionalData: json,
      suspendedByConsumer: z.boolean(),
      link: z.looseObject({ issuedAt: number, expiresAt: number }).optional(),
    }),
    id: 'subscriptionId',
  },
  debtor: { shape: z.looseObject({}) },
  creditor: { shape: z.looseObject({}) },
  consent: {
    shape: z.looseObject({
      consentId: text,
      what: text,
      issuedAt: number,
      expiresAt: number,
      task: z.looseObject({ kind: z.enum(['party', 'batch']) }),
    }),
    id: 'consentId',
  },
  batch: {
    shape: z.looseObject({
      batchId: text,
      companyId: text,
      idempotencyKey: text,
      status: text,
      createdAt: number,
      request: z.looseObject({ payments: list }),
      payments: list,
      errors: list,
    }),
    id: 'batchId',
  },
  transfer: { shape: z.looseObject({ transferId: text }) },
  fault: { shape: keptRuleSchema, id: 'ruleId' },
  clock: {
    shape: z.strictObject({
      offset: time,
      still: z.strictObject({ now: time, steady: time }).optional(),
      everyDay: z.boolean().optional(),
    }),
  },
  nonce: { shape: z.literal(true) },
  magic: { shape: z.literal(true) },
};

/** The kinds of records that a file has. Not the key of tokens, and no second receiver, which is an address of one machine. */
export const momentKinds = Object.keys(records);

/** Where a record is not as its kind demands, and what would be right; undefined if it is. */
function flawOf({ kind, id, value }: { kind: string; id: string; value: string }) {
  const { shape, id: member } = records[kind]!; // checked before
  const record = value === 'true' ? true : jsonIn(value);
  if (record === undefined) return { path: ['value'], message: 'JSON, as it was saved' };
  const fault = faultIn(shape, record);
  if (fault) return { ...fault, path: ['value', ...fault.path] };
  if (member !== undefined && (record as Record<string, unknown>)[member] !== id)
    return { path: ['value', member], message: `${id}, the id under which it is stored` };
  if (kind !== 'fault') return undefined;
  const { ruleId: _, asked: __, happened: ___, ...rule } = record as z.infer<typeof keptRuleSchema>; // as just parsed
  const flaw = faultIn(faultRuleSchema, rule);
  return flaw && { ...flaw, path: ['value', ...flaw.path] };
}

const resource = exactly('column', {
  kind: z.enum(momentKinds, `a kind of record: ${momentKinds.join(', ')}`),
  id: text,
  value: text,
}).check(({ value, issues }) => {
  const flaw = flawOf(value);
  if (flaw) issues.push({ code: 'custom', input: value, ...flaw });
});

/** The rows of a table, none of which has the key of another. */
export const rows = <Row extends z.ZodType<object>>(row: Row, ...key: string[]) =>
  z.array(row).check(({ value, issues }) => {
    const seen = new Set<string>();
    for (const [index, each] of value.entries()) {
      const its = JSON.stringify(key.map((column) => (each as Record<string, unknown>)[column]));
      if (key.length > 0 && seen.has(its))
        issues.push({ code: 'custom', input: value, path: [index], message: `another ${key.join(' and ')} than a row before` }); // prettier-ignore
      seen.add(its);
    }
  });

const tables = exactly('table', {
  resources: rows(resource, 'kind', 'id'),
  stored_answers: rows(
    exactly('column', {
      key: text,
      fingerprint: text,
      expires_at: time,
      status: inAnyNotation(z.int().min(100).max(599)).nullable(),
      body: json.nullable(),
    }),
    'key',
  ),
  jobs: rows(
    exactly('column', {
      due_at: time,
      task: z.enum(['subscription', 'subscriptionDecision', 'consentDecision', 'batch', 'webhook']),
      payload: json,
      attempt: count,
    }),
  ),
  deliveries: rows(
    exactly('column', {
      webhook_id: text,
      type: text,
      sent_at: time,
      body: json,
      injected: json.nullable(),
      attempts: count,
      status: count,
      is_delivered: inAnyNotation(z.int().min(0).max(1)),
      log: json,
    }),
  ),
});

const [first, last] = [Date.UTC(2000, 0), Date.UTC(2100, 0)];
const isUsual = (now: string): boolean => Date.parse(now) >= first && Date.parse(now) < last;

/** What the sandbox has stored, by table, its time, and the seed from which the ids follow that it issues next. */
export const sandboxMomentSchema = exactly('member', {
  tables,
  seed: inAnyNotation(z.int()),
  /** The number of ids that were issued with this seed. */
  ids: count,
  clock: exactly('member', {
    now: z.iso.datetime().refine(isUsual, 'a time from the year 2000 to 2099'),
    still: z.boolean(),
  }),
});
export type SandboxMoment = z.infer<typeof sandboxMomentSchema>;
