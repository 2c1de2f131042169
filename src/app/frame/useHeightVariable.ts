import { useCallback } from 'react';

/**
 * A ref that writes an element's height into a CSS variable of the page. `--above` is the height of the bar at the top,
 * `--below` that of the bars at the bottom, `--notice` that of the notice above them: what sticks and what has the focus stays between them, however many lines they have.
 */
export function useHeightVariable(name: '--above' | '--below' | '--notice') {
  return useCallback(
    (element: HTMLElement | null) => {
      if (!element || typeof ResizeObserver === 'undefined') return undefined;
      const { style } = document.documentElement;
      const watch = new ResizeObserver(() => style.setProperty(name, `${element.offsetHeight}px`));
      watch.observe(element);
      return () => watch.disconnect();
    },
    [name],
  );
}
