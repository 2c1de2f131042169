/** Focuses an element; in a group of checkboxes, the first checkbox. */
export function focusOn(element: HTMLElement | null): void {
  (element?.querySelector<HTMLElement>('input[type=checkbox]') ?? element)?.focus();
}
