import { useEffect } from 'react';

/** Scrolls the boxes around an element sideways, so far that it is seen whole, or from its beginning. */
function showSideways(element: Element): void {
  const { left, right } = element.getBoundingClientRect();
  for (let box = element.parentElement; box; box = box.parentElement) {
    if (box.scrollWidth <= box.clientWidth || !/auto|scroll/.test(getComputedStyle(box).overflowX)) continue;
    const around = box.getBoundingClientRect();
    box.scrollLeft +=
      Math.min(0, left - around.left) || Math.max(0, Math.min(right - around.right, left - around.left));
    return;
  }
}

/** Shows what gets the focus whole in a bar that scrolls sideways: browsers leave it where a part of it is seen. */
export function useFocusInSight(): void {
  useEffect(() => {
    const show = ({ target }: FocusEvent) => target instanceof Element && showSideways(target);
    document.addEventListener('focusin', show);
    return () => document.removeEventListener('focusin', show);
  }, []);
}
