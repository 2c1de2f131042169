import type { Locator, Page } from 'playwright-core';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { typed } from '#tests/support/bodies.ts';

/** What a user types or chooses: the control's label and the value, or the option's text for a list. */
type Entries = Readonly<Record<string, string>>;

/** How a user works with controls: with a mouse, or by keyboard alone (keyboard.ts). */
export interface Hands {
  fill: (control: Locator, value: string) => Promise<void>;
  press: (control: Locator) => Promise<void>;
}

export const isList = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element.role === 'combobox');

/** The options of a list, which has to be open. */
const options = (control: Locator): Locator => control.page().getByRole('listbox').getByRole('option');

/** Chooses an option of a list by its text, or by its place among the options. */
export async function choose(control: Locator, option: string | number): Promise<void> {
  await control.click();
  const named = { name: String(option), exact: true };
  const byName = control.page().getByRole('option', named);
  const byValue = control.page().locator(`[role="option"][data-value="${option}"]`);
  await (typeof option === 'number' ? options(control).nth(option) : byName.or(byValue).first()).click();
}

/** Hands that click, and fill in at once. */
const mouse: Hands = {
  async fill(control, value) {
    await ((await isList(control)) ? choose(control, value) : control.fill(value));
  },
  press: (control) => control.click(),
};

export async function enter(page: Page, entries: Entries, hands = mouse): Promise<void> {
  for (const [label, value] of Object.entries(entries))
    await hands.fill(page.getByLabel(label, { exact: true }), value);
}

export const press = (scope: Pick<Page, 'getByRole'>, name: string, hands = mouse): Promise<void> =>
  hands.press(scope.getByRole('button', { name, exact: true }));

/**
 * Approves on the authorise page. Chromium drops what is pressed in a frame before it has painted it, so what had no
 * effect is pressed again, as a user would.
 */
export async function approve(page: Page, hands = mouse): Promise<void> {
  const frame = page.frameLocator('iframe[title^="Approval page of"]');
  const button = frame.getByRole('button', { name: 'Approve', exact: true });
  const gone = () => button.waitFor({ state: 'hidden', timeout: 2_000 });
  await hands.press(button);
  for (let tries = 0; tries < 5; tries += 1) {
    try {
      return await gone();
    } catch {
      if (await button.isVisible()) await hands.press(button);
    }
  }
  await gone();
}

/** What stands above the page that the menu calls by that title. */
function headingOf(title: string): string {
  const id = journeyOrder.find((each) => journeyOf(each).title === title);
  return (id && journeyOf(id).heading) ?? title;
}

/** The heading of the page that the menu calls by that title. */
export const pageHeading = (page: Page, title: string): Locator =>
  page.getByRole('heading', { level: 1, name: headingOf(title), exact: true });

/** The document's title of the page with that title or heading; undefined if it is neither a journey's nor the home page's. */
function documentTitleOf(title: string): string | undefined {
  if (title === 'Home') return title;
  const id = journeyOrder.find((each) => [journeyOf(each).title, journeyOf(each).heading].includes(title));
  const { group = '', title: named = '' } = id ? journeyOf(id) : {};
  return id && (group ? `${group}: ${named}` : named);
}

/**
 * Waits until the page of that title or heading is open. A step that is done has the name of its result as heading, and
 * the title in the document's title.
 */
export async function arrive(page: Page, title: string): Promise<void> {
  const titled = documentTitleOf(title);
  if (titled === undefined) return page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  await page.waitForFunction((text) => document.title.startsWith(text), titled);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

export async function goHome(page: Page): Promise<void> {
  await page.goto('/');
  await page.getByRole('heading', { name: 'Guided path', exact: true }).waitFor();
}

/** The primary button of the home page. */
export const goOn = (page: Page, hands = mouse): Promise<void> =>
  hands.press(page.getByRole('link', { name: /^(Start|Continue)$/ }));

/** What a step that is done offers. */
const offer = (page: Page): Locator => page.getByRole('button', { name: /^(Next: |Continue$)/ });

export const goNext = (page: Page, hands = mouse): Promise<void> => hands.press(offer(page));

type Act = (page: Page, hands: Hands) => Promise<void>;

/** What is entered into the forms of the guided path, by journey; all of it together is valid. */
export const entries = {
  organisation: typed('organisation'),
  company: typed('company'),
  account: typed('account'),
  dataset: typed('dataset'),
  subscription: {
    'Service user number': '654321',
    'Sort code': '112233',
    'Account number': '12345678',
    Signatory: 'Finance Director',
  },
  debtor: {
    'Account name': 'Trading account',
    'Sort code': '112233',
    'Account number': '12345678',
    Currency: 'Pound sterling',
  },
  creditor: { 'Payee name': 'Orchard Supplies Ltd', 'Sort code': '445566', 'Account number': '87654321' },
  electronicPayment: { 'Approval reference': 'RUN-001', Purpose: 'Suppliers' },
} satisfies Record<string, Entries>;

/** Opens the form of another organisation, where the page asks first because there is one already. */
export const confirmAnother = (page: Page): Promise<void> => press(page, 'Create another');

/** Fills in another organisation, up to the button. */
export async function describeAnotherOrganisation(page: Page): Promise<void> {
  await confirmAnother(page);
  await enter(page, entries.organisation);
}

const fillIn =
  (entries: Entries, submit: string): Act =>
  async (page, hands) => {
    await enter(page, entries, hands);
    await press(page, submit, hands);
  };

async function logIn(page: Page, hands: Hands): Promise<void> {
  await press(page, 'Log in', hands);
  await arrive(page, 'Log in to the sandbox');
  await enter(page, { Name: 'Sandbox User', 'E-mail': 'user@example.com' }, hands);
  await press(page, 'Log in', hands);
  await arrive(page, 'Get User Token');
}

/** Chooses a provider and fills in its form, up to the button. */
export async function chooseSubscription(page: Page, hands = mouse): Promise<void> {
  await enter(page, { 'Select Provider': 'Larkfield Bacs Bureau', ...entries.subscription }, hands);
}

async function subscribe(page: Page, hands: Hands): Promise<void> {
  await chooseSubscription(page, hands);
  await press(page, 'Create Subscription', hands);
}

/** On the guided path the provider's page opens by itself; from the list it is opened. */
async function authorise(page: Page, hands: Hands): Promise<void> {
  const offered = page.getByRole('button', { name: 'Open approval page' });
  const frame = page.locator('iframe[title^="Approval page of"]');
  await offered.or(frame).first().waitFor();
  if (await offered.isVisible()) await hands.press(offered);
  await approve(page, hands);
  await page.getByRole('cell', { name: 'Authorised', exact: true }).waitFor();
}

async function review(page: Page, hands: Hands): Promise<void> {
  await enter(page, { 'Bank account': 'Trading account ·· 5678 · GBP' }, hands);
  await hands.press(page.getByLabel('Select all'));
  await press(page, 'Review', hands);
  await page.getByRole('heading', { name: 'Review before paying' }).waitFor();
  // Until it is prepared an overlay lies over the review.
  await page.locator('main [aria-busy=true]').waitFor({ state: 'detached' });
}

/** Chooses everything that there is to pay, up to the review. */
export async function choosePayment(page: Page, hands = mouse): Promise<void> {
  await arrive(page, 'Electronic Payments');
  await enter(page, entries.electronicPayment, hands);
  await review(page, hands);
}

/** What pays is named after the total, or says that it resends. */
export const payButton = (page: Page): Locator =>
  page.getByRole('button', { name: /^(Pay [\d,.]|Resend with the same key)/ });

/** Types the total under a review, which is asked for where real money moves. */
export async function confirmTotal(page: Page): Promise<void> {
  const total = await page
    .locator('dt', { hasText: /^Total$/ })
    .locator('+ dd')
    .innerText();
  await page.getByLabel('Type the total to pay real money').fill(total);
}

/** From the review to the batch. */
export async function pay(page: Page, hands = mouse): Promise<void> {
  await hands.press(payButton(page));
  await goNext(page, hands);
  await arrive(page, 'Get Batch');
}

/** The batch's status on its page, once it is that. */
export const batchStatus = (page: Page, status: string): Locator =>
  page.getByRole('status').filter({ hasText: new RegExp(`^\\W*${status}$`) });

/** The rows of the guided path up to the payment: the page's title, and what a user does there. */
const guidedSteps: readonly { title: string; act: Act }[] = [
  {
    title: 'Settings',
    act: (page, hands) => enter(page, { 'Provider country': 'GB', 'File format country': 'GB' }, hands),
  },
  { title: 'Create Organisation', act: fillIn(entries.organisation, 'Create organisation') },
  { title: 'Create Company', act: fillIn(entries.company, 'Create company') },
  { title: 'Get Access Token', act: (page) => page.getByRole('button', { name: 'Copy the access token' }).waitFor() },
  { title: 'Get User Token', act: logIn },
  { title: 'Create Account', act: fillIn(entries.account, 'Create account') },
  { title: 'Create DataSet', act: fillIn(entries.dataset, 'Create data set') },
  { title: 'Create with OnBoarding', act: subscribe },
  { title: 'List', act: authorise },
  { title: 'Create Debtor', act: fillIn(entries.debtor, 'Create debtor') },
  { title: 'Create Creditor', act: fillIn(entries.creditor, 'Create creditor') },
];

/** Does on the page of that title what the guided path needs. */
async function perform(page: Page, title: string, hands = mouse): Promise<void> {
  const step = guidedSteps.find((each) => each.title === title);
  if (!step) throw new Error(`The guided path has no page ${title}`);
  await arrive(page, title);
  await step.act(page, hands);
}

/**
 * From the home page through every step before the payment. `onwards` goes from the step of that title, which is done, to
 * the next one.
 */
export async function prepare(page: Page, onwards: (title: string) => Promise<void>, hands = mouse): Promise<void> {
  await goHome(page);
  await goOn(page, hands);
  for (const { title } of guidedSteps) {
    await perform(page, title, hands);
    await offer(page).waitFor();
    await onwards(title);
  }
}
