import { useEffect } from 'react';

/** Restores the focus to the previously focused element on unmount, unless another element has the focus. */
export function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
}
