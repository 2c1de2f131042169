import { useCallback } from 'react';

/**
 * Returns a ref callback that writes the height of the fixed bars at the bottom into the CSS variable `--below`, which
 * limits the regions above.
 */
export function useBottomBarsHeight() {
  return useCallback((element: HTMLElement | null) => {
    if (!element || typeof ResizeObserver === 'undefined') return undefined;
    const { style } = document.documentElement;
    const watch = new ResizeObserver(() => style.setProperty('--below', `${element.offsetHeight}px`));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
}
