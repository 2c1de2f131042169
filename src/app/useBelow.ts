import { useCallback } from 'react';

/** Tells the page, as the CSS length `--below`, how high what stays at the bottom is: regions end above it. */
export function useBelow() {
  return useCallback((element: HTMLElement | null) => {
    if (!element || typeof ResizeObserver === 'undefined') return undefined;
    const { style } = document.documentElement;
    const watch = new ResizeObserver(() => style.setProperty('--below', `${element.offsetHeight}px`));
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
}
