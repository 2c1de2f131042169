import { useMemo, useSyncExternalStore } from 'react';
import type { FailureCode } from '#contract/problem.ts';
import type { JourneyId } from '#machines/journeys.ts';
import { shared } from '../storage.ts';

/** What the user of this browser has met: the states of each journey, by their dotted names, and failures by their codes. */
export interface Met {
  states: Partial<Record<JourneyId, readonly string[]>>;
  failures: readonly FailureCode[];
}

const slot = 'met';
const none: Met = { states: {}, failures: [] };
const listeners = new Set<() => void>();
const text = (): string => shared().getItem(slot) ?? JSON.stringify(none);
const metIn = (kept: string): Met => JSON.parse(kept) as Met; // written below only

/** Keeps that a journey has been in a state, with the failure that it shows, if any. */
export function noteMet(journey: JourneyId, state: string, failure: FailureCode | null): void {
  const { states, failures } = metIn(text());
  const before = states[journey] ?? [];
  const isNew = !before.includes(state);
  const fails = failure !== null && !failures.includes(failure);
  if (!isNew && !fails) return;
  const now: Met = {
    states: isNew ? { ...states, [journey]: [...before, state] } : states,
    failures: fails ? [...failures, failure] : failures,
  };
  shared().setItem(slot, JSON.stringify(now));
  for (const changed of listeners) changed();
}

export function forgetMet(): void {
  shared().removeItem(slot);
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

export function useMet(): Met {
  const kept = useSyncExternalStore(subscribe, text);
  return useMemo(() => metIn(kept), [kept]);
}
