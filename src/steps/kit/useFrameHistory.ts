import { useEffect, useRef } from 'react';

/**
 * Removes a frame's entries from the window's history. Navigation in a frame adds entries that outlive the frame, so
 * that Back would seem to do nothing; when `open` becomes false, this hook goes back by that many entries.
 */
export function useFrameHistory(open: boolean): void {
  const before = useRef(0);
  useEffect(() => {
    if (open) before.current = history.length;
    else if (before.current > 0 && history.length > before.current) history.go(before.current - history.length);
  }, [open]);
}
