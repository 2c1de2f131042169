import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { focusOf } from './keyboard.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  await onboard(api);
  await subscribe(api);
});

const firstInvoice = (page: Page) =>
  page
    .getByRole('checkbox', { name: /^Pay invoice/ })
    .first()
    .getAttribute('aria-label');
const filter = (page: Page) => page.getByRole('searchbox', { name: 'Filter invoices' });
const address = (page: Page, search: string) => page.waitForURL((url) => url.search === search);

describe('a list of ten thousand invoices', () => {
  it('is filtered, sorted and paged; the address keeps that, and typing goes on meanwhile (behaviour 10.7.1, 10.12.1)', async () => {
    const { page, errors } = visiting();
    await page.goto('/electronicpayments?invoices=10000');
    await filter(page).click();
    await page.keyboard.type('inv-099');
    await address(page, '?invoices=10000&q=inv-099');
    expect((await focusOf(page)).what).toContain('INPUT');
    await page.keyboard.type('9');
    await page.getByRole('table', { name: '10 of 10000 invoices' }).waitFor();
    await page.keyboard.press('Backspace');
    await page.getByRole('columnheader', { name: 'Invoice' }).getByRole('button').dblclick();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await address(page, '?invoices=10000&q=inv-099&sort=-invoiceId&page=2');
    expect(await firstInvoice(page)).toMatch(/^Pay invoice INV-09949-/);
    await page.reload();
    expect(await firstInvoice(page)).toMatch(/^Pay invoice INV-09949-/);
    await page.getByRole('link', { name: 'Payments Out Console' }).click();
    await page.getByRole('heading', { name: 'Guided path' }).waitFor();
    await page.goBack();
    expect(await filter(page).inputValue()).toBe('inv-099');
    expect(await firstInvoice(page)).toMatch(/^Pay invoice INV-09949-/);
    expect(errors).toEqual([]);
  });
});
