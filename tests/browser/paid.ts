import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { batchStatus } from './guidedSteps.ts';

/** The invoices that an electronic payment selects by default. */
const selected = 8;

/** The batch that ends the guided path is completed, with each of its payments, and the page has seen it come to that. */
export async function expectPaid(page: Page): Promise<void> {
  await page.getByText('the guided path is complete').waitFor();
  await expectPayments(page);
}

/** The batch is completed, with each of its payments; it may have been so when the page was opened. */
async function expectPayments(page: Page): Promise<void> {
  await batchStatus(page, 'Completed').waitFor();
  const payments = page
    .getByRole('table')
    .filter({ hasText: 'Reference' })
    .getByRole('row')
    .filter({ hasText: 'INV-' });
  expect(await payments.count()).toBe(selected);
  expect(await payments.filter({ hasText: 'Completed' }).count()).toBe(selected);
}

/** The timeline says which step of which journey made each write, and what the service was asked for it. */
export async function expectTold(url: string): Promise<void> {
  const { done } = apiAt(url);
  for (const journey of ['organisation', 'company', 'subscription', 'debtor', 'creditor', 'electronicPayment']) {
    const { data } = await done('getTimeline', { query: { journey, limit: '100' } });
    const writes = data.filter(({ kind, method, step }) => kind === 'call' && method === 'POST' && step !== '');
    expect(writes, journey).not.toEqual([]);
    const asked = data.filter(
      ({ kind, interactionId }) => kind === 'service' && interactionId === writes[0]!.interactionId,
    );
    expect(asked, journey).not.toEqual([]);
  }
}
