import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { arrive, choosePayment, goHome, payButton } from './guidedSteps.ts';
import { isFocused, keyboard } from './keyboard.ts';
import { sharedConsole } from './shared.ts';

const { program, visiting } = sharedConsole(({ url }) => walk(apiAt(url)));

/** There are none for Canada. */
const selectFormats = (value: 'CA' | 'GB') =>
  apiAt(program().url).done('setSetting', { body: { key: 'fileFormatCountry', value } });

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

describe('by keyboard alone', () => {
  it('a gate keeps the focus until it is closed', async () => {
    const { page } = visiting();
    await selectFormats('CA');
    onTestFinished(async () => void (await selectFormats('GB')));
    await page.goto('/filepayments');
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    expect(await isFocused(dialog.getByRole('link', { name: 'Go to Settings' }))).toBe(true);
    for (const name of ['Back to home', 'Go to Settings', 'Back to home', 'Go to Settings']) {
      await keyboard(page).reach(dialog.getByRole(name === 'Back to home' ? 'button' : 'link', { name }));
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Guided path', exact: true }).waitFor();
  });

  it('invoices are chosen, reviewed and paid, and the focus is always visible', async () => {
    const { page } = visiting();
    const hands = keyboard(page);
    await page.goto('/electronicpayments');
    await choosePayment(page, hands);
    await hands.press(payButton(page));
    await page.waitForURL(({ pathname }) => pathname === '/');
    expect([...hands.wrong]).toEqual([]);
  });

  it('a group of the menu opens, leads to its pages, and returns the focus when it is closed', async () => {
    const { page } = visiting();
    const { press, reach } = keyboard(page);
    await goHome(page);
    await press(button(page, 'Rules'));
    await reach(page.getByRole('link', { name: 'Providers' }));
    await page.keyboard.press('Escape');
    expect(await isFocused(button(page, 'Rules'))).toBe(true);
    expect(await button(page, 'Rules').getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('Space');
    await press(page.getByRole('link', { name: 'Providers' }));
    await arrive(page, 'Providers');
    expect(await isFocused(page.getByRole('heading', { level: 1 }))).toBe(true);
  });

  it('the palette opens from every page, leads to a page, and returns the focus', async () => {
    const { page } = visiting();
    const { press, reach } = keyboard(page);
    const palette = page.getByRole('combobox', { name: 'Go to a journey' });
    await page.goto('/createcompany');
    await press(button(page, 'Create another'));
    await reach(page.getByLabel('Tax number'));
    await page.keyboard.press('Control+K');
    await palette.waitFor();
    expect(await isFocused(palette)).toBe(true);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    expect(await isFocused(page.getByLabel('Tax number'))).toBe(true);
    await page.keyboard.press('Control+K');
    await palette.waitFor();
    await page.keyboard.press('Control+K');
    await palette.waitFor({ state: 'detached' });
    expect(await isFocused(page.getByLabel('Tax number'))).toBe(true);
    await page.keyboard.press('Control+K');
    await palette.waitFor();
    await page.keyboard.type('bank fi');
    await page.keyboard.press('Enter');
    await arrive(page, 'Bank Files');
    expect(await isFocused(page.getByRole('heading', { level: 1 }))).toBe(true);
  });

  it('the timeline opens and closes, and returns the focus', async () => {
    const { page } = visiting();
    const { press } = keyboard(page);
    await goHome(page);
    const toggle = button(page, /^Timeline/);
    await press(toggle);
    const timeline = page.getByRole('region', { name: 'Timeline' });
    await timeline.waitFor();
    await expect.poll(() => isFocused(timeline.getByRole('heading', { level: 2 }))).toBe(true);
    await page.keyboard.press('Escape');
    await timeline.waitFor({ state: 'detached' });
    expect(await isFocused(toggle)).toBe(true);
  });

  it('a confirmation keeps the focus and returns it to the button that opened it', async () => {
    const { page } = visiting();
    const { press, reach } = keyboard(page);
    await page.goto('/debtorsquery');
    await press(button(page, 'Query debtors'));
    const row = button(page, 'Delete Trading account');
    await press(row);
    const dialog = page.getByRole('alertdialog', { name: 'Delete the debtor Trading account?' });
    for (const name of ['Cancel', 'Delete', 'Cancel', 'Delete']) {
      await reach(dialog.getByRole('button', { name }));
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await isFocused(row)).toBe(true);
    await press(row);
    await press(dialog.getByRole('button', { name: 'Cancel' }));
    await dialog.waitFor({ state: 'detached' });
    expect(await isFocused(row)).toBe(true);
  });
});
