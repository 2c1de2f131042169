import { useEffect, type RefObject } from 'react';

/** While `open`, calls `onLeave` when the user presses or focuses something outside the element. */
export function useLeave(around: RefObject<HTMLElement | null>, open: boolean, onLeave: () => void): void {
  useEffect(() => {
    if (!open) return undefined;
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && around.current?.contains(target))) onLeave();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [around, open, onLeave]);
}
