import { useMemo, useSyncExternalStore } from 'react';
import type { ofTab } from './storage.ts';

/**
 * A value stored in the browser under `slot` as JSON, which components can subscribe to; `empty` if nothing, or no
 * JSON, is stored. The stored value is not validated, so a change of its shape needs another slot.
 */
export function keptValue<T>(slot: string, place: () => ReturnType<typeof ofTab>, empty: T) {
  const listeners = new Set<() => void>();
  const text = () => place().getItem(slot);

  function valueIn(kept: string | null): T {
    if (kept === null) return empty;
    try {
      return JSON.parse(kept) as T; // written only below
    } catch {
      return empty;
    }
  }

  function subscribe(changed: () => void): () => void {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }

  /** Stores a value; `empty` removes it. Where the browser refuses to store it, it lasts until the page is left. */
  const keep = (value: T): void => {
    if (value === empty) place().removeItem(slot);
    else place().setItem(slot, JSON.stringify(value));
    for (const changed of listeners) changed();
  };

  /**
   * A hook that returns the value and re-renders when it changes in this page; `empty` in the page rendered at build
   * time.
   */
  const use = (): T => {
    const kept = useSyncExternalStore(subscribe, text, () => null);
    return useMemo(() => valueIn(kept), [kept]);
  };

  return { read: () => valueIn(text()), keep, use };
}
