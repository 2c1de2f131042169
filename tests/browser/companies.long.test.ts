import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { companyHeader } from '#contract/constants.ts';
import { addressOf } from '#machines/journeys.ts';
import { eventually } from '#tests/support/eventually.ts';
import { typed } from '#tests/support/bodies.ts';
import { fourCompanies, selectCompany, type Made } from '#tests/support/companies.ts';
import { confirmTotal, enter, entries, payButton, press } from './guidedSteps.ts';
import { sharedBetween } from './shared.ts';

let made: Made[];
const { visiting, api } = sharedBetween(async (server) => {
  made = await fourCompanies(server, 'Larkfield Bacs Bureau');
});

const status = (page: Page) => page.getByRole('contentinfo', { name: 'Status' });

/** Uses a company by its button on the home page, and waits until the frame shows what is its own. */
async function use(page: Page, { name, subscriptionId }: Made): Promise<void> {
  const button = page.getByRole('button', { name: `Use ${name}`, exact: true });
  if (!(await button.isVisible())) await press(page, 'Switch company');
  await button.click();
  await status(page).getByTitle(subscriptionId).waitFor();
}

describe('two organisations with two companies each', () => {
  it('are used by the tab that shows them, whatever another tab selects (behaviour 3.19; threat 6.36)', async () => {
    const { page } = visiting();
    await page.goto('/');
    await page.getByRole('button', { name: 'Switch company' }).waitFor();
    await use(page, made[0]!);
    const { organisationId } = await api().done('getSettings');
    await page.goto('/createcompany');
    await page.getByRole('button', { name: 'Create another' }).click();
    await page.getByLabel('Name', { exact: true }).waitFor();
    // Another tab goes on with another organisation.
    await selectCompany(api(), made[3]!);
    for (const [label, value] of Object.entries({ ...typed('company'), Name: 'Fifth' }))
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole('button', { name: 'Create company', exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname === '/');
    const { companies } = await api().done('getFacts');
    expect(companies.find(({ companyName }) => companyName === 'Fifth')).toMatchObject({ organisationId });
  });

  it('are used by the tab that has reviewed the payment (behaviour 3.19)', async () => {
    const { page } = visiting();
    const [payer, other] = [made[1]!, made[2]!];
    await page.goto('/');
    await page.getByRole('button', { name: 'Switch company' }).waitFor();
    await use(page, payer);
    await page.goto(addressOf('electronicPayment'));
    await enter(page, entries.electronicPayment);
    await page.getByLabel('Bank account', { exact: true }).click();
    await page.getByRole('option').last().click();
    await page.getByLabel('Select all').click();
    await press(page, 'Review');
    await confirmTotal(page);

    const tab = await page.context().newPage();
    await tab.goto('/');
    await use(tab, other);
    await payButton(page).click();
    const { companies } = await api().done('getFacts');
    const actingFor = ({ companyId }: typeof payer) => ({
      headers: { [companyHeader]: companies.find((each) => each.companyId === companyId)!.companyKey },
    });
    const batchId = await eventually(async () => {
      const { batchId } = await api().done('getSettings', actingFor(payer));
      expect(batchId).not.toBe('');
      return batchId;
    });
    // The service tells a batch only by the token of its company.
    await api().done('getBatch', { params: { batchId }, ...actingFor(payer) });
    expect(await api().refused('getBatch', { params: { batchId }, ...actingFor(other) })).toMatchObject({
      status: 404,
    });
    expect((await api().done('getSettings', actingFor(other))).batchId).toBe('');
    await status(tab).getByTitle(other.subscriptionId).waitFor();
  });

  it('are followed by another one only after a question, which opens no form when it is left (behaviour 6.5)', async () => {
    const { page } = visiting();
    await page.goto('/createorganisation');
    await page.getByRole('button', { name: 'Create another' }).waitFor();
    expect(await page.getByLabel('Sage CRM id').count()).toBe(0);
    await page.getByRole('button', { name: 'Create another' }).click();
    await page.getByLabel('Sage CRM id').waitFor();
  });
});
