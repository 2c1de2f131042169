import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { dayOf } from '#contract/executionDate.ts';
import { isProcessingDay, processingDayAfter, schemes } from '#rules/bankingDays.ts';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { arrive, batchStatus, choosePayment, goNext, payButton, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

const day = 86_400_000;
const bacs = schemes.find(({ name }) => name === 'Bacs')!; // the provider's
const dayAt = (time: number): string => dayOf(new Date(time).toISOString());

/** The next day, this one included, after which the scheme rests until the third one. */
function lastBeforeWeekend(): string {
  for (let at = Date.now(); ; at += day) {
    const [today, then] = [dayAt(at), dayAt(at + 3 * day)];
    if (isProcessingDay(bacs, today) && processingDayAfter(bacs, today, 1) === then) return today;
  }
}

const { visiting } = sharedConsole(async (console) => {
  const api = apiAt(console.url);
  await onboard(api);
  await subscribe(api, 'Larkfield Bacs Bureau');
  const fault = { kind: 'returned', index: 0, reason: 'AC04', days: 1, charges: '2.50', told: 'event' } as const;
  await api.done('setFault', { body: { on: 'batch', of: 'any', fault, times: 1, probability: 1, seed: 1 } });
});

const history = (page: Page) => page.getByRole('list', { name: 'History' });

/** Sets the lab's clock a day on, by which it is so many ahead, and opens the batch again. */
async function passDay(page: Page, batch: string, ahead: number): Promise<void> {
  await page.goto('/sandbox#clock');
  await press(page, '+1 day');
  await page.getByText(`Its clock is ${ahead} d ahead`).first().waitFor();
  await page.goto(batch);
  await history(page).getByText('Processing').waitFor();
}

it('A payment on the last day before a weekend is Completed until the next banking day, on which it comes back (behaviour 4.66; wire 12.6, 12.7)', async () => {
  const { page } = visiting();
  const friday = lastBeforeWeekend();
  await page.goto('/sandbox#clock');
  await press(page, 'Process on banking days only');
  await page.goto('/electronicpayments?guided=true');
  await page.getByLabel('Execution date', { exact: true }).fill(friday);
  await choosePayment(page);
  await payButton(page).click();
  await goNext(page);
  await arrive(page, 'Get Batch');
  const batch = page.url();
  let ahead = 0;
  while (dayAt(Date.now() + ahead * day) < friday) await passDay(page, batch, (ahead += 1));
  await batchStatus(page, 'Completed').first().waitFor();
  for (const _ of ['Saturday', 'Sunday']) {
    await passDay(page, batch, (ahead += 1));
    await batchStatus(page, 'Completed').first().waitFor();
    expect(await page.getByText('came back', { exact: false }).count()).toBe(0);
  }
  await passDay(page, batch, (ahead += 1));
  const monday = dayAt(Date.parse(friday) + 3 * day);
  const says = `Came back on ${monday}: Account closed (AC04), 7.50 GBP`;
  await history(page).getByText(`${says}, charges 2.50 GBP`).waitFor();
  await batchStatus(page, 'Completed, part came back').first().waitFor();
  await page.getByText('1 came back 7.50 GBP of 10.00 GBP').waitFor();
  await page.getByText(`${says} of 10.00 GBP, charges 2.50 GBP`).waitFor();
  await page.getByRole('link', { name: 'Correct the payee' }).waitFor();
  expect(await page.getByRole('link', { name: /^Retry/ }).count()).toBe(0);
  await page.goto('/paymentlist');
  await page.getByRole('cell', { name: /Completed, part came back/ }).waitFor();
  await page.goto('/timeline');
  await page.getByRole('cell', { name: says }).waitFor();
  await page.goto('/');
  await page.getByText('Completed, part came back').first().waitFor();
}, 240_000);
