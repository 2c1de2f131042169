import { useEffect, useSyncExternalStore } from 'react';
import { localStore } from '../client/storage.ts';

export type ColourMode = 'light' | 'dark';

/**
 * Storage key of the chosen mode, and name of the event that reports a change within this tab; other tabs receive
 * `storage`.
 */
const key = 'colourMode';

const system = () => matchMedia('(prefers-color-scheme: dark)');

/**
 * Light on paper, else the chosen mode, else the system's. public/colour-mode.js applies the same rule before the first
 * paint.
 */
const currentColourMode = (): ColourMode => {
  if (matchMedia('print').matches) return 'light';
  const chosen = localStore().getItem(key);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return system().matches ? 'dark' : 'light';
};

function subscribe(onChange: () => void): () => void {
  const media = system();
  media.addEventListener('change', onChange);
  for (const type of [key, 'storage']) window.addEventListener(type, onChange);
  return () => {
    media.removeEventListener('change', onChange);
    for (const type of [key, 'storage']) window.removeEventListener(type, onChange);
  };
}

/** Returns the mode, which is the system's until the user chooses one, and a function that switches and stores it. */
export function useColourMode(): [ColourMode, () => void] {
  const mode = useSyncExternalStore(subscribe, currentColourMode, () => 'light' as const);
  useEffect(() => {
    // Not `mode`, which the page rendered at build time does not know.
    document.documentElement.className = currentColourMode();
  }, [mode]);
  const toggle = () => {
    localStore().setItem(key, mode === 'dark' ? 'light' : 'dark');
    window.dispatchEvent(new Event(key));
  };
  return [mode, toggle];
}
