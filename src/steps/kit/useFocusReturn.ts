import { useEffect } from 'react';

/** Gives the focus back to what had it before, when what took it goes away and nothing else has taken it meanwhile. */
export function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
}
