import { lazy, useState, type ComponentType } from 'react';
import { chunk } from '#steps/kit/chunk.ts';

export interface DockProps {
  onClose: () => void;
}

/** The timeline docked above the status bar; loaded when it is opened. */
export const Dock: ComponentType<DockProps> = lazy(() =>
  chunk(async () => ({ default: (await import('./Dock.tsx')).Dock })),
);

const slot = 'workbench.open';

/** Whether the timeline is docked; stored in the browser. */
export function useDocked(): [boolean, (docked: boolean) => void] {
  const [docked, setDocked] = useState(() => localStorage.getItem(slot) === 'true');
  const dock = (to: boolean) => {
    setDocked(to);
    localStorage.setItem(slot, String(to));
  };
  return [docked, dock];
}
