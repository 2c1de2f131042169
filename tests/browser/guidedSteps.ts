import type { Locator, Page } from 'playwright-core';

/** What a user types or chooses: the control's label and the value, or the option's text for a list. */
type Entries = Readonly<Record<string, string>>;

async function enter(page: Page, entries: Entries): Promise<void> {
  for (const [label, value] of Object.entries(entries)) {
    const control = page.getByLabel(label, { exact: true });
    const isList = await control.evaluate((element) => element.tagName === 'SELECT');
    await (isList ? control.selectOption({ label: value }) : control.fill(value));
  }
}

const press = (scope: Pick<Page, 'getByRole'>, name: string) =>
  scope.getByRole('button', { name, exact: true }).click();

/** Waits until the page of that title is open. */
export const arrive = (page: Page, title: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();

export async function goHome(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('heading', { name: 'Guided path' }).waitFor();
}

/** The primary button of the home page. */
export const goOn = (page: Page): Promise<void> =>
  page.getByRole('link', { name: /^(Start|Continue with .+)$/ }).click();

/** What a step that is done offers. */
const offer = (page: Page): Locator => page.getByRole('button', { name: /^Next: / });

export const goNext = (page: Page): Promise<void> => offer(page).click();

const fillIn = (entries: Entries, submit: string) => async (page: Page) => {
  await enter(page, entries);
  await press(page, submit);
};

async function logIn(page: Page): Promise<void> {
  await press(page, 'Log in');
  await arrive(page, 'Log in to the sandbox');
  await enter(page, { Name: 'Sandbox User', 'E-mail': 'user@example.com' });
  await press(page, 'Log in');
  await arrive(page, 'Get User Token');
}

async function subscribe(page: Page): Promise<void> {
  await enter(page, { 'Select Provider': 'Larkfield Bacs Bureau' });
  await enter(page, {
    'Service user number': '654321',
    'Sort code': '112233',
    'Account number': '12345678',
    Signatory: 'Finance Director',
  });
  await press(page, 'Create Subscription');
}

/** Opened at once, the provider's page may still be in the making; it comes by itself. */
async function authorise(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Authorise subscription/ }).click();
  await press(page.frameLocator('iframe[title^="Authorise page of"]'), 'Approve');
  await page.getByRole('cell', { name: 'Authorised', exact: true }).waitFor();
}

async function review(page: Page): Promise<void> {
  await page.getByLabel('Bank account', { exact: true }).selectOption({ index: 1 });
  await page.getByLabel('Select all').check();
  await press(page, 'Review');
  await page.getByRole('heading', { name: 'Review before paying' }).waitFor();
}

/** Chooses everything that there is to pay, up to the review. */
export async function choosePayment(page: Page): Promise<void> {
  await arrive(page, 'Electronic Payments');
  await enter(page, { 'Approval reference': 'RUN-001', Purpose: 'Suppliers' });
  await review(page);
}

/** The same for a bank file. */
export async function chooseFilePayment(page: Page): Promise<void> {
  await arrive(page, 'File Payments');
  await enter(page, { 'Bank file template': 'Bacs Standard 18' });
  await enter(page, {
    'Approval reference': 'RUN-001',
    Purpose: 'Suppliers',
    'Serial number': '000001',
    'Service user number': '654321',
    'Name of the user': 'Applewick Ltd',
  });
  await review(page);
}

/** From the review to the batch. */
export async function pay(page: Page): Promise<void> {
  await press(page, 'Pay');
  await goNext(page);
  await arrive(page, 'Get Batch');
}

/** The batch's status on its page, once it is that. */
export const batchStatus = (page: Page, status: string): Locator =>
  page.getByRole('status').filter({ hasText: new RegExp(`^\\W*${status}$`) });

/** The rows of the guided path up to the payment: the page's title, and what a user does there. */
const guidedSteps: readonly { title: string; act: (page: Page) => Promise<void> }[] = [
  {
    title: 'Settings',
    act: (page) => enter(page, { 'Provider country': 'GB', 'File format country': 'GB' }),
  },
  {
    title: 'Create Organisation',
    act: fillIn(
      {
        'Sage CRM id': 'CRM-000123',
        'Primary country': 'GBR',
        'Admin e-mail': 'admin@example.com',
        'Default language': 'EN',
      },
      'Create Organisation',
    ),
  },
  {
    title: 'Create Company',
    act: fillIn(
      {
        Name: 'Example Trading Ltd',
        'External id': 'company-0001',
        'Tax number': 'GB123456789',
        'Standard industrial code': '62012',
        'Contact telephone number': '+44 20 7946 0000',
        'Contact e-mail': 'accounts@example.com',
      },
      'Create Company',
    ),
  },
  { title: 'Get Access Token', act: (page) => page.getByText('Masked', { exact: true }).waitFor() },
  { title: 'Get User Token', act: logIn },
  { title: 'Create Account', act: fillIn({ 'External id': 'account-0001' }, 'Create Account') },
  {
    title: 'Create DataSet',
    act: fillIn(
      { Name: 'Purchase ledger', Country: 'GB', 'External id': 'dataset-0001', 'External source': 'example-ledger' },
      'Create DataSet',
    ),
  },
  { title: 'Create with OnBoarding', act: subscribe },
  { title: 'List', act: authorise },
  {
    title: 'Create Debtor',
    act: fillIn(
      {
        'Account name': 'Trading account',
        'Sort code': '112233',
        'Account number': '12345678',
        Currency: 'Pound sterling',
      },
      'Create Debtor',
    ),
  },
  {
    title: 'Create Creditor',
    act: fillIn(
      { 'Payee name': 'Orchard Supplies Ltd', 'Sort code': '445566', 'Account number': '87654321' },
      'Create Creditor',
    ),
  },
];

/**
 * From the home page through every step before the payment. `onwards` goes from the step of that title, which is done,
 * to the next one.
 */
export async function prepare(page: Page, onwards: (title: string) => Promise<void>): Promise<void> {
  await goHome(page);
  await goOn(page);
  for (const { title, act } of guidedSteps) {
    await arrive(page, title);
    await act(page);
    await offer(page).waitFor();
    await onwards(title);
  }
}
