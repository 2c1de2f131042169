/** The part of the window that the bars do not cover, in px from its top; derived from the page's scroll padding. */
function free(): { top: number; bottom: number } {
  const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(document.documentElement);
  return { top: parseFloat(scrollPaddingTop) || 0, bottom: innerHeight - (parseFloat(scrollPaddingBottom) || 0) };
}

/**
 * Places a control's list above the control (`data-above`) if it does not fit below and there is more room above;
 * otherwise the bar would cover the list of the last control on a page. Sets `--room` to the available height in px.
 */
export function placeList(list: HTMLElement, control: HTMLElement): void {
  const { top, bottom } = control.getBoundingClientRect();
  const { height } = list.getBoundingClientRect();
  const [above, below] = [top - free().top, free().bottom - bottom];
  const isAbove = height > below && above > below;
  list.toggleAttribute('data-above', isAbove);
  list.style.setProperty('--room', `${Math.max(isAbove ? above : below, 0)}px`);
}
