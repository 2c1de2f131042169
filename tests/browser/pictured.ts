import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
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
} from './guidedSteps.ts';
import { settled } from './screen.ts';

/** The pictures in docs/pictures, each with a file of the lines that its page shows. */
export const pictureNames = [
  'home',
  'step',
  'result',
  'workbench',
  'lab',
  'practise',
  'app',
  'transfer',
  'returned',
] as const;
export type PictureName = (typeof pictureNames)[number];

/** The window in which they are taken. */
export const pictureWindow = { viewport: { width: 1440, height: 900 }, colorScheme: 'light' } as const;

/** Where a picture is, or its lines. */
export const pictureFile = (name: PictureName, ending: 'png' | 'txt'): string => `docs/pictures/${name}.${ending}`;

/** The first line of a picture's file, by which lines and picture belong together. */
export const hashOf = (picture: Uint8Array): string => `sha256 ${createHash('sha256').update(picture).digest('hex')}`;

/**
 * The lines that the page shows to assistive technology, each once and sorted: texts, and what can be pressed. Without what
 * differs each time: numbers with their units of time, ids and times, calls in rows and in a choice, whose number depends on the machine, and whether
 * a state was learned by a webhook or by a read, which a webhook may be later than.
 */
async function linesShown(page: Page): Promise<string[]> {
  const tree = await page.locator('body').ariaSnapshot();
  const lines = tree
    .split('\n')
    .map((line) =>
      line
        .trim()
        .replace(/just now|\d+ \w+ ago/g, '0')
        .replace(/\S*\d\S*/g, '0')
        .replace(/\b0 (ms|s|min)\b/g, '0')
        .replace(/; (Processing|Late: \w+) after 0/g, '')
        .replace(/( 0)+/g, ' 0'),
    )
    .filter(
      (line) =>
        !/^- (row\b|cell\b|time\b|\/url\b|combobox "Call"|text: Call$|button "(read|webhook|answer), |text: (Received|Processing|PartiallyCompleted|"Late: .*)$)/.test(
          line,
        ),
    );
  return [...new Set(lines)].sort();
}

/** Time (ms) for which a page that is pictured shows the same. */
const still = 1500;

/** Waits until the page does not change any more, and returns its lines. */
export async function stillLines(page: Page): Promise<string[]> {
  await settled(page);
  for (let lines = await linesShown(page); ;) {
    await page.waitForTimeout(still);
    const now = await linesShown(page);
    if (now.join('\n') === lines.join('\n')) return now;
    lines = now;
  }
}

export async function openTimeline(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Timeline/ }).click();
  await openEntry(page);
}

export async function openEntry(page: Page): Promise<void> {
  await page.getByRole('table', { name: 'Timeline' }).getByRole('button').first().click();
  await page.getByRole('region', { name: 'Request' }).waitFor();
}

/** A payment whose answer is lost. */
export async function setFault(page: Page): Promise<void> {
  await press(page, 'Add fault');
  await page.getByRole('button', { name: 'Stop all' }).first().waitFor();
}

export async function stopFaults(page: Page): Promise<void> {
  const stop = page.getByRole('button', { name: 'Stop all' }).first();
  await stop.click();
  await stop.waitFor({ state: 'hidden' });
}

/** One more creditor, of whose payments becomes what a magic word in its name says. */
async function createNamed(page: Page, name: string): Promise<void> {
  await page.goto('/creditors');
  await enter(page, { ...entries.creditor, 'Payee name': name });
  await press(page, 'Create creditor');
  await page.getByRole('heading', { name: 'Guided path', exact: true }).waitFor();
}

/** Walks the path; `show` is called at each picture on the way: half way, a form, a batch, the timeline below, the lab, the user's program, a transfer, a batch of which part came back. */
export async function walkPictured(page: Page, show: (name: PictureName) => Promise<unknown>): Promise<void> {
  await prepare(page, async (title) => {
    if (title === 'Create with OnBoarding') {
      await goHome(page);
      await show('home');
      return goOn(page);
    }
    await goNext(page);
    if (title !== 'Create Organisation') return;
    await arrive(page, 'Create Company');
    await enter(page, entries.company);
    await page.getByLabel('Name', { exact: true }).focus();
    await show('step');
  });
  await createNamed(page, 'Orchard fails Ltd');
  await page.goto('/electronicpayments?guided=true');
  await choosePayment(page);
  await pay(page);
  await batchStatus(page, 'PartiallyCompleted').first().waitFor();
  await show('result');
  await goHome(page);
  await openTimeline(page);
  await page.evaluate(() => scrollTo(0, 0));
  await show('workbench');
  // The next page is without it again.
  await page.getByRole('button', { name: /^Timeline/ }).click();
  await page.goto('/sandbox#faults');
  await setFault(page);
  await show('lab');
  await stopFaults(page);
  await goHome(page);
  await page.getByRole('heading', { name: 'Practise failures' }).waitFor();
  await show('practise');
  // The command has the folders of the machine.
  await page.addInitScript(() =>
    document.addEventListener('readystatechange', () => document.querySelector('meta[name="verify"]')?.remove()),
  );
  await page.goto('/programs');
  await page.getByRole('heading', { name: 'Connect', exact: true }).waitFor();
  await show('app');
  await page.goto('/etransfer');
  await page.frameLocator('iframe').getByRole('heading', { name: 'Transfer request' }).waitFor();
  await show('transfer');
  await createNamed(page, 'Birch returns-less Ltd');
  await page.goto('/electronicpayments?guided=true&another=true');
  await choosePayment(page);
  await pay(page);
  await batchStatus(page, 'PartiallyReturned').first().waitFor();
  await show('returned');
}
