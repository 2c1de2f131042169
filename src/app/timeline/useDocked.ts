import { useSyncExternalStore } from 'react';
import { localStore } from '../api/storage.ts';

/** Storage key, and name of the event that reports a change. */
const storageKey = 'workbench.open';

function subscribe(onChange: () => void): () => void {
  window.addEventListener(storageKey, onChange);
  return () => window.removeEventListener(storageKey, onChange);
}

const isDocked = () => localStore().getItem(storageKey) === 'true';

/** Whether the timeline is docked; stored in the browser. */
export function useDocked(): [boolean, (docked: boolean) => void] {
  const docked = useSyncExternalStore(subscribe, isDocked, () => false);
  const dock = (to: boolean) => {
    localStore().setItem(storageKey, String(to));
    window.dispatchEvent(new Event(storageKey));
  };
  return [docked, dock];
}
