import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { apiAt } from '#tests/support/api.ts';
import { onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { labAt } from '#tests/support/lab.ts';
import { batchStatus, choose, chooseFilePayment, payButton, press } from './guidedSteps.ts';
import { faultsOf } from './screen.ts';
import { sharedConsole } from './shared.ts';

/** The rule of the payee's reference in the Bacs file. */
const rule = 'Detail1-65-82';

/** Posts a batch of this format by the API, where nothing keeps it from being rejected. */
let post: (format: string) => Promise<string>;

const { visiting } = sharedConsole(async ({ url, sandboxUrl }) => {
  await labAt(sandboxUrl).set({ on: 'definition', of: 'fileFormat', fault: { kind: 'ruleRegex', rule, regex: '^9' } });
  const api = apiAt(url);
  await onboard(api);
  const { subscriptionId, rules } = await subscribe(api, 'Larkfield Bacs Bureau');
  post = async (name) => {
    const format = (await api.done('getFileFormats')).data.find((each) => each.name === name)!; // it is offered
    return pay(api, subscriptionId, paymentForm(rules, format.specification.rules), format.fileFormatId);
  };
});

const linesOf = (page: Page) => page.getByRole('region', { name: 'Lines', exact: true });

it('the lines of a bank file are shown before it is sent, failing cells marked, and the service says the same (behaviour 5.10, 10.9.5)', async () => {
  const { page } = visiting();
  await page.goto('/filepayments');
  await chooseFilePayment(page);
  const says = page.getByText(/^\d+ values break their rules: the service would reject this batch$/);
  await says.waitFor();
  const broken = Number.parseInt(await says.innerText(), 10);
  const failing = linesOf(page).locator('[data-text] [title^="65-82 Reference: "]');
  expect(broken).toBeGreaterThan(1);
  expect(await failing.count()).toBe(broken);
  const looks = await failing.evaluateAll((cells) =>
    cells.map((cell) => [cell.textContent.length, getComputedStyle(cell).textDecorationStyle]),
  );
  expect(new Set(looks.map(String))).toEqual(new Set(['18,wavy']));
  const link = page.getByRole('button', { name: /^Line \d+, columns 65-82$/ }).nth(1);
  const [number = ''] = /\d+/.exec(await link.innerText()) ?? [];
  await link.click();
  const heading = page.getByRole('heading', { name: `Line ${number}: Detail` });
  expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
  const cell = page.getByRole('row', { name: /Detail1-65-82/ });
  await cell.getByText('Enter at most 18 letters').waitFor();
  expect(await faultsOf(page)).toEqual([]);
  expect(await payButton(page).getAttribute('aria-disabled')).toBe('true');
  await page.getByText(/^\d+ values break their rules: Reference of .* Go back and correct them$/).waitFor();
  await page.goto(`/getbatch?batchId=${await post('Bacs Standard 18')}`);
  await batchStatus(page, 'Rejected').waitFor();
  await page.getByText('Reference: enter at most 18 letters').first().waitFor();
});

it('the rules of two providers, countries or languages are compared (behaviour 4.33)', async () => {
  const { page } = visiting();
  await page.goto('/providers');
  await press(page, 'Compare');
  const list = (name: string) => page.getByRole('combobox', { name, exact: true });
  const told = page.getByText(/: \d+ added, \d+ dropped, \d+ changed$/);
  const counts = async () => (await told.innerText()).match(/\d+(?= added| dropped| changed)/g)!.map(Number); // all three
  await choose(list('Rules of provider'), 'Larkfield Bacs Bureau');
  await page.getByText('The rules are the same. Choose others to see differences.').waitFor();
  expect(await counts()).toEqual([0, 0, 0]);

  await choose(list('With provider'), 'Quillmere Cheques (no queries)');
  await page.getByText(/to Quillmere Cheques/).waitFor();
  expect((await counts()).reduce((sum, each) => sum + each)).toBeGreaterThan(0);
  await choose(list('With country'), 'US');
  await page.getByText(/to Bluestem ACH Services \(US, en\)/).waitFor();
  const [added, dropped, changed] = await counts();
  expect([added, dropped].every((each) => each! > 0)).toBe(true); // other countries, other fields
  const chip = page.getByRole('button', { name: /added \d+$/ });
  expect(await chip.innerText()).toContain('✓'); // not as a status that is waited for
  const rows = page.getByRole('table', { name: `${added! + dropped! + changed!} differences` }).getByRole('row');
  await rows.filter({ hasText: 'added' }).first().waitFor();

  await page.goto('/providers?view=compare&country=CA&language=en-CA&otherCountry=CA&otherLanguage=fr-CA');
  await page.getByText(/\(CA, en-CA\) to .* \(CA, fr-CA\)/).waitFor();
  expect((await counts()).map((each) => each > 0)).toEqual([false, false, true]);
});

it('the capability matrix says what each provider can do and why an entry is blocked (behaviour 4.35)', async () => {
  const { page } = visiting();
  await page.goto('/providers?view=capabilities');
  const table = page.getByRole('table', { name: 'Provider capabilities' });
  await table.waitFor();
  const names = await table.getByRole('columnheader').allInnerTexts();
  const cell = (row: RegExp, provider: string) =>
    table
      .getByRole('row', { name: row })
      .getByRole('cell')
      .nth(names.findIndex((name) => name.includes(provider)) - 1);
  expect(await cell(/^DebtorQueries/, 'Larkfield').innerText()).toContain('yes');
  expect(await cell(/^DebtorQueries/, 'Quillmere').innerText()).toMatch(/no$/);
  expect(await cell(/^Electronic Payments/, 'Larkfield').innerText()).toContain('open');
  /** What a blocked entry says once its reason is asked for. */
  const reasonOf = async (row: RegExp, provider: string) => {
    await cell(row, provider).locator('summary').click();
    return cell(row, provider).innerText();
  };
  expect(await reasonOf(/^Create with OnBoarding/, 'Cobblewick')).toContain(
    'The selected provider does not support Subscriptions',
  );
  expect(await reasonOf(/^Create Debtor/, 'Quillmere')).toMatch(
    /No subscription, the subscription is not authorised or suspended\s+No subscription yet/,
  );
  expect(await faultsOf(page)).toEqual([]);
});
