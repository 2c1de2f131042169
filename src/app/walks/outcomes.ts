import { useMemo, useSyncExternalStore } from 'react';
import { shared } from '../storage.ts';

/** How a scenario went last in this browser: why it went wrong, '' if it was right; `at` is an ISO time. */
interface Outcome {
  because: string;
  at: string;
}

const slot = 'rehearsed';
const listeners = new Set<() => void>();
const text = (): string => shared().getItem(slot) ?? '{}';
const outcomesIn = (kept: string) => JSON.parse(kept) as Record<string, Outcome>; // written below only

export function keepOutcome(id: string, because: string): void {
  const all = { ...outcomesIn(text()), [id]: { because, at: new Date().toISOString() } };
  shared().setItem(slot, JSON.stringify(all));
  for (const changed of listeners) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/** How each scenario went last in this browser, by its id. */
export function useOutcomes(): Record<string, Outcome> {
  const kept = useSyncExternalStore(subscribe, text);
  return useMemo(() => outcomesIn(kept), [kept]);
}
