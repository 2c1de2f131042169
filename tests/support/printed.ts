import { format } from 'node:util';

/** What was printed as an error or a warning since it was last taken, and what of it may, or must, be printed. */
let printed: string[] = [];
let expected: { pattern: RegExp; must: boolean }[] = [];

/** What of it nobody expected, and what was expected in vain; a test ends with neither. */
export function flawsPrinted(): string[] {
  const [is, should] = [printed, expected];
  [printed, expected] = [[], []];
  return [
    ...is.filter((text) => !should.some(({ pattern }) => pattern.test(text))).map((text) => `printed: ${text}`),
    ...should.flatMap(({ pattern, must }) =>
      must && !is.some((text) => pattern.test(text)) ? `not printed: ${pattern}` : [],
    ),
  ];
}

/** The test that runs prints errors or warnings like this one; it fails unless it does. */
export const expectPrinted = (pattern: RegExp): void => void expected.push({ pattern, must: true });

/** The test that runs may print this, which is said only once by who says it. */
export const allowPrinted = (pattern: RegExp): void => void expected.push({ pattern, must: false });

/** Keeps what is printed as an error or a warning, by the page or by jsdom itself, from the terminal. */
export function watchPrinted(): void {
  const keep = (...parts: unknown[]) => void printed.push(format(...parts));
  Object.assign(console, { error: keep, warn: keep });
  // It exists only where Vitest has made one; without a listener of its own it prints to the terminal.
  const { jsdom } = globalThis as { jsdom?: { virtualConsole: NodeJS.EventEmitter } };
  jsdom?.virtualConsole.removeAllListeners('jsdomError').on('jsdomError', keep);
}
