import { useSyncExternalStore, type ComponentType } from 'react';
import { part } from '#steps/kit/part.tsx';
import { shared } from '../storage.ts';

export interface DockProps {
  onClose: () => void;
}

/** The timeline docked above the status bar; loaded when it is opened. */
export const Dock: ComponentType<DockProps> = part(async () => (await import('./Dock.tsx')).Dock);

/** Storage key, and name of the event that reports a change. */
const slot = 'workbench.open';

function subscribe(onChange: () => void): () => void {
  window.addEventListener(slot, onChange);
  return () => window.removeEventListener(slot, onChange);
}

const isDocked = () => shared().getItem(slot) === 'true';

/** Whether the timeline is docked; stored in the browser. */
export function useDocked(): [boolean, (docked: boolean) => void] {
  const docked = useSyncExternalStore(subscribe, isDocked, () => false);
  const dock = (to: boolean) => {
    shared().setItem(slot, String(to));
    window.dispatchEvent(new Event(slot));
  };
  return [docked, dock];
}
