import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { parseWalks, plain } from '#runner/file.ts';
import type { Walk } from '#runner/actions.ts';
import { apiAt } from '#tests/support/api.ts';
import { approve } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';
import { fileOf } from '#tests/support/journeyFile.ts';

const { visiting, program } = sharedConsole();
const bar = (page: Page) => page.getByRole('region', { name: 'Script run' });
const said = (page: Page, text: string | RegExp) => bar(page).getByText(text).waitFor();

async function open(page: Page, text: string): Promise<void> {
  await page.goto('/run');
  await page
    .getByLabel('Open a script')
    .setInputFiles({ name: 'journeys.json', mimeType: 'application/json', buffer: Buffer.from(text) });
}

const settings = { providerCountry: 'GB', fileFormatCountry: 'GB', acceptLanguage: 'en', useNetwork: 'false' };
const walks: Walk[] = [
  { journey: 'settings', values: settings, choices: {} },
  plain('organisation'),
  { journey: 'company', values: { name: 'From a file Ltd' }, choices: {} },
  ...(['accessToken', 'subscription', 'authorisation', 'debtor'] as const).map(plain),
  { journey: 'creditor', values: { 'creditor.name': 'First Ltd' }, choices: {} },
  { journey: 'creditor', values: { 'creditor.name': 'Second Ltd' }, choices: {} },
  { journey: 'electronicPayment', values: {}, choices: { invoices: 3 } },
  plain('batch'),
];

describe('a file of journeys', () => {
  it('runs in the page, the user decides at the provider, and the steps are saved as a file (behaviour 10.19.5)', async () => {
    const { page, errors } = visiting();
    await open(page, fileOf(walks));
    await page.getByRole('button', { name: 'Run these 11 journeys' }).click();
    await said(page, /Decide on the provider’s page/);
    await approve(page);
    await said(page, 'All 11 journeys are done.');
    const facts = await apiAt(program().url).done('getFacts');
    expect(facts).toMatchObject({ creditors: 2, debtors: 1, batches: 1, batchStatus: 'Completed' });
    expect(facts.companies.map(({ companyName }) => companyName)).toEqual(['From a file Ltd']);

    await bar(page).getByRole('link', { name: 'Show journeys' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as script' }).click();
    const path = join(mkdtempSync(join(tmpdir(), 'journeys-')), 'journeys.json');
    await (await saving).saveAs(path);
    const text = readFileSync(path, 'utf8');
    const saved = parseWalks(text);
    expect(saved.map(({ journey }) => journey)).toEqual(walks.map(({ journey }) => journey));
    expect(saved[2]?.values).toMatchObject({ name: 'From a file Ltd', contactEmail: 'accounts@example.com' });
    expect(saved[8]?.values).toMatchObject({ 'creditor.name': 'Second Ltd' });
    expect(saved[9]?.choices).toMatchObject({ invoices: 3 });
    expect(text).not.toMatch(/signingkey|eyJ/i);
    expect(errors).toEqual([]);
  });

  it('continues after a login, which leaves the page (behaviour 10.19.5)', async () => {
    const { page } = visiting();
    await open(page, fileOf(['userToken', 'account'].map((id) => plain(id as 'account'))));
    await page.getByRole('button', { name: 'Run these 2 journeys' }).click();
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await said(page, /The run has stopped at journey 1 of 2, .+\. Log in, then continue here/);
    await bar(page).getByRole('button', { name: 'Continue' }).click();
    await said(page, 'All 2 journeys are done.');
    await bar(page).getByRole('button', { name: 'Dismiss' }).click();
    await bar(page).waitFor({ state: 'detached' });
  });

  it('is refused with what is wrong, where, and what would be right', async () => {
    const { page } = visiting();
    await open(page, '{"kind":"payments-out-journeys","version":1,"journeys":["pay"]}');
    await page.getByRole('alert').filter({ hasText: 'journeys[0].journey is "pay", which is not a journey' }).waitFor();
    expect(await page.getByRole('button', { name: /^Run / }).count()).toBe(0);
  });
});
