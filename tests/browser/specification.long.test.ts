import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { journeyOf, journeys } from '#machines/journeys.ts';
import { paymentForm } from '#rules/field.ts';
import { apiAt } from '#tests/support/api.ts';
import { onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { arrive, batchStatus, choose, enter, payButton, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

let api: ReturnType<typeof apiAt>;
let page: Page;

/** One console for all, whose user has got to the end of the guided path, so that no gate is closed. */
const { visiting } = sharedConsole(async ({ url }) => {
  api = apiAt(url);
  await onboard(api);
  const { provider, subscriptionId } = await subscribe(api);
  await pay(api, subscriptionId, paymentForm(provider.accountType.validationRules));
});
beforeEach(() => ({ page } = visiting()));

const statusBar = () => page.getByRole('contentinfo', { name: 'Status' });

describe('behaviour, section 2, in the browser', () => {
  it('every menu label leads to its route, whose heading it is', async () => {
    await page.goto('/');
    const menu = page.getByRole('navigation', { name: 'Journeys' });
    const listed = Object.values(journeys).map(({ id }) => journeyOf(id));
    // Which heading each route has: screens.test.ts.
    for (const group of new Set(listed.flatMap((journey) => journey.group ?? []))) {
      await menu.getByRole('button', { name: group }).click();
      const inGroup = listed.filter((journey) => journey.group === group);
      for (const { title, path } of inGroup)
        await menu.locator(`a[href="${path}"]`).filter({ hasText: title }).waitFor();
      const { title, path } = inGroup.at(-1)!; // it is a journey's
      await menu.locator(`a[href="${path}"]`).click();
      await arrive(page, title);
      expect(new URL(page.url()).pathname).toBe(path);
    }
    expect(visiting().errors).toEqual([]);
  });

  it('/additionaldata is reached by its address alone, an unknown address has a page of its own', async () => {
    await page.goto('/additionaldata');
    await arrive(page, 'Additional Data');
    await page.goto('/nowhere');
    await arrive(page, 'Page not found');
    expect(await page.locator('a[href="/additionaldata"]').count()).toBe(0);
  });

  it('/settings are saved at once and shown in the status bar', async () => {
    await page.goto('/settings');
    await enter(page, { 'File format country': 'ZA', Language: 'en-GB' });
    await statusBar().getByText('FF Ctry: ZA').waitFor();
    await statusBar().getByText('Lang: en-GB').waitFor();
    await page.reload();
    await statusBar().getByText('FF Ctry: ZA').waitFor();
    await enter(page, { 'File format country': 'GB', Language: 'en' });
    await statusBar().getByText('Lang: en', { exact: true }).waitFor();
  });

  it('the two health pages show Status, Version, Branch and Name', async () => {
    for (const path of ['/consumerhealth', '/messaginghealth']) {
      await page.goto(path);
      const [headers, cells] = [page.getByRole('columnheader'), page.getByRole('cell')];
      await cells.first().waitFor();
      expect(await headers.allInnerTexts()).toEqual(['Status', 'Version', 'Branch', 'Name']);
      expect((await cells.allInnerTexts()).every((text) => text.trim() !== '')).toBe(true);
    }
  });

  it('/translation gives each text of a bank file rule and of a provider’s rule', async () => {
    await page.goto('/translation');
    const found = page.getByRole('region', { name: 'Translation' });
    await enter(page, { Provider: 'Larkfield Bacs Bureau' });
    const rules = page.getByRole('combobox', { name: 'Rule', exact: true });
    await rules.fill('nothing like that');
    await page.getByText('No results for "nothing like that"').waitFor();
    await rules.fill('Sort code (Subscriptions');
    await rules.press('Enter');
    for (const [text, expected] of [
      ['uiLabel', 'Sort code'],
      ['description', 'Six digits without dashes'],
      ['errorMessage', 'Sort code: enter six digits without dashes, such as 112233'],
      ['example', '112233'],
    ] as const) {
      await enter(page, { Text: text });
      await found.getByText(expected, { exact: true }).waitFor();
    }
    await enter(page, { 'Rules of': 'Bank file rules', Text: 'uiLabel' });
    await enter(page, { 'Bank file template': 'Bacs Standard 18' });
    await rules.fill('Serial number');
    await rules.press('Enter');
    await found.getByText('Serial number', { exact: true }).waitFor();
  });

  it('/bankfiles and /providers show raw JSON for the country and language chosen there', async () => {
    await page.goto('/bankfiles');
    await enter(page, { 'Bank file country': 'FR', Language: 'fr-FR' });
    await page
      .getByRole('group', { name: 'bank file templates' })
      .getByText('Virements internationaux, 320 colonnes')
      .waitFor();
    await page.goto('/providers');
    await enter(page, { 'Provider country': 'CA', Language: 'fr-CA' });
    await page.getByRole('group', { name: 'providers' }).getByText('Tamarack Lake EFT').waitFor();
  });

  it('/etransfer opens the transfer request page in a new tab and shows it in a frame', async () => {
    await page.goto('/etransfer');
    const frame = page.frameLocator('iframe[title="Transfer request page"]');
    await frame.getByRole('heading', { name: 'Request a transfer' }).waitFor();
    const opening = page.context().waitForEvent('page');
    await press(page, 'Pay $1000.00');
    const tab = await opening;
    await tab.getByText('Ask someone to send you 1000.00 USD').waitFor();
    expect(new URL(tab.url()).pathname).toBe('/etransfer/request');
    expect(visiting().errors).toEqual([]);
  });
});

describe('behaviour, section 8, in the browser', () => {
  it('errors of a batch: the table names target, message, code, index, resourceId and sourceId (behaviour 8.3)', async () => {
    await api.done('setSetting', { body: { key: 'fileFormatCountry', value: 'AU' } });
    await page.goto('/filepayments');
    // British accounts in an Australian file: the file's rules are not the form's.
    await enter(page, { 'Bank file template': 'ABA direct entry' });
    await enter(page, {
      'Approval reference': 'RUN-001',
      Purpose: 'Suppliers',
      'Bank code': 'XYZ',
      'Name of the user': 'Applewick Ltd',
      'Direct entry user number': '123456',
      'Description of the entries': 'SUPPLIERS',
    });
    await choose(page.getByLabel('Bank account', { exact: true }), 1);
    // The first ones are paid already; those that are not are listed before them.
    await page
      .getByLabel(/^Pay invoice/)
      .first()
      .check();
    await press(page, 'Review');
    // The page does not offer to pay it; a program can.
    expect(await payButton(page).getAttribute('aria-disabled')).toBe('true');
    const { data: formats } = await api.done('getFileFormats');
    const { fileFormatId, specification } = formats.find(({ name }) => name === 'ABA direct entry')!; // chosen above
    const { subscriptionId } = await api.done('getSettings');
    const batchId = await pay(api, subscriptionId, paymentForm([], specification.rules), fileFormatId);
    await page.goto(`/getbatch?batchId=${batchId}`);
    await batchStatus(page, 'Rejected').waitFor();
    const table = page.getByRole('table').filter({ hasText: 'sourceId' });
    const headers = await table.getByRole('columnheader').allInnerTexts();
    expect(headers.map((header) => header.replace(/\W/g, ''))).toEqual([
      'target',
      'message',
      'code',
      'index',
      'resourceId',
      'sourceId',
    ]);
    const bsb = table.getByRole('row').filter({ hasText: 'payments.creditorAgent.identification' }).first();
    await bsb.getByText('RegexFailure').waitFor();
    await bsb.getByText('BSB: enter six digits with a dash in the middle').waitFor();
    await api.done('setSetting', { body: { key: 'fileFormatCountry', value: 'GB' } });
  });
});
