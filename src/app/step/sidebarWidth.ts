import { useState } from 'react';
import { localStore } from '../api/storage.ts';
import { sidebar } from '../theme/tokens.ts';

const slot = 'sidebar.width';

const within = (width: number): number => Math.round(Math.min(Math.max(width, sidebar.least), sidebar.most));

/** The stored width (px) of the column beside the step; null until the user has resized it. */
function storedWidth(): number | null {
  const width = Number(localStore().getItem(slot));
  return width > 0 ? within(width) : null;
}

/** The width (px) of the column beside the step that the user has chosen in this browser, if any, and how to change it. */
export function useSidebarWidth(): [number | null, (width: number) => void] {
  const [width, setWidth] = useState(storedWidth);
  const resize = (to: number) => {
    setWidth(within(to));
    localStore().setItem(slot, String(within(to)));
  };
  return [width, resize];
}
