import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import { apiAt } from '#tests/support/api.ts';
import { batchStatus, choosePayment, goNext, pay, prepare } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

const { program, visiting } = sharedConsole();

/** The writes that the page sends from now on. */
function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`);
  });
  return writes;
}

/** Lets a page do what it does by itself. */
async function rest(page: Page): Promise<void> {
  await page.waitForLoadState();
  await page.waitForTimeout(250);
}

describe('back, forward and reload', () => {
  it('keep what was typed and not sent', async () => {
    const { page } = visiting();
    const field = page.getByLabel('Sage CRM id', { exact: true });
    await page.goto('/');
    await page.goto('/createorganisation');
    await field.fill('CRM-000123');
    await page.goBack();
    await page.getByRole('heading', { name: 'Guided path' }).waitFor();
    await page.goForward();
    expect(await field.inputValue()).toBe('CRM-000123');
    await page.reload();
    expect(await field.inputValue()).toBe('CRM-000123');
  });

  it('repeat nothing of the whole guided path: there is still one batch', async () => {
    const { page, errors } = visiting();
    await prepare(page, () => goNext(page));
    await choosePayment(page);
    await pay(page);
    await batchStatus(page, 'Completed').waitFor();
    const writes = writesOf(page);
    const passed = new Set<string>();
    const entries = await page.evaluate(() => history.length);
    for (const turn of ['goBack', 'goForward'] as const)
      for (let entry = 1; entry < entries; entry += 1) {
        await page[turn]();
        await rest(page);
        const stop = `${turn} ${new URL(page.url()).pathname}`;
        if (turn === 'goBack' && !passed.has(stop)) {
          await page.reload();
          await rest(page);
        }
        passed.add(stop);
      }
    for (const path of ['/createorganisation', '/createaccount', '/electronicpayments'])
      expect([...passed]).toEqual(expect.arrayContaining([`goBack ${path}`, `goForward ${path}`]));
    await batchStatus(page, 'Completed').waitFor();
    const { data } = await apiAt(program().url).done('getPostedBatches');
    expect(JSON.parse(data) as BatchRecord[]).toHaveLength(1);
    expect(writes).toEqual([]);
    expect(errors).toEqual([]);
  });
});
