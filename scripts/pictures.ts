/**
 * Takes pictures of every screen, light and dark, wide and narrow, after walking the guided path: the two that the
 * README shows into docs/pictures, all others into dist/pictures.
 */
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { choosePayment, goHome, goNext, goOn, pay, prepare } from '#tests/browser/guidedSteps.ts';
import { visit } from '#tests/browser/visit.ts';
import { findChromium, openBrowser } from '#tests/support/browser.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';

const shown = 'docs/pictures';
const all = 'dist/pictures';
const modes = ['light', 'dark'] as const;
const viewports = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const screens = [
  { name: 'home', path: '/' },
  ...journeyOrder.map((id) => ({ name: id, path: journeyOf(id).path })),
  { name: 'notFound', path: '/nowhere' },
];

/** Walks the path, with the pictures of the README on the way: the home page half way, and the review of a payment. */
async function walk(page: Page): Promise<void> {
  await prepare(page, async (title) => {
    if (title !== 'List') return goNext(page);
    await goHome(page);
    await page.screenshot({ path: `${shown}/home.png` });
    await goOn(page);
  });
  await choosePayment(page);
  await page.screenshot({ path: `${shown}/step.png` });
  await pay(page);
}

async function takeAll(browser: Browser, url: string): Promise<void> {
  for (const colorScheme of modes)
    for (const viewport of viewports) {
      const visiting = await visit(browser, url, { colorScheme, viewport, reducedMotion: 'reduce' });
      const { page } = visiting;
      for (const { name, path } of screens) {
        await page.goto(path, { waitUntil: 'networkidle' });
        await page.screenshot({ path: `${all}/${name}-${colorScheme}-${viewport.width}.png`, fullPage: true });
      }
      await visiting.close();
    }
}

for (const folder of [shown, all]) mkdirSync(folder, { recursive: true });
const program = await newConsole();
const browser = await openBrowser(findChromium());
try {
  await program.start();
  const { page } = await visit(browser, program.url, { viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  await walk(page);
  await takeAll(browser, program.url);
} catch (error) {
  process.stderr.write(program.printed());
  throw error;
} finally {
  await browser.close();
  await program.remove();
}
