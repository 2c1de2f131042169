import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { press } from './guidedSteps.ts';
import { faultsOf, settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting, program } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  await onboard(api);
  await subscribe(api);
});

const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });
const open = (page: Page, tab: string | RegExp) => inspector(page).getByRole('tab', { name: tab }).click();
const lit = (page: Page) => inspector(page).locator('[data-lit]');

/** Opens the form of a page, where something was made there already as well. */
async function openForm(page: Page, path: string): Promise<void> {
  await page.goto(`${path}?guided=true`);
  await press(page, 'Create another');
  // From the second form on the examples are there already.
  const filled = page.getByText('Filled with examples');
  await filled
    .or(page.getByRole('button', { name: 'Fill with example' }))
    .first()
    .waitFor();
  if (!(await filled.isVisible())) await press(page, 'Fill with example');
}

describe('the inspector', () => {
  it('highlights the line of a field without scrolling the page (behaviour 10.16.9)', async () => {
    const { page } = visiting();
    for (const width of [1280, 700]) {
      await page.setViewportSize({ width, height: 480 });
      await openForm(page, '/createcompany');
      const field = page.getByLabel('Name', { exact: true });
      await field.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => scrollY);
      await field.evaluate((input) => {
        input.focus({ preventScroll: true });
      });
      await lit(page).waitFor();
      expect(await page.evaluate(() => scrollY)).toBe(before);
    }
  });

  it('is accessible in each tab, in light and dark colours', async () => {
    const { page } = visiting();
    await openForm(page, '/createcompany');
    for (const tab of ['Request', 'Response', 'Code', 'Chart']) {
      await open(page, tab);
      await settled(page);
      // With the first one all of the page; the others differ in the inspector.
      const part = tab === 'Request' ? 'html' : '[aria-label=Inspector]';
      expect(await faultsOf(page, part), String(tab)).toEqual([]);
    }
  });
});
