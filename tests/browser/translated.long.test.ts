import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { choose, choosePayment, confirmAnother, goNext, pay, prepare, press } from './guidedSteps.ts';
import { expectPaid } from './paid.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';
import { textsOf, translate, type Manner } from './translator.ts';

/** What React says of a part that was translated before it has taken it over, and that it renders anew. */
const besidesTakeover = (errors: readonly string[]) => errors.filter((each) => !each.includes('React error #418'));

/** Each text of the page is what it has rendered last, and nothing of it crashed. */
async function expectUpToDate(page: Page): Promise<void> {
  await settled(page);
  const stale = async () => {
    const { shown, rendered } = await textsOf(page);
    const at = [...rendered].findIndex((letter, place) => shown[place] !== letter);
    return shown === rendered
      ? ''
      : `“${shown.slice(at - 30, at + 60)}” in the place of “${rendered.slice(at - 30, at + 60)}”`;
  };
  await expect.poll(stale).toBe('');
  expect(await page.getByText('Unexpected Application Error').count()).toBe(0);
}

describe.each<Manner>(['replaced', 'moved'])('a page whose texts a translator of the browser has %s', (manner) => {
  const { visiting } = sharedConsole(undefined, 'all');

  it('is walked on the whole guided path without a crash or a text of before (behaviour 10.11.7)', async () => {
    const { page, errors } = visiting();
    await translate(page, manner);
    await prepare(page, async () => {
      await expectUpToDate(page);
      await goNext(page);
    });
    await choosePayment(page);
    await expectUpToDate(page);
    await pay(page);
    await expectPaid(page);
    await expectUpToDate(page);
    expect(await page.locator('font').count()).toBeGreaterThan(20);
    expect(besidesTakeover(errors)).toEqual([]);
  });

  it('follows the timeline and its filter without a crash or a text of before (behaviour 10.11.7)', async () => {
    const { page, errors } = visiting();
    await page.goto('/timeline');
    const table = page.getByRole('table', { name: 'Timeline' });
    await table.locator('[data-row]').first().click();
    await press(page, 'Sequence');
    await page.getByRole('img', { name: /^Sequence diagram/ }).waitFor();
    await expectUpToDate(page);
    await press(page, 'Messages');
    await press(page, 'Compare');
    await table.locator('[data-row]').nth(3).click();
    await expectUpToDate(page);
    await press(page, 'End comparing');
    await press(page, 'Close the entry');
    for (const segment of await page.getByRole('group', { name: 'Show' }).getByRole('button').all()) {
      await segment.click();
      await expectUpToDate(page);
    }
    expect(besidesTakeover(errors)).toEqual([]);
  });

  it('sets and stops a fault in the fault lab without a crash or a text of before (behaviour 10.11.7)', async () => {
    const { page, errors } = visiting();
    await page.goto('/sandbox#faults');
    await press(page, 'Add fault');
    const banner = page.getByRole('status', { name: 'Fault lab' });
    await banner.getByText('Response lost').first().waitFor();
    await expectUpToDate(page);
    await choose(page.getByRole('combobox', { name: 'Fault' }), 'Error status');
    await expectUpToDate(page);
    await banner.getByRole('button', { name: 'Stop all' }).click();
    await banner.getByText('Response lost').first().waitFor({ state: 'detached' });
    await expectUpToDate(page);
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      await expectUpToDate(page);
    }
    expect(besidesTakeover(errors)).toEqual([]);
  });

  it.each(['/createorganisation', '/createcompany', '/createaccount', '/createdataset'])(
    'opens the form of another record at %s (behaviour 10.11.7)',
    async (path) => {
      const { page, errors } = visiting();
      await page.goto(path);
      await page.getByRole('button', { name: 'Create another' }).waitFor();
      await confirmAnother(page);
      await page.getByRole('textbox').first().waitFor();
      await expectUpToDate(page);
      expect(besidesTakeover(errors)).toEqual([]);
    },
  );
});
