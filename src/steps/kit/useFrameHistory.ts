import { useEffect, useRef } from 'react';

/**
 * What is pressed in a frame adds entries to the window's history, and they stay when the frame is gone: Back would
 * seem to do nothing. Goes back over them as soon as the frame, which is there while `open`, has been closed.
 */
export function useFrameHistory(open: boolean): void {
  const before = useRef(0);
  useEffect(() => {
    if (open) before.current = history.length;
    else if (before.current > 0 && history.length > before.current) history.go(before.current - history.length);
  }, [open]);
}
