/** How far something has to move to lie between two edges, in px; what is too long begins at the first. */
function byHowMuch(start: number, end: number, from: number, to: number): number {
  if (start < from) return start - from;
  return Math.max(0, Math.min(end - to, start - from));
}

/**
 * Scrolls an element into the sight of every frame around it, but never the page: a page that moves while a mouse button
 * is down makes the press miss. `centred`: in the middle of the frames' width.
 */
export function showWithin(element: Element, centred = false): void {
  for (let frame = element.parentElement; frame && frame !== document.documentElement; frame = frame.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(frame).overflow)) continue;
    const [inner, outer] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
    frame.scrollTop += byHowMuch(inner.top, inner.bottom, outer.top, outer.bottom);
    frame.scrollLeft += centred
      ? (inner.left + inner.right - outer.left - outer.right) / 2
      : byHowMuch(inner.left, inner.right, outer.left, outer.right);
  }
}
