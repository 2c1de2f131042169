import { member } from '#contract/member.ts';
import { faultKinds, faultTargets, type FaultKind, type FaultTarget } from '#contract/faults.ts';
import type { LabClock, LabStanding } from '#contract/lab.ts';
import type { KeptRule } from '#contract/controlShapes.ts';

const titles: Readonly<Partial<Record<string, string>>> = Object.fromEntries(
  Object.values(faultKinds).flatMap((kinds) => Object.entries(kinds).map(([kind, { title }]) => [kind, title])),
);

/** The name of a kind of fault; the kind itself if a newer sandbox names one that this console does not know. */
export const faultTitle = (kind: string): string => member(titles, kind) ?? kind;

/** Whether a rule can still cause its fault. */
export const isOpen = ({ times, happened }: KeptRule): boolean => times === 'always' || happened < times;

const units = [
  ['d', 24 * 60 * 60_000],
  ['h', 60 * 60_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** Formats a duration (ms) in its two largest units: `1 d 2 h`, `90 ms`. */
function durationOf(ms: number): string {
  const whole = Math.abs(Math.round(ms));
  const parts = units.flatMap(([unit, size], index) => {
    const count = Math.floor((whole % (units[index - 1]?.[1] ?? Infinity)) / size);
    return count === 0 ? [] : `${count} ${unit}`;
  });
  return parts.slice(0, 2).join(' ') || `${whole} ms`;
}

/** The difference between the sandbox's clock and the machine's in words; '' if there is none. */
export function clockWords({ offset, still }: LabClock): string {
  if (still) return 'Its clock is stopped';
  return offset === 0 ? '' : `Its clock is ${durationOf(offset)} ${offset > 0 ? 'ahead' : 'behind'}`;
}

export const faultKindOf = (on: FaultTarget, kind: string): FaultKind | undefined =>
  (faultKinds[on] as Record<string, FaultKind | undefined>)[kind];

/** A rule in one line: `Response lost: createBatch`. */
const ruleWords = ({ on, of, fault }: KeptRule): string =>
  `${faultTitle(fault.kind)}: ${of === 'any' ? faultTargets[on].toLowerCase() : of}`;

/** What the lab is doing, as a title; '' if it does nothing. */
export const standingTitle = ({ rules, clock }: LabStanding): string =>
  rules.some(isOpen)
    ? 'The fault lab is injecting faults'
    : clockWords(clock) && 'The sandbox has another time than this machine';

/** The active rules and the clock's difference, one line each; empty if there are none. */
export const standingWords = ({ rules, clock }: LabStanding): string[] =>
  [...rules.filter(isOpen).map(ruleWords), clockWords(clock)].filter((words) => words !== '');
