import { chromium, type Page } from 'playwright-core';
import { expect, inject, it, onTestFinished } from 'vitest';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { otherService } from '#tests/support/otherService.ts';
import {
  arrive,
  batchStatus,
  confirmTotal,
  enter,
  goHome,
  goNext,
  goOn,
  payButton,
  perform,
  press,
} from './guidedSteps.ts';
import { storyOf, visit } from './visit.ts';

/** A console as its environment points it at the other service, and a browser in front of it. */
async function connected() {
  const service = await otherService();
  const browser = await chromium.connect(inject('chromium'));
  const program = await newConsole(service.environment);
  await program.start();
  service.notify(`${program.url}/notifications`);
  const visiting = await visit(browser, program.url);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail')
      console.error(await storyOf(visiting), program.printed(), service.refused.join('\n'));
    await browser.close();
    await program.remove();
  });
  return { ...visiting, service };
}

/** The steps that look otherwise than on the sandbox, by the page's title. */
const steps: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  async 'Get User Token'(page) {
    await press(page, 'Log in');
    await page.getByRole('link', { name: 'Enter' }).click();
    await arrive(page, 'Get User Token');
  },
  async 'Create with OnBoarding'(page) {
    // The only one is chosen already.
    expect(await page.getByLabel('Select Provider', { exact: true }).inputValue()).toBe('Other provider');
    await enter(page, {
      'additionalData.level': 'Two',
      'additionalData.owners.name': 'Owner',
    });
    await press(page, 'Create Subscription');
  },
  // Nothing pushes a subscription on but looking at it, and its provider's page is not one for a frame.
  async List(page) {
    const awaiting = page.getByRole('cell', { name: 'AwaitingAuthorisation', exact: true });
    await page.getByRole('cell', { name: 'UnderReview', exact: true }).waitFor();
    await press(page, 'Refresh');
    await awaiting.waitFor();
    const opening = page.waitForEvent('popup');
    await page.getByRole('link', { name: /^Authorise subscription/ }).click();
    const provider = await opening;
    await provider.getByText('It is done.').waitFor();
    await provider.close();
    await page.getByRole('cell', { name: 'Authorised', exact: true }).waitFor();
  },
  async 'Create Debtor'(page) {
    await enter(page, {
      'debtorAccount.name': 'Payer Ltd',
      'debtorAgent.identification': '112233',
      'debtorAccount.identification': '87654321',
    });
    await press(page, 'Create debtor');
  },
  async 'Create Creditor'(page) {
    await enter(page, {
      'creditor.postalAddress.countryCode': 'GB',
      'creditor.name': 'Payee Ltd',
      'creditor.postalAddress.addressLine1': '1 High St',
      'creditorAccount.identification': '12345678',
    });
    await press(page, 'Create creditor');
  },
};
const titles = [
  'Settings',
  'Create Organisation',
  'Create Company',
  'Get Access Token',
  'Get User Token',
  'Create Account',
  'Create DataSet',
  'Create with OnBoarding',
  'List',
  'Create Debtor',
  'Create Creditor',
];

/** Pays everything that is listed, with what the form asks for besides, and goes on to the batch. */
async function payBy(page: Page, entries: Readonly<Record<string, string>>, onwards: typeof goOn): Promise<void> {
  await enter(page, { ...entries, 'Bank account': 'Payer Ltd ·· 4321 · GBP' });
  await page.getByLabel('Select all').click();
  await press(page, 'Review');
  await confirmTotal(page);
  await payButton(page).click();
  await onwards(page);
  await arrive(page, 'Get Batch');
}

// Without the pages it is paid at in any run.
it('the pages lead to a payment and to a bank file on a service with other definitions and limits', async () => {
  const { page, errors, service } = await connected();
  await goHome(page);
  await goOn(page);
  for (const title of titles) {
    const step = steps[title];
    await arrive(page, title);
    await (step ? step(page) : perform(page, title));
    await goNext(page);
  }
  await arrive(page, 'Electronic Payments');
  await payBy(page, { 'payments.additionalData.purpose': 'SUPP' }, goNext);
  await batchStatus(page, 'ProcessedByBank').waitFor();

  await goHome(page);
  const menu = page.getByRole('navigation', { name: 'Journeys' });
  await press(menu, 'Payments');
  await menu.getByRole('link', { name: 'File Payments' }).click();
  await arrive(page, 'File Payments');
  const clerk = { 'userIdentification.name': 'Clerk', userNumber: '123456' };
  const file = { 'Bank file template': 'Other file', 'payments.additionalData.purpose': 'SUPP', ...clerk };
  // From the menu a success leads home.
  await payBy(page, file, goOn);
  await batchStatus(page, 'PaymentFileAvailable').waitFor();
  await page.getByRole('button', { name: 'Download bank file' }).click();
  await page.getByRole('region', { name: 'Bank file' }).getByText('High St').waitFor();

  expect(service.written.filter(({ path }) => path.endsWith('/batchpayments'))).toHaveLength(2);
  expect(service.refused).toEqual([]);
  expect(errors).toEqual([]);
});
