import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { apiAt } from '#tests/support/api.ts';
import { onboard, pay, subscribe, subscribeTo } from '#tests/support/guidedPath.ts';
import { focusOf } from './keyboard.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

let batchIds: string[] = [];
const { visiting } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  await onboard(api);
  const { provider, subscriptionId, rules } = await subscribe(api);
  const form = paymentForm(rules);
  const older = await pay(api, subscriptionId, form);
  batchIds = [await pay(api, subscriptionId, form, undefined, true), older];
  // Only one that is undecided has Authorise.
  await subscribeTo(api, provider, rules);
});

const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });
const row = (page: Page, id: string) => page.getByRole('button', { name: `Inspect batch ${id}` });
const record = (page: Page, id: string) =>
  inspector(page).getByRole('tabpanel', { name: 'Record' }).getByText(`"${id}"`);

async function openList(page: Page, width: number, path = '/paymentlist'): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.goto(path);
  await page.getByRole('columnheader').first().waitFor({ state: 'attached' });
  await settled(page);
}

/** The place of list and inspector: null for an inspector that is not shown. */
async function places(page: Page) {
  const list = await page.getByRole('table').boundingBox();
  const shown = (await inspector(page).isVisible()) ? await inspector(page).boundingBox() : null;
  return list && { width: Math.round(list.width), beside: shown && shown.x >= list.x + list.width - 1, below: shown && shown.y >= list.y + list.height }; // prettier-ignore
}

describe('choosing a row of a list', () => {
  it.each([1440, 1024])(
    'opens its record beside the list at %i, and closing it gives the width back (behaviour 10.16.4, 10.16.5)',
    async (width) => {
      const { page, errors } = visiting();
      await openList(page, width);
      const before = await places(page);
      expect(before?.beside).toBe(null);
      const [newest = '', older = ''] = batchIds;
      // Anywhere in the row.
      await page.getByRole('row', { name: newest }).getByRole('cell').nth(2).click();
      await record(page, newest).waitFor();
      await inspector(page)
        .getByRole('button', { name: /POST .*batchpayments/ })
        .waitFor();
      expect(await places(page)).toMatchObject({ beside: true });
      await page.getByRole('button', { name: `Poll For Update of batch ${older}` }).click({ trial: true });
      await row(page, older).click();
      await record(page, older).waitFor();
      await page.waitForURL((url) => url.search === `?record=${older}`);
      await page.reload();
      await record(page, older).waitFor();
      await page.getByRole('button', { name: 'Close inspector' }).click();
      expect(await places(page)).toEqual(before);
      expect((await focusOf(page)).what).toContain('BUTTON');
      expect(await row(page, older).evaluate((button) => button === document.activeElement)).toBe(true);
      expect(errors).toEqual([]);
    },
  );

  it.each([1440, 1300, 1024, 390])(
    'leaves every column and action of the subscriptions in sight at %i (behaviour 4.41, 10.16.7)',
    async (width) => {
      const { page } = visiting();
      await openList(page, width, '/subscriptionlist');
      await page
        .getByRole('button', { name: /^Inspect subscription/ })
        .first()
        .click();
      await inspector(page).getByText('"subscriptionId"').waitFor();
      const list = page.getByRole('region', { name: 'subscriptions' });
      expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBeLessThanOrEqual(0);
      const cells = page.getByRole('row').nth(1).getByRole('cell');
      expect(await cells.evaluateAll((all) => all.map((each) => (each as HTMLElement).dataset['title']))).toEqual([
        'SubscriptionId',
        'ProviderId',
        'Mock Provider',
        'Status',
        'Auth',
        'Update',
        'Suspend',
      ]);
      for (const cell of await cells.all()) expect(await cell.isVisible()).toBe(true);
      for (const verb of ['Update', 'Suspend'])
        expect(await page.getByRole('button', { name: new RegExp(`^${verb} subscription`) }).count()).toBe(2);
      if (width === 1440) expect(await page.getByRole('columnheader', { name: 'Suspend' }).isVisible()).toBe(true);
    },
  );

  it('works by keyboard: Enter opens, the arrow keys move, Escape closes (behaviour 10.16.5)', async () => {
    const { page } = visiting();
    await openList(page, 1440);
    const [newest = '', older = ''] = batchIds;
    await row(page, newest).focus();
    await page.keyboard.press('Enter');
    await record(page, newest).waitFor();
    await page.keyboard.press('ArrowDown');
    await record(page, older).waitFor();
    expect(await row(page, older).evaluate((button) => button === document.activeElement)).toBe(true);
    expect(await row(page, older).getAttribute('aria-expanded')).toBe('true');
    await page.getByRole('tab', { name: 'Request' }).focus();
    await page.keyboard.press('Escape');
    expect((await places(page))?.beside).toBe(null);
    expect(await row(page, older).evaluate((button) => button === document.activeElement)).toBe(true);
    await page.waitForURL((url) => url.search === '');
  });

  it('shows it below the list on a narrow page, and scrolls there (behaviour 10.16.7)', async () => {
    const { page } = visiting();
    await openList(page, 390);
    const [newest = ''] = batchIds;
    await inspector(page).waitFor();
    expect(await places(page)).toMatchObject({ below: true });
    await row(page, newest).click();
    await record(page, newest).waitFor();
    expect(await places(page)).toMatchObject({ below: true });
    expect(await inspector(page).evaluate((region) => region.parentElement?.parentElement === document.activeElement)).toBe(true); // prettier-ignore
    await page.getByRole('button', { name: 'Close inspector' }).click();
    expect(await row(page, newest).evaluate((button) => button === document.activeElement)).toBe(true);
  });

  it('says so where the list has no such row (behaviour 10.16.6)', async () => {
    const { page } = visiting();
    await openList(page, 1440, '/paymentlist?record=nowhere');
    await inspector(page).getByText('The list no longer has this row.').waitFor();
  });
});

describe('a page of raw JSON', () => {
  it('takes the full width, with the inspector beside it on request (behaviour 10.16.8)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/providers');
    await settled(page);
    expect(await inspector(page).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Inspector', exact: true }).click();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.getByRole('region', { name: /^Chart of/ }).waitFor();
    await page.keyboard.press('Escape');
    expect(await inspector(page).isVisible()).toBe(false);
  });
});
