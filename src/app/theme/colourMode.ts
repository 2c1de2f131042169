import { useEffect, useSyncExternalStore } from 'react';

export type ColourMode = 'light' | 'dark';

/** Where the chosen mode is kept, and the event that tells this tab of another one; other tabs hear of it by `storage`. */
const key = 'colourMode';

const system = () => matchMedia('(prefers-color-scheme: dark)');

/** The chosen mode, else the system's. public/colour-mode.js decides the same before the first paint. */
const currentColourMode = (): ColourMode => {
  const chosen = localStorage.getItem(key);
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

/** The mode, which follows the system while none was chosen, and a way to change to the other one, which is remembered. */
export function useColourMode(): [ColourMode, () => void] {
  const mode = useSyncExternalStore(subscribe, currentColourMode);
  useEffect(() => {
    document.documentElement.className = mode;
  }, [mode]);
  const toggle = () => {
    localStorage.setItem(key, mode === 'dark' ? 'light' : 'dark');
    window.dispatchEvent(new Event(key));
  };
  return [mode, toggle];
}
