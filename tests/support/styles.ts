/** How jsdom computes the styles of a window. */
const computed = new WeakMap<Window, Window['getComputedStyle']>();

const styleOf = (display: string) => Object.assign(document.createElement('div').style, { display });
const inLine = 'a, abbr, b, br, button, code, em, i, input, kbd, label, mark, small, span, strong, sub, sup, time';

/**
 * Gives each element the style that its tag has without any rule: to apply those of all files that share a window takes a
 * third of the time of their tests.
 */
export function ignoreRules(window: Window): void {
  const [block, inside, none] = [styleOf('block'), styleOf('inline'), styleOf('none')];
  // Each test file does it again, in a window that several share.
  if (!computed.has(window)) computed.set(window, window.getComputedStyle.bind(window));
  window.getComputedStyle = (element) =>
    element.matches('dialog:not([open])') ? none : element.matches(inLine) ? inside : block;
}

/** Computes styles from the rules again, in a test file in which they matter. */
export function applyRules(window: Window): void {
  const compute = computed.get(window);
  if (compute) window.getComputedStyle = compute;
}
