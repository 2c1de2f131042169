/** Where a window keeps how jsdom computes its styles: a module forgets it when a test resets the modules. */
const computed = Symbol.for('computed styles');
type Styled = Window & { [computed]?: Window['getComputedStyle'] };

const styleOf = (display: string) => Object.assign(document.createElement('div').style, { display });
const inLine = 'a, abbr, b, br, button, code, em, i, input, kbd, label, mark, small, span, strong, sub, sup, time';

/**
 * Gives each element the style that its tag has without any rule: to apply those of all files that share a window takes a
 * third of the time of their tests.
 */
export function ignoreRules(window: Styled): void {
  const [block, inside, none] = [styleOf('block'), styleOf('inline'), styleOf('none')];
  // Each test file does it again, in a window that several share.
  window[computed] ??= window.getComputedStyle.bind(window);
  window.getComputedStyle = (element) =>
    element.matches('dialog:not([open])') ? none : element.matches(inLine) ? inside : block;
}

/** Computes styles from the rules again, in a test file in which they matter. */
export function applyRules(window: Styled): void {
  if (window[computed]) window.getComputedStyle = window[computed];
}
