/**
 * Takes pictures of every screen and of its telling states, light and dark, wide and narrow, after walking the guided
 * path: those that the README shows into docs/pictures, all others into dist/pictures.
 */
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import {
  arrive,
  batchStatus,
  choosePayment,
  enter,
  entries,
  goHome,
  goNext,
  goOn,
  pay,
  prepare,
  press,
} from '#tests/browser/guidedSteps.ts';
import { settled } from '#tests/browser/screen.ts';
import { visit } from '#tests/browser/visit.ts';
import { findChromium, openBrowser } from '#tests/support/browser.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';

const shown = 'docs/pictures';
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

async function openTimeline(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Timeline/ }).click();
  await openEntry(page);
}

async function openEntry(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Timeline' }).getByRole('button').first().click();
  await page.getByRole('region', { name: 'Response' }).waitFor();
}

/** A payment whose answer is lost. */
async function setFault(page: Page): Promise<void> {
  await press(page, 'Add fault');
  await page.getByRole('button', { name: 'Stop all' }).first().waitFor();
}

async function stopFaults(page: Page): Promise<void> {
  const stop = page.getByRole('button', { name: 'Stop all' }).first();
  await stop.click();
  await stop.waitFor({ state: 'hidden' });
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

const show = (page: Page, name: string): Promise<unknown> => page.screenshot({ path: `${shown}/${name}.png` });

/** One more creditor, whose payments fail. */
async function createFailing(page: Page): Promise<void> {
  await page.goto('/creditors');
  await enter(page, { ...entries.creditor, 'Payee name': 'Orchard fails Ltd' });
  await press(page, 'Create creditor');
  await page.getByRole('heading', { name: 'Guided path', exact: true }).waitFor();
}

/** Walks the path, with the pictures of the README on the way: half way, a form, a batch, and the timeline below. */
async function walk(page: Page): Promise<void> {
  await prepare(page, async (title) => {
    if (title === 'Create with OnBoarding') {
      await goHome(page);
      await settled(page);
      await show(page, 'home');
      return goOn(page);
    }
    await goNext(page);
    if (title !== 'Create Organisation') return;
    await arrive(page, 'Create Company');
    await enter(page, entries.company);
    await page.getByLabel('Name', { exact: true }).focus();
    await settled(page);
    await show(page, 'step');
  });
  await createFailing(page);
  await page.goto('/electronicpayments?guided=true');
  await choosePayment(page);
  await pay(page);
  await batchStatus(page, 'PartiallyCompleted').first().waitFor();
  await settled(page);
  await show(page, 'result');
  await goHome(page);
  await openTimeline(page);
  await settled(page);
  await page.evaluate(() => scrollTo(0, 0));
  await show(page, 'workbench');
  // The next page is without it again.
  await page.getByRole('button', { name: /^Timeline/ }).click();
  await page.goto('/sandbox#faults');
  await setFault(page);
  await settled(page);
  await show(page, 'lab');
  await stopFaults(page);
  await goHome(page);
  await page.getByRole('heading', { name: 'Practise failures' }).waitFor();
  await settled(page);
  await show(page, 'practise');
}

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

for (const folder of [shown, all]) mkdirSync(folder, { recursive: true });
const program = await newConsole();
const browser = await openBrowser(findChromium());
try {
  await program.start();
  await takeAll(browser, program.url, beginnings);
  const { page } = await visit(browser, program.url, { viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  await walk(page);
  await takeAll(browser, program.url, screens);
} catch (error) {
  process.stderr.write(program.printed());
  throw error;
} finally {
  await browser.close();
  await program.remove();
}
