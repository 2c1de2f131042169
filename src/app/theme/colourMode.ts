import { useEffect, useState } from 'react';

export type ColourMode = 'light' | 'dark';

const key = 'colourMode';
const systemIsDark = '(prefers-color-scheme: dark)';

/** The chosen mode, else the system's. public/colour-mode.js decides the same before the first paint. */
const currentColourMode = (): ColourMode => {
  const chosen = localStorage.getItem(key);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia(systemIsDark).matches ? 'dark' : 'light';
};

/** The mode, which follows the system while none was chosen, and a way to change to the other one, which is remembered. */
export function useColourMode(): [ColourMode, () => void] {
  const [mode, setMode] = useState(currentColourMode);
  useEffect(() => {
    const system = matchMedia(systemIsDark);
    const follow = () => setMode(currentColourMode());
    system.addEventListener('change', follow);
    return () => system.removeEventListener('change', follow);
  }, []);
  useEffect(() => {
    document.documentElement.className = mode;
  }, [mode]);
  const toggle = () => {
    const other = mode === 'dark' ? 'light' : 'dark';
    localStorage.setItem(key, other);
    setMode(other);
  };
  return [mode, toggle];
}
