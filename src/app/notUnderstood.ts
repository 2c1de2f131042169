import { useSyncExternalStore } from 'react';

/** A part of an answer that was not understood: its place there and why. */
interface Skipped {
  path: string;
  message: string;
}

/** A call's newest answer, as far as it was not understood. */
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

/** Notes what a call's answer held that was not understood, in place of what its answer before held. */
export function noteAnswer(call: string, answer: unknown): void {
  turns += 1;
  const skipped = skippedIn(answer);
  const others = noted.filter((each) => each.call !== call);
  if (skipped.length === 0 && others.length === noted.length) return;
  noted = skipped.length === 0 ? others : [...others, { turn: turns, call, skipped }].slice(-longest);
  for (const changed of listeners) changed();
}

/** How many answers have come. */
export const answersSoFar = (): number => turns;

const subscribe = (changed: () => void) => {
  listeners.add(changed);
  return () => listeners.delete(changed);
};

/** What was noted, in the order of the answers. */
export const useNoted = (): readonly Noted[] => useSyncExternalStore(subscribe, () => noted);
