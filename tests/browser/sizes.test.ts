import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { walk } from '#tests/support/guided.ts';
import { choose, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)));

/** One of the specification's units, in px. */
const unit = 16;

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${String(element)} is not drawn`);
  return { width: Math.round(box.width), height: Math.round(box.height) };
};
/** Whether it can be pressed where it is, without scrolling sideways. */
const isInSight = (element: Locator): Promise<boolean> =>
  element.evaluate((button) => {
    const { left, right, top, height } = button.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, top + height / 2);
    return left >= 0 && right <= innerWidth && (over === button || button.contains(over));
  });
const isWider = (page: Page): Promise<boolean> => page.evaluate(() => document.body.scrollWidth > innerWidth);

describe('behaviour, section 9, measured: sizes', () => {
  it('provider dropdown 15 wide, field labels 35, a list at most 180 px high, a popover at most 870 px wide', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/onboardingsubscription');
    const selector = page.getByLabel('Select Provider', { exact: true });
    expect((await boxOf(selector)).width).toBe(15 * unit);
    await selector.click();
    const list = await boxOf(page.getByRole('listbox'));
    expect([list.height <= 182, list.width <= 870, list.width >= 15 * unit - 2]).toEqual([true, true, true]);
    await page.keyboard.press('Escape');
    await choose(selector, 'Larkfield Bacs Bureau');
    // Short fields stand side by side: a label takes 35 where its column has as much.
    const label = page.getByRole('form').locator('label').first();
    const column = (await boxOf(label.locator('..'))).width;
    expect((await boxOf(label)).width).toBe(Math.min(35 * unit, column));
    expect((await boxOf(selector)).width).toBe(15 * unit);
  });
});

describe('in a window of 1440 px and of 1024 px', () => {
  it.each(allPaths ? ['debtor', 'creditor'] : ['debtor'])(
    'every %s can be deleted without scrolling sideways',
    async (party) => {
      const { page } = visiting();
      await page.goto(`/${party}squery`);
      await press(page, `Query ${party}s`);
      const remove = page.getByRole('button', { name: /^Delete / }).first();
      await remove.waitFor();
      for (const width of [1440, 1024]) {
        await page.setViewportSize({ width, height: 900 });
        await remove.scrollIntoViewIfNeeded();
        expect(await isInSight(remove)).toBe(true);
        expect(await isWider(page)).toBe(false);
        await remove.click();
        await press(page.getByRole('alertdialog'), 'Cancel');
      }
    },
  );
});

describe('a select', () => {
  it('opens its list upwards where the bar would cover it, so that each option can be pressed', async () => {
    const { page } = visiting();
    await page.goto('/openbankingsubscription');
    const banks = page.getByLabel('Banks', { exact: true });
    for (const height of [560, 720, 900]) {
      await page.setViewportSize({ width: 1280, height });
      await banks.click();
      const options = await page.getByRole('listbox').getByRole('option').all();
      expect(options.length).toBeGreaterThan(2);
      for (const option of options) {
        await option.scrollIntoViewIfNeeded();
        expect(await isInSight(option)).toBe(true);
      }
      await banks.press('Escape');
    }
  });

  it('shows the best match, says what it does not find, and lies over what is below it', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1024, height: 500 });
    await page.goto('/settings');
    const language = page.getByLabel('Language', { exact: true });
    await language.click();
    await language.fill('fr');
    const [first] = await page.getByRole('option').all();
    expect(await first?.innerText()).toBe('fr-CA');
    expect(first && (await isInSight(first))).toBe(true);
    await language.fill('xyz');
    await page.getByText('No results for "xyz"').waitFor();
    await page.keyboard.press('Escape');
    expect(await language.inputValue()).toBe('en');
  });
});

describe('on a narrow page', () => {
  it.each([
    '/subscriptionlist',
    ...(allPaths ? ['/createcompany', '/getbatch', '/paymentlist', '/createorganisation', '/debtors'] : []),
  ])(
    '%s is not scrolled sideways where an id is shown whole, or it is said that copying is not possible',
    async (path) => {
      const { page } = visiting();
      await page.addInitScript(() =>
        Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('not here')) }),
      );
      await page.setViewportSize({ width: 320, height: 900 });
      await page.goto(path);
      const copy = page.getByRole('button', { name: /^Copy / });
      await copy.first().waitFor();
      for (const button of await copy.all()) {
        // Focused, which shows the whole id, and pressed as by a key.
        await button.focus();
        expect(await isWider(page)).toBe(false);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Copying is not possible here' }).first().waitFor();
        expect(await isWider(page)).toBe(false);
      }
    },
  );

  it('the home page is not scrolled sideways by the longest status of a batch', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto('/');
    const status = page.getByRole('region', { name: 'Workspace' }).locator('dd span:has(> [aria-hidden])').last();
    // In place of one that takes a bank file to come to.
    await status.evaluate((word) => (word.lastChild!.textContent = 'PaymentFileAvailable')); // after its mark
    expect(await isWider(page)).toBe(false);
  });
});
