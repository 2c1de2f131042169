/**
 * The scroll distance, in px, that brings `start`…`end` between `from` and `to`; if that is too short, `start` to
 * `from`.
 */
function byHowMuch(start: number, end: number, from: number, to: number): number {
  if (start < from) return start - from;
  return Math.max(0, Math.min(end - to, start - from));
}

/**
 * Scrolls an element into view in every scrollable ancestor, but never scrolls the page: a click misses its target if
 * the page moves while the mouse button is down. `centred`: centres the
 * element in the innermost of them.
 */
export function showWithin(element: Element, centred = false): void {
  let centring = centred;
  for (let frame = element.parentElement; frame && frame !== document.documentElement; frame = frame.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(frame).overflow)) continue;
    const [inner, outer] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
    frame.scrollTop += centring
      ? (inner.top + inner.bottom - outer.top - outer.bottom) / 2
      : byHowMuch(inner.top, inner.bottom, outer.top, outer.bottom);
    frame.scrollLeft += centring
      ? (inner.left + inner.right - outer.left - outer.right) / 2
      : byHowMuch(inner.left, inner.right, outer.left, outer.right);
    centring = false;
  }
}
