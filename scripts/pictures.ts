/**
 * Takes pictures of every screen and of its telling states, light and dark, wide and narrow, after walking the guided
 * path: those that the documents show into docs/pictures, with the lines that a test compares with the page as it is
 * (tests/browser/pictures.long.test.ts), all others into dist/pictures. With the argument `docs` only the former.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { choosePayment, press } from '#tests/browser/guidedSteps.ts';
import {
  hashOf,
  openEntry,
  openTimeline,
  pictureFile,
  pictureWindow,
  setFault,
  stillLines,
  stopFaults,
  walkPictured,
  type PictureName,
} from '#tests/browser/pictured.ts';
import { settled } from '#tests/browser/screen.ts';
import { visit } from '#tests/browser/visit.ts';
import { findChromium, openBrowser } from '#tests/support/browser.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';

const all = 'dist/pictures';
const modes = ['light', 'dark'] as const;
const viewports = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

interface Picture {
  name: string;
  path: string;
  /** What a user does there before the picture is taken. */
  act?: (page: Page) => Promise<void>;
}

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('combobox', { name: 'Go to a journey' }).waitFor();
}

/** Another company, without anything filled in. */
async function submitNothing(page: Page): Promise<void> {
  await press(page, 'Create another');
  await press(page, 'Create company');
}

/** What only an empty console shows. */
const beginnings: readonly Picture[] = [
  { name: 'beginning', path: '/' },
  { name: 'gate', path: '/createdataset' },
  { name: 'emptyList', path: '/subscriptionlist' },
];

const screens: readonly Picture[] = [
  { name: 'home', path: '/' },
  ...journeyOrder.map((id) => ({ name: id, path: journeyOf(id).path })),
  { name: 'notFound', path: '/nowhere' },
  { name: 'result', path: '/subscriptionlist?guided=true' },
  { name: 'errors', path: '/createcompany', act: submitNothing },
  { name: 'palette', path: '/createcompany', act: openPalette },
  { name: 'timeline', path: '/timeline', act: openEntry },
  { name: 'lab', path: '/sandbox#faults', act: setFault },
  { name: 'faultless', path: '/settings', act: stopFaults },
  { name: 'review', path: '/electronicpayments', act: choosePayment },
  // The last one, as it stays docked.
  { name: 'docked', path: '/settings', act: openTimeline },
];

async function takeAll(browser: Browser, url: string, pictures: readonly Picture[]): Promise<void> {
  for (const colorScheme of modes)
    for (const viewport of viewports) {
      const visiting = await visit(browser, url, { colorScheme, viewport, reducedMotion: 'reduce' });
      const { page } = visiting;
      for (const { name, path, act } of pictures) {
        await page.goto(path);
        // Where the timeline is followed the network never rests.
        await page.locator('h1').first().waitFor();
        await settled(page);
        await act?.(page);
        // A window as high as the page: the bars lie where its ends are.
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({ ...viewport, height });
        await page.screenshot({ path: `${all}/${name}-${colorScheme}-${viewport.width}.png` });
        await page.setViewportSize(viewport);
      }
      await visiting.close();
    }
}

/** Takes a picture of the documents, and writes down what it shows. */
async function show(page: Page, name: PictureName): Promise<void> {
  const lines = await stillLines(page);
  const picture = await page.screenshot({ path: pictureFile(name, 'png') });
  writeFileSync(pictureFile(name, 'txt'), `${[hashOf(picture), ...lines].join('\n')}\n`);
}

const isForDocs = process.argv.includes('docs');
mkdirSync(all, { recursive: true });
const program = await newConsole();
const browser = await openBrowser(findChromium());
try {
  await program.start();
  if (!isForDocs) await takeAll(browser, program.url, beginnings);
  const { page } = await visit(browser, program.url, pictureWindow);
  await walkPictured(page, (name) => show(page, name));
  if (!isForDocs) await takeAll(browser, program.url, screens);
} catch (error) {
  process.stderr.write(program.printed());
  throw error;
} finally {
  await browser.close();
  await program.remove();
}
