import { z } from 'zod';
import { faultKinds, faultPlaces, type FaultKind, type FaultOption, type FaultTarget } from './lab.ts';

/** The shapes of the fault lab's rules, made from the words in lab.ts. */

function optionShape(option: FaultOption) {
  if (option.type === 'text') return z.string().max(option.longest).default(option.usual);
  const { least, most } = option;
  const error = `a whole number from ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error).default(option.usual);
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

/** A rule of the fault lab, as it is set. */
export type FaultRule = {
  [On in FaultTarget]: {
    on: On;
    /** The name of what it is for (faultPlaces), or `any`. */
    of: string;
    fault: Fault<On>;
    /** How often: a number of times, or `always`. */
    times: number | 'always';
    /** The probability with which it happens each time; the same seed makes the same choices. */
    probability: number;
    seed: number;
  };
}[FaultTarget];

/** `asked`: how often it might have happened; `happened`: how often it did. */
export type KeptRule = FaultRule & { ruleId: string; asked: number; happened: number };

function faultShape(on: FaultTarget) {
  const kinds: Record<string, FaultKind> = faultKinds[on];
  const [first, ...others] = Object.entries(kinds).map(([name, kind]) =>
    z.strictObject({ kind: z.literal(name), ...options(kind) }),
  );
  const error = `a kind of fault: ${Object.keys(kinds).join(', ')}`;
  return z.discriminatedUnion('kind', [first!, ...others], { error }); // every target has kinds
}

const often = 'always or a whole number from 1 to 100000';

function ruleShape(on: FaultTarget) {
  const places = ['any', ...faultPlaces[on]];
  return z.strictObject({
    on: z.literal(on),
    of: z.enum(places, `one of ${places.join(', ')}`).default('any'),
    fault: faultShape(on),
    times: z.union([z.literal('always'), z.int(often).min(1, often).max(100_000, often)], often).default(1),
    probability: z.number().gt(0).max(1).default(1),
    seed: z.int().default(1),
  });
}

const targets = Object.keys(faultKinds) as FaultTarget[]; // its own keys
const [first, ...others] = targets.map(ruleShape);
const error = `what the fault happens to: ${targets.join(', ')}`;

export const faultRuleSchema = z.discriminatedUnion('on', [first!, ...others], {
  error,
}) as unknown as z.ZodType<FaultRule>; // made from exactly these targets and kinds

const decade = 10 * 365 * 24 * 60 * 60_000;
const shifted = `a whole number of ms, at most ten years forward or back`;

/** A change of the sandbox's clock: `move` (ms) moves it, `still` stops it or lets it run. */
export const clockChangeSchema = z.strictObject({
  move: z.int(shifted).min(-decade, shifted).max(decade, shifted).optional(),
  still: z.boolean().optional(),
});
