import type { Page } from 'playwright-core';
import { expect, describe, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { walk } from '#tests/support/guided.ts';
import { arrive } from './guidedSteps.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)));

async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await arrive(page, heading);
  await settled(page);
}

/** The colours (`rgb(…)`) of an element's parts. */
const drawnOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { outlineStyle, outlineColor, backgroundColor } = getComputedStyle(element);
      return { outline: outlineStyle, outlineColor, background: backgroundColor };
    });

describe.runIf(allPaths)('a page in colours of the user’s own', () => {
  it.each([
    [
      'the selected tab',
      '/debtors',
      'Create Debtor',
      '[role=tab][aria-selected=true]',
      '[role=tab][aria-selected=false]',
    ],
    ['the chosen filter', '/timeline', 'Timeline', '[aria-pressed=true]', '[aria-pressed=false]'],
    ['the present step', '/debtors', 'Create Debtor', 'nav [aria-current]', 'nav a:not([aria-current])'],
  ])('marks %s by more than a background', async (_, path, heading, marked, other) => {
    const { page } = visiting();
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, path, heading);
    expect((await drawnOf(page, marked)).outline).toBe('solid');
    expect((await drawnOf(page, other)).outline).toBe('none');
    await page.emulateMedia({ forcedColors: 'none' });
  });

  it('draws how far the guided path is', async () => {
    const { page } = visiting();
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, '/', 'From nothing to a paid batch');
    const bar = '[role=progressbar]';
    expect((await drawnOf(page, `${bar} > *`)).background).not.toBe((await drawnOf(page, bar)).background);
    await page.emulateMedia({ forcedColors: 'none' });
  });
});

describe.runIf(allPaths)('a page on paper', () => {
  it('is light and has its content only, whole', async () => {
    const { page } = visiting();
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page, '/subscriptionlist', 'List');
    await page.locator('html.dark').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.locator('html.light').waitFor();
    for (const name of ['Payments Out Console', 'Timeline ▴', 'Settings'])
      expect(await page.getByText(name, { exact: true }).filter({ visible: true }).count(), name).toBe(0);
    expect(await page.getByRole('table').first().isVisible()).toBe(true);
    await page.getByRole('treeitem').first().waitFor();
    const lines = await page.getByRole('treeitem').evaluateAll(
      (each) =>
      each.map(({ clientWidth, scrollWidth, clientHeight, scrollHeight }) => scrollWidth <= clientWidth + 1 && scrollHeight <= clientHeight + 1), // prettier-ignore
    );
    expect(lines).not.toContain(false);
    await page.emulateMedia({ media: 'screen' });
    await page.locator('html.dark').waitFor();
  });
});

describe.runIf(allPaths)('a page in letters twice as large', () => {
  it('writes no line of JSON over another', async () => {
    const { page } = visiting();
    await page.addInitScript(() =>
      document.addEventListener('readystatechange', () => (document.documentElement.style.fontSize = '200%')),
    );
    await open(page, '/providers', 'Providers');
    const lines = page.getByRole('treeitem');
    await lines.nth(5).waitFor();
    const { heights, tops, letters } = await lines.evaluateAll((each) => ({
      heights: each.map((line) => line.getBoundingClientRect().height),
      tops: each.map((line) => line.getBoundingClientRect().top),
      letters: parseFloat(getComputedStyle(each[0]!).fontSize),
    }));
    expect(Math.min(...heights)).toBeGreaterThan(letters * 1.3);
    const steps = tops.slice(1).map((top, index) => top - tops[index]!);
    expect(Math.min(...steps)).toBeGreaterThan(letters * 1.3);
  });
});
