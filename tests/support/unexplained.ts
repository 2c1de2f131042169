/** The text of what describes a control: the elements that it names, or its tooltip. */
const descriptionOf = (control: HTMLElement): string =>
  [
    control.title,
    ...(control.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? ''),
  ]
    .join('')
    .trim();

/**
 * The labels of disabled buttons that do not say why (behaviour, section 10.4). A label such as “Sending …” says it, and so
 * does “Working …” of a step at work.
 */
export const unexplained = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('button[aria-disabled=true], button:disabled')]
    .filter((control) => !/[.…]$/.test(control.textContent) && !control.closest('[aria-busy=true]'))
    .filter((control) => descriptionOf(control) === '')
    .map((control) => control.getAttribute('aria-label') ?? control.textContent);
