/**
 * Counts the controls and words that each page shows in its first window: `npm run overload`, or
 * `npm run overload -- --console <url>` for a running console, whose guided path is walked if it has no batch yet.
 */
import { execFile } from 'node:child_process';
import { argv, stdout } from 'node:process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { findChromium, openBrowser } from '../../tests/support/browser.ts';
import { newConsole } from '../../tests/support/consoleProcess.ts';

const viewport = { width: 1440, height: 900 };

/** Time (ms) for what a page reads after its first paint. */
const settling = 1500;

const done: readonly (readonly [name: string, path: string])[] = [
  ['home, path complete', '/'],
  ['payment', '/electronicpayments'],
  ['batch', '/getbatch'],
  ['subscriptions', '/subscriptionlist'],
  ['debtors', '/debtors'],
  ['timeline', '/timeline'],
  ['fault lab', '/sandbox'],
  ['fault lab, faults', '/sandbox#faults'],
  ['your app', '/programs'],
  ['scripts', '/run'],
];

/**
 * Runs in the page: the controls and words that lie in the window and are not hidden, whole or in part. A word has a letter or a
 * digit; texts for screen readers alone (visuallyHidden.ts) and what stands in fields do not count. Without named functions,
 * which the compiler wraps in a helper that the page does not have.
 */
function countShown(): { controls: number; words: number } {
  const selector =
    'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab], [role=combobox]';
  const found: { element: Element; box: DOMRect; words: number }[] = [...document.querySelectorAll(selector)].map(
    (element) => ({ element, box: element.getBoundingClientRect(), words: 0 }),
  );
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const element = text.parentElement;
    const words = (text.textContent ?? '').split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
    range.selectNodeContents(text);
    let clipped = element;
    while (clipped && !(getComputedStyle(clipped).position === 'absolute' && clipped.clientWidth <= 1))
      clipped = clipped.parentElement;
    if (element && words > 0 && !clipped) found.push({ element, box: range.getBoundingClientRect(), words });
  }
  const shown = found.filter(
    ({ element, box: { top, bottom, left, right } }) =>
      bottom > 0 &&
      right > 0 &&
      top < innerHeight &&
      left < innerWidth &&
      bottom - top > 1 &&
      right - left > 1 &&
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
  );
  return {
    controls: shown.filter(({ words }) => words === 0).length,
    words: shown.reduce((sum, { words }) => sum + words, 0),
  };
}

async function count(page: Page, name: string, path: string): Promise<void> {
  // A change of the fragment alone loads nothing.
  await page.goto('about:blank');
  await page.goto(path);
  await page.locator('h1').first().waitFor();
  await page.waitForTimeout(settling);
  const { controls, words } = await page.evaluate(countShown);
  stdout.write(`${name.padEnd(24)}${String(controls).padStart(10)}${String(words).padStart(8)}\n`);
}

const given = argv[argv.indexOf('--console') + 1];
const running = argv.includes('--console') && given ? given.replace(/\/$/, '') : null;
const program = running === null ? await newConsole() : null;
const browser = await openBrowser(findChromium());
try {
  await program?.start();
  const url = running ?? program!.url; // one of the two
  const context = await browser.newContext({ baseURL: url, viewport, reducedMotion: 'reduce' });
  const page = await context.newPage();
  stdout.write(`${'page'.padEnd(24)}${'controls'.padStart(10)}${'words'.padStart(8)}\n`);
  const { settings } = (await (await fetch(`${url}/api/facts`)).json()) as { settings: { postedBatches: string } };
  if (settings.postedBatches === '[]') {
    await count(page, 'home, empty', '/');
    await count(page, 'subscriptions, empty', '/subscriptionlist');
    await promisify(execFile)(process.execPath, ['scripts/journey.mjs', '--console', url]);
  }
  for (const [name, path] of done) await count(page, name, path);
} finally {
  await browser.close();
  await program?.remove();
}
