import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)));

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

/** Width (px) that is kept free for a scroll bar, on every page. */
const gutter = 15;

/** What the top bar and the bars at the bottom stand around: the page, and the inspector beside a step. */
const frame = (page: Page) => page.getByRole('main').locator('..');
/** The edge between a step and the column beside it. */
const edge = (page: Page) => page.getByRole('separator', { name: 'Width of the inspector' });
/** Width of the column beside the step, after checking that the edge says the same. */
async function sidebarWidth(page: Page): Promise<number> {
  const { width } = await boxOf(edge(page).locator('../..'));
  await expect.poll(async () => Number(await edge(page).getAttribute('aria-valuenow'))).toBe(width);
  return width;
}

describe('behaviour, section 9, measured: sizes', () => {
  it('the page is at most 1600 px wide, and in the middle (behaviour 9.8)', async () => {
    const { page } = visiting();
    for (const path of ['/createcompany', '/paymentlist', '/timeline']) {
      await page.goto(path);
      for (const [window, width] of [
        [1920, 1600],
        [1500, 1500 - gutter],
      ] as const) {
        await page.setViewportSize({ width: window, height: 900 });
        expect(await frame(page).boundingBox()).toMatchObject({ width, x: (window - gutter - width) / 2 });
      }
    }
  });

  it('provider selector 15 % and labels 35 % of the widest page, a list at most 180 px high, a popover at most 870 px wide (behaviour 9.8)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1600 + gutter, height: 900 });
    await page.goto('/onboardingsubscription');
    const selector = page.getByLabel('Select Provider', { exact: true });
    const row = (await boxOf(frame(page))).width;
    expect(row).toBe(1600);
    expect((await boxOf(selector)).width).toBe(0.15 * row);
    await selector.click();
    const list = await boxOf(page.getByRole('listbox'));
    expect([list.height <= 182, list.width <= 870, list.width >= 0.15 * row - 2]).toEqual([true, true, true]);
    await page.keyboard.press('Escape');
    // A label is no wider than its field: the column of the form has to leave room for 35 %.
    await page.goto('/settings');
    const label = page.locator('label', { hasText: 'Provider country' });
    const field = label.locator('..');
    // The inspector opens once the timeline is read, and takes its part of the width.
    await edge(page).waitFor();
    expect((await boxOf(label)).width).toBe((await boxOf(field)).width);
    await edge(page).press('Home');
    await sidebarWidth(page);
    expect((await boxOf(label)).width).toBe(0.35 * row);
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await isWider(page)).toBe(false);
  });

  it('the column beside the step is resized from 214 to 814 px by keys and pointer, and remembered (behaviour 9.9)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1600 + gutter, height: 900 });
    await page.goto('/createcompany');
    const limits = ['aria-valuemin', 'aria-valuemax'].map((name) => edge(page).getAttribute(name));
    expect(await Promise.all(limits)).toEqual(['214', '814']);
    for (const [key, width] of [
      ['Home', 214],
      ['ArrowRight', 214],
      ['ArrowLeft', 230],
      ['PageUp', 326],
      ['PageDown', 230],
      ['End', 814],
      ['ArrowLeft', 814],
      ['ArrowRight', 798],
    ] as const) {
      await edge(page).press(key);
      expect(await sidebarWidth(page), key).toBe(width);
    }
    const box = (await edge(page).boundingBox())!; // it is drawn
    await page.mouse.move(box.x + 4, 300);
    await page.mouse.down();
    await page.mouse.move(1600 - 300, 300, { steps: 4 });
    expect(await sidebarWidth(page)).toBe(300);
    await page.mouse.move(1590, 300, { steps: 4 });
    expect(await sidebarWidth(page)).toBe(214);
    await page.mouse.move(1600 - 500, 300, { steps: 4 });
    await page.mouse.up();
    await page.reload();
    expect(await sidebarWidth(page)).toBe(500);
    await page.goto('/paymentlist');
    await press(page, 'Inspector');
    expect(await sidebarWidth(page)).toBe(500);
  });

  it('the column beside the step becomes narrower with the window, and moves below the step in a narrow one (behaviour 9.8, 9.9)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1600 + gutter, height: 900 });
    await page.goto('/createcompany');
    await edge(page).press('End');
    for (const width of [1440, 1100, 1024, 958, 800]) {
      await page.setViewportSize({ width: width + gutter, height: 900 });
      const rail = width < 1100 ? 0 : 220;
      expect(width - rail - (await sidebarWidth(page)), `the step at ${width}`).toBeGreaterThanOrEqual(400);
      expect(await isWider(page)).toBe(false);
    }
    await page.setViewportSize({ width: 700 + gutter, height: 900 });
    expect(await edge(page).isVisible()).toBe(false);
    const hidden = page.getByRole('separator', { name: 'Width of the inspector', includeHidden: true });
    expect((await boxOf(hidden.locator('../..'))).width).toBe(700);
  });

  it.each(['', '0', '-5', '9e9', 'NaN', '{"width":300}', '[]'])(
    'the column beside the step stays within its limits where %j is stored as its width',
    async (stored) => {
      const { page } = visiting();
      await page.setViewportSize({ width: 1600 + gutter, height: 900 });
      await page.evaluate((value) => localStorage.setItem('sidebar.width', value), stored);
      await page.goto('/createcompany');
      const width = await sidebarWidth(page);
      expect([width >= 214, width <= 814]).toEqual([true, true]);
    },
  );
});

describe('status bar and action bar together', () => {
  it.each([
    [720, 450],
    [390, 844],
  ])('take at most 15 % of the height of a window of %i by %i px (behaviour 10.16.18)', async (width, height) => {
    const { page } = visiting();
    await page.setViewportSize({ width, height });
    for (const path of ['/createcompany?guided=true', '/electronicpayments', '/getbatch', '/subscriptionlist']) {
      await page.goto(path);
      const [actions, status] = ['region', 'contentinfo'].map((role) =>
        page.getByRole(role as 'region', { name: role === 'region' ? 'Actions of this step' : 'Status', exact: true }),
      );
      await actions!.getByRole('button').or(actions!.getByRole('link')).first().waitFor();
      const taken = (await boxOf(actions!)).height + (await boxOf(status!)).height;
      expect(taken / height, path).toBeLessThanOrEqual(0.15);
    }
  });
});

describe('in a window of 1440 px and of 1024 px', () => {
  it.each(['debtor', 'creditor'])('every %s can be deleted without scrolling sideways', async (party) => {
    const { page } = visiting();
    await page.goto(`/${party}squery`);
    await press(page, `Query ${party}s`);
    // Until then what stands above the list moves it.
    await page.getByText('Provider’s list').waitFor();
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
  });
});

describe('a select', () => {
  it('opens its list upwards where the bar would cover it, so that each option can be pressed (behaviour 10.16.11)', async () => {
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

  it('shows the best match, says when it finds none, and covers what is below it', async () => {
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
  it.each(['/subscriptionlist', '/createcompany', '/getbatch', '/paymentlist', '/createorganisation', '/debtors'])(
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
    await page.getByText('The guided path is complete').waitFor();
    const status = page.getByRole('main').locator('span:has(> [aria-hidden])', { hasText: 'Completed' }).first();
    // In place of one that takes a bank file to come to.
    await status.evaluate((word) => (word.lastChild!.textContent = 'PaymentFileAvailable')); // after its mark
    expect(await isWider(page)).toBe(false);
  });
});
