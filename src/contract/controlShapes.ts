import { z } from 'zod';
import { atMost, inAnyNotation } from './shape.ts';
import { faultKinds, faultPlaces, type FaultKind, type FaultOption, type FaultTarget } from './faults.ts';

/** The schemas of the fault lab's rules, built from the table in faults.ts. */

function optionShape(option: FaultOption) {
  if (option.type === 'text') {
    const { longest, usual, form, words } = option;
    const known = Object.keys(words ?? {});
    if (words) return z.enum(known, `one of ${known.join(', ')}`).default(usual);
    return (form ? atMost(longest).regex(form.pattern, form.says) : atMost(longest)).default(usual);
  }
  const { least, most } = option;
  const error = `a whole number from ${least} to ${most}`;
  return inAnyNotation(z.int(error).min(least, error).max(most, error)).default(option.usual);
}

const options = (kind: FaultKind) =>
  Object.fromEntries(Object.entries(kind.options ?? {}).map(([name, option]) => [name, optionShape(option)]));

type Kinds<On extends FaultTarget> = keyof (typeof faultKinds)[On] & string;
type OptionsOf<Kind> = Kind extends { options: infer Options }
  ? { [Name in keyof Options]: Options[Name] extends { usual: number } ? number : string }
  : object;
/** A fault and its options: `{ kind: 'status', status: 503 }`. */
export type Fault<On extends FaultTarget> = {
  [Kind in Kinds<On>]: { kind: Kind } & OptionsOf<(typeof faultKinds)[On][Kind]>;
}[Kinds<On>];

/** A rule of the fault lab, as set by a user. */
export type FaultRule = {
  [On in FaultTarget]: {
    on: On;
    /** The name of a place in faultPlaces, or `any`. */
    of: string;
    fault: Fault<On>;
    /** How often the fault happens: a number of times, or `always`. */
    times: number | 'always';
    /** The probability with which it happens each time; the same seed leads to the same choices. */
    probability: number;
    seed: number;
  };
}[FaultTarget];

/** `asked`: how often the rule matched; `happened`: how often its fault happened. */
export type KeptRule = FaultRule & { ruleId: string; asked: number; happened: number };

function faultShape(on: FaultTarget) {
  const kinds: Record<string, FaultKind> = faultKinds[on];
  const error = `a kind of fault: ${Object.keys(kinds).join(', ')}`;
  const [first, ...others] = Object.entries(kinds).map(([name, kind]) =>
    z.strictObject({ kind: z.literal(name, error), ...options(kind) }),
  );
  return others.length === 0 ? first! : z.discriminatedUnion('kind', [first!, ...others], { error }); // every target has kinds
}

const often = 'always or a whole number from 1 to 100000';

function ruleShape(on: FaultTarget) {
  const places = ['any', ...faultPlaces[on]];
  return z.strictObject({
    on: z.literal(on),
    of: z.enum(places, `one of ${places.join(', ')}`).default('any'),
    fault: faultShape(on),
    times: inAnyNotation(z.union([z.literal('always'), z.int(often).min(1, often).max(100_000, often)], often)).default(
      1,
    ),
    probability: inAnyNotation(z.number().gt(0).max(1)).default(1),
    seed: inAnyNotation(z.int()).default(1),
  });
}

const targets = Object.keys(faultKinds) as FaultTarget[]; // its own keys
const [first, ...others] = targets.map(ruleShape);
const error = `the target of the fault: ${targets.join(', ')}`;

export const faultRuleSchema = z.discriminatedUnion('on', [first!, ...others], {
  error,
}) as unknown as z.ZodType<FaultRule>; // made from exactly these targets and kinds

const decade = 10 * 365 * 24 * 60 * 60_000;
const shifted = `a whole number of ms, at most ten years forward or back`;

/**
 * A change of the sandbox's clock: `move` (ms) moves it, `still` stops it or lets it run, `everyDay` has payments processed
 * on every day, or on those of their scheme.
 */
export const clockChangeSchema = z.strictObject({
  move: inAnyNotation(z.int(shifted).min(-decade, shifted).max(decade, shifted)).optional(),
  still: z.boolean().optional(),
  everyDay: z.boolean().optional(),
});

/** A rule as listed: with its id, how often it matched, and how often its fault happened. */
export const keptRuleSchema = z
  .looseObject({
    ruleId: z.string(),
    on: z.enum(targets),
    of: z.string(),
    fault: z.looseObject({ kind: z.string() }),
    times: z.union([z.literal('always'), z.int()]),
    probability: z.number(),
    seed: z.int(),
    asked: z.int(),
    happened: z.int(),
  })
  .meta({ id: 'KeptRule' });

/**
 * The sandbox's time; `offset` (ms) is its lead over the machine's time, `pending` the number of webhooks, decisions
 * and steps that are scheduled; `everyDay` is absent while payments are processed on the days of their scheme only.
 */
export const clockSchema = z.strictObject({
  now: z.iso.datetime(),
  offset: z.number(),
  still: z.boolean(),
  everyDay: z.boolean().optional(),
  pending: z.int(),
});

/** An attempt to deliver a webhook: to which address, the status of the answer, 0 for none, and what happened. */
const attemptSchema = z.strictObject({
  at: z.iso.datetime(),
  receiver: z.enum(['consumer', 'second']),
  url: z.string(),
  status: z.int(),
  outcome: z.string(),
});

/**
 * A webhook that was sent, or should have been; `status` is the HTTP status of the latest answer of the first receiver,
 * 0 if there was none; `log` has the latest attempts at both receivers.
 */
export const sentWebhookSchema = z.strictObject({
  webhookId: z.string(),
  type: z.string(),
  at: z.iso.datetime(),
  body: z.string(),
  attempts: z.int(),
  delivered: z.boolean(),
  status: z.int(),
  log: z.array(attemptSchema),
  mark: z.strictObject({ kind: z.string(), ruleId: z.string() }).optional(),
});

/** The addresses to which a webhook is sent. */
const to = z.array(z.string());
export const resentWebhookSchema = sentWebhookSchema.extend({ to });

const back = z.strictObject({
  paymentId: z.string(),
  at: z.iso.datetime(),
  reason: z.string(),
  amount: z.string(),
  charges: z.string(),
  told: z.string(),
});

/** A batch; `returned` are its payments that came back (decimal texts in major units), told by a status or not; `next` is the status that follows automatically or by hand, null if none; `fault` is that of its rule. */
export const labBatchSchema = z.strictObject({
  batchId: z.string(),
  companyId: z.string(),
  status: z.string(),
  next: z.string().nullable(),
  payments: z.int(),
  at: z.iso.datetime(),
  returned: z.array(back).optional(),
  fault: z.string().optional(),
});

const explained = { baseString: z.string(), how: z.string(), signature: z.string() };

/** How a webhook's signature is computed; `timestamp` is in seconds since 1970. */
export const explainedSchema = z.strictObject({ id: z.string(), timestamp: z.string(), ...explained });

/** A webhook as received: its three headers and its body. */
export const receivedWebhookSchema = z.strictObject({
  id: z.string().max(1000).default(''),
  timestamp: z.string().max(1000).default(''),
  signature: z.string().max(10_000).default(''),
  body: z.string().max(1_000_000),
});

/**
 * The check of a webhook, which is valid if `problems` is empty. `signature` is '' unless the sandbox sent the webhook.
 */
export const checkedSchema = z.strictObject({
  ...explained,
  given: z.array(z.string()),
  problems: z.array(z.string()),
});

export const receiverSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: 'an http or https address' }).max(1000),
});
export const sinceSchema = z.strictObject({
  since: z.iso.datetime({ offset: true, error: 'a time such as 2026-01-31T09:00:00Z' }),
});
