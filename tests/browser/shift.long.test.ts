import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { apiAt } from '#tests/support/api.ts';
import { pay, walk } from '#tests/support/guidedPath.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(async (console) => {
  const api = apiAt(console.url);
  const { subscriptionId, rules } = await walk(api);
  await pay(api, subscriptionId, paymentForm(rules), undefined, true);
}, 'each');

/** Adds up how far the parts of a page shift without anything that a user does (the layout shift of the browser). */
const addShifts = `
  shifted = 0;
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifted += value;
  }).observe({ type: 'layout-shift', buffered: true });`;

const shown = {
  'The finished home page': async (page: Page) => {
    await page.goto('/');
    await page.getByRole('heading', { name: /^Batches/ }).waitFor();
    await page.getByRole('heading', { name: 'Practise failures' }).waitFor();
  },
  'The page of a batch': async (page: Page) => {
    await page.goto('/getbatch');
    await page.getByRole('list', { name: 'History' }).waitFor();
    await page.getByRole('table', { name: /payments/ }).waitFor();
  },
};

describe.each(Object.entries(shown))('%s', (_, open) => {
  it.each([1440, 390])('shifts by less than 0.02 until it is drawn, %i px wide (behaviour 10.18.1)', async (width) => {
    const { page } = visiting();
    await page.setViewportSize({ width, height: 900 });
    await page.addInitScript(addShifts);
    await open(page);
    await settled(page);
    await page.waitForTimeout(1500);
    expect(await page.evaluate('shifted')).toBeLessThan(0.02);
  });
});
