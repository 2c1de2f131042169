import { format } from 'node:util';

/** Errors and warnings printed since the last check, and the patterns of those that may or must be printed. */
let printed: string[] = [];
let expected: { pattern: RegExp; must: boolean }[] = [];

/** Returns unexpected output and missing expected output, and resets both; empty after a correct test. */
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

/** Expects the current test to print an error or warning like this; the test fails otherwise. */
export const expectPrinted = (pattern: RegExp): void => void expected.push({ pattern, must: true });

/** Allows the current test to print this; for messages that are printed only once per process. */
export const allowPrinted = (pattern: RegExp): void => void expected.push({ pattern, must: false });

/** Captures errors and warnings of the page and of jsdom instead of printing them. */
export function watchPrinted(): void {
  const keep = (...parts: unknown[]) => void printed.push(format(...parts));
  Object.assign(console, { error: keep, warn: keep });
  // Defined only in Vitest's jsdom environment; without a listener the virtual console prints to the terminal.
  const { jsdom } = globalThis as { jsdom?: { virtualConsole: NodeJS.EventEmitter } };
  jsdom?.virtualConsole.removeAllListeners('jsdomError').on('jsdomError', keep);
}
