import { useMemo, useSyncExternalStore } from 'react';
import type { AnyMachineSnapshot } from 'xstate';
import type { JourneyId } from '#machines/journeys.ts';
import type { Walk } from '#walk/file.ts';
import { walkOf } from '#walk/record.ts';
import { ofTab } from '../storage.ts';

/** Session storage key of what was done in this tab, and the maximum number of journeys kept. */
const slot = 'walked';
const most = 100;
const listeners = new Set<() => void>();

const text = (): string => ofTab().getItem(slot) ?? '[]';
const walksIn = (kept: string): Walk[] => JSON.parse(kept) as Walk[]; // written below only

function keep(walks: readonly Walk[]): void {
  ofTab().setItem(slot, JSON.stringify(walks.slice(-most)));
  for (const changed of listeners) changed();
}

export const forgetWalked = (): void => keep([]);

/** Keeps what was done in a journey that is being left; a journey looked at again without a change is kept once. */
export function keepWalked(journey: JourneyId, snapshot: AnyMachineSnapshot): void {
  const walk = walkOf(journey, snapshot);
  if (!walk) return;
  const before = walksIn(text());
  const isRepeated = snapshot.status !== 'done' && before.some((each) => JSON.stringify(each) === JSON.stringify(walk));
  if (!isRepeated) keep([...before, walk]);
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** The journeys done in this tab, in their order. */
export function useWalked(): Walk[] {
  const kept = useSyncExternalStore(subscribe, text);
  return useMemo(() => walksIn(kept), [kept]);
}
