import { useState } from 'react';

export type ColourMode = 'light' | 'dark';

const key = 'colourMode';

/** The chosen mode, else the system's. public/colour-mode.js decides the same before the first paint. */
const currentColourMode = (): ColourMode => {
  const chosen = localStorage.getItem(key);
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
};

/** The mode and a way to change to the other one, which is remembered. */
export function useColourMode(): [ColourMode, () => void] {
  const [mode, setMode] = useState(currentColourMode);
  const toggle = () => {
    const other = mode === 'dark' ? 'light' : 'dark';
    localStorage.setItem(key, other);
    document.documentElement.className = other;
    setMode(other);
  };
  return [mode, toggle];
}
