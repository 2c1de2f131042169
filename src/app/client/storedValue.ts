import { useMemo, useSyncExternalStore } from 'react';
import type { sessionStore } from './storage.ts';

type Check = (value: unknown) => boolean;

export const isText: Check = (value) => typeof value === 'string';
export const isListOf =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem);
/** Whether a value is an object whose members all fulfil `isMember`. */
export const isTableOf =
  (isMember: Check): Check =>
  (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.values(value).every(isMember);
/** Whether a value is an object whose members fulfil these checks; further members are ignored. */
export const isObjectOf =
  (members: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isTableOf(() => true)(value) &&
    Object.entries(members).every(([name, isMember]) => isMember((value as Record<string, unknown>)[name])); // just checked

/**
 * A value stored in the browser under `slot` as JSON, which components can subscribe to; `empty` if nothing is stored,
 * or something that does not fulfil `isValue`, by another version of the page or another page of this origin.
 */
export function storedValue<T>(slot: string, place: () => ReturnType<typeof sessionStore>, empty: T, isValue: Check) {
  const listeners = new Set<() => void>();
  const text = () => place().getItem(slot);

  function valueIn(kept: string | null): T {
    if (kept === null) return empty;
    try {
      const value: unknown = JSON.parse(kept);
      return isValue(value) ? (value as T) : empty; // just checked
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
