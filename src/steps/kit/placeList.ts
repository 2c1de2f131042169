/** What the bars leave of the window's height, in px from its top: the page keeps what has the focus there. */
function free(): { top: number; bottom: number } {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  return { top: parseFloat(scrollPaddingTop) || 0, bottom: innerHeight - (parseFloat(scrollPaddingBottom) || 0) };
}

/**
 * Opens a control's list above it, by `data-above`, where there is no room below and more above: below the last control of a
 * page the bar would cover its options. `--room` is the height that there is, in px.
 */
export function placeList(list: HTMLElement, control: HTMLElement): void {
  const { top, bottom } = control.getBoundingClientRect();
  const { height } = list.getBoundingClientRect();
  const [above, below] = [top - free().top, free().bottom - bottom];
  const isAbove = height > below && above > below;
  list.toggleAttribute('data-above', isAbove);
  list.style.setProperty('--room', `${Math.max(isAbove ? above : below, 0)}px`);
}
