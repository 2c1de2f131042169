import { useMemo, useSyncExternalStore } from 'react';
import type { ofTab } from './storage.ts';

/**
 * A value that is kept in the browser under `slot` as JSON and drawn by components; `empty` if nothing is kept, or
 * something that is no JSON. It is read as what was kept last, so a change of its shape needs another slot.
 */
export function keptValue<T>(slot: string, place: () => ReturnType<typeof ofTab>, empty: T) {
  const listeners = new Set<() => void>();
  const text = () => place().getItem(slot);

  function valueIn(kept: string | null): T {
    if (kept === null) return empty;
    try {
      return JSON.parse(kept) as T; // written below only
    } catch {
      return empty;
    }
  }

  function subscribe(changed: () => void): () => void {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }

  /** Keeps a value; `empty` removes it. Throws if the browser has no room. */
  const keep = (value: T): void => {
    if (value === empty) place().removeItem(slot);
    else place().setItem(slot, JSON.stringify(value));
    for (const changed of listeners) changed();
  };

  /** The value, drawn anew when it changes in this page; `empty` while the page is rendered at build time. */
  const use = (): T => {
    const kept = useSyncExternalStore(subscribe, text, () => null);
    return useMemo(() => valueIn(kept), [kept]);
  };

  return { read: () => valueIn(text()), keep, use };
}
