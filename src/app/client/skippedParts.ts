import { useSyncExternalStore } from 'react';

/** A part of an answer that was not understood: its path and the reason. */
interface Skipped {
  path: string;
  message: string;
}

/** The parts of a call's latest answer that were not understood. */
interface Noted {
  turn: number;
  call: string;
  skipped: readonly Skipped[];
}

const longest = 100;
const listeners = new Set<() => void>();
let noted: readonly Noted[] = [];
let turns = 0;

const skippedIn = (answer: unknown): readonly Skipped[] =>
  (typeof answer === 'object' && answer !== null && (answer as { skipped?: Skipped[] }).skipped) || []; // the contract's shape

/**
 * Records the parts of a call's answer that were not understood, replacing those of the same call's previous answer.
 */
export function noteAnswer(call: string, answer: unknown): void {
  turns += 1;
  const skipped = skippedIn(answer);
  const others = noted.filter((each) => each.call !== call);
  if (skipped.length === 0 && others.length === noted.length) return;
  noted = skipped.length === 0 ? others : [...others, { turn: turns, call, skipped }].slice(-longest);
  for (const changed of listeners) changed();
}

/** Number of answers received so far. */
export const answersSoFar = (): number => turns;

const subscribe = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};

/** The recorded parts, in the order of the answers. */
export const useNoted = (): readonly Noted[] => useSyncExternalStore(subscribe, () => noted);
