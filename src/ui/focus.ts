import { useEffect } from 'react';

/** Focuses an element; in a group of checkboxes, the first checkbox. */
export function focusOn(element: HTMLElement | null): void {
  (element?.querySelector<HTMLElement>('input[type=checkbox]') ?? element)?.focus();
}

/** On unmount, restores the focus to the element that had it on mount, unless another element has the focus then. */
export function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (before instanceof HTMLElement && document.activeElement === document.body) before.focus();
    };
  }, []);
}
