import { useEffect } from 'react';

/**
 * Removes a frame's entries from the window's history. Navigation in a frame adds entries that outlive the frame, so
 * that Back would seem to do nothing. When `open` becomes false or the component is removed, this hook goes back by
 * that many entries, unless the page is at another address by then.
 */
export function useFrameHistory(open: boolean): void {
  useEffect(() => {
    if (!open) return undefined;
    const { pathname } = location;
    const before = history.length;
    return () => {
      if (location.pathname === pathname && history.length > before) history.go(before - history.length);
    };
  }, [open]);
}
