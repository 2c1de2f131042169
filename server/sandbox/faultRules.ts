import type { Fault } from '#contract/controlShapes.ts';
import type { faultPlaces, FaultTarget } from '#contract/faults.ts';

/**
 * The rules of the fault lab, as the users of the package write them (docs/sandbox.md, "Rules"). Each option has a default,
 * which the fault lab shows. The package's declarations are written from the same tables (scripts/sandboxTypes.mjs).
 */

/** A fault whose options may be left out. */
type Given<Whole> = Whole extends { kind: infer Kind } ? { kind: Kind } & Partial<Omit<Whole, 'kind'>> : never;

/** What can happen to a call of the service. */
export type CallFault = Given<Fault<'call'>>;

/** What a rule is about, and what happens to it: to one of these, or to `any`, the default. */
type Happening = {
  [On in FaultTarget]: { on: On; of?: (typeof faultPlaces)[On][number] | 'any'; fault: Given<Fault<On>> };
}[FaultTarget];

interface Frequency {
  /** How often it happens, 1 by default. */
  times?: number | 'always';
  /** With which probability each time, 1 by default; the same `seed` makes the same choices. */
  probability?: number;
  seed?: number;
}

export type FaultRule = Happening & Frequency;

/** A rule as it is listed: how often it matched, and how often its fault happened. */
export type KeptFaultRule = Happening &
  Required<Frequency> & { of: string; ruleId: string; asked: number; happened: number };
