import type { ComponentType } from 'react';

export interface DockProps {
  onClose: () => void;
}

/** What is docked above the status bar; its toggle is left out while this is null. */
export const Dock: ComponentType<DockProps> | null = null as ComponentType<DockProps> | null;
