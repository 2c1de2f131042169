import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { choosePayment, chooseSubscription, confirmAnother, enter, entries, payButton, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

const { visiting, program } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  await onboard(api);
  await subscribe(api, 'Larkfield Bacs Bureau');
});
const api = () => apiAt(program().url);
const field = (page: Page) => page.getByLabel('External id', { exact: true });

/** Opens the form of another account. */
async function openAnother(page: Page): Promise<void> {
  await page.goto('/createaccount');
  await confirmAnother(page);
  await field(page).waitFor();
}

const accountId = async () => (await api().done('getSettings')).accountId;

/** Presses the buttons of several tabs at the same instant. What one of them brings about may take another away meanwhile. */
async function pressAtOnce(...buttons: readonly Locator[]): Promise<void> {
  const pressed = await Promise.all(buttons.map((button) => button.elementHandle()));
  await Promise.all(pressed.map((each) => each.evaluate((button) => (button as HTMLElement).click()))); // of a button
}

/** Creates an account in a page, and gives its id. */
async function create(page: Page, externalId: string): Promise<string> {
  const before = await accountId();
  await field(page).fill(externalId);
  await press(page, 'Create account');
  await expect.poll(accountId).not.toBe(before);
  return accountId();
}

describe('the form of an account whose outcome is unknown', () => {
  it('says so, and can be sent again under its key, after another tab has created one (behaviour 4.26, 6.5)', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    for (const each of [page, other]) await openAnother(each);
    await api().done('setFault', {
      body: { on: 'call', of: 'createAccount', fault: { kind: 'answerLost' }, times: 1, probability: 1, seed: 1 },
    });
    await field(page).fill('LOST-5');
    await press(page, 'Create account');
    const resend = page.getByRole('button', { name: 'Resend with the same key' });
    await resend.waitFor();
    await field(other).fill('SECOND-6');
    await press(other, 'Create account');
    await other.getByText('may have created one. The connection closed before a response').waitFor();
    const second = await create(other, 'SECOND-6');
    await page.getByText('It may have taken effect').waitFor();
    await expect.poll(accountId).toBe(second);
    await resend.click();
    await page.waitForURL(({ pathname }) => pathname === '/');
    expect(await accountId(), 'the first one, which the service has made').not.toBe(second);
    await other.close();
  });
});

describe('what another tab has obtained', () => {
  it('is paid once: the review of the other tab says that its invoices are paid (behaviour 4.64)', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    for (const each of [page, other]) {
      await each.goto('/electronicpayments');
      await choosePayment(each);
    }
    const before = (await api().done('getFacts')).batches;
    await other.waitForTimeout(2 * doubleClick); // Pay takes no press that could be the second of a double click
    await pressAtOnce(payButton(page), payButton(other));
    const told = (each: Page) =>
      each
        .getByText(/paid already|is paid or may be|are paid or may be/)
        .first()
        .waitFor();
    const paid = (each: Page) => each.waitForURL(({ pathname }) => pathname === '/');
    await Promise.any([Promise.all([paid(page), told(other)]), Promise.all([paid(other), told(page)])]);
    expect((await api().done('getFacts')).batches).toBe(before + 1);
    await other.close();
  });
});

/**
 * The forms before which the console asks: where, what is typed, differently in each tab, and what there is. Another company or
 * organisation makes those before it unreachable: it comes last.
 */
const asking = [
  {
    name: 'account',
    call: 'createAccount',
    path: '/createaccount',
    type: (page: Page, tab: string) => enter(page, { ...entries.account, 'External id': `account-${tab}` }),
    there: async () => [(await api().done('getSettings')).accountId],
  },
  {
    name: 'data set',
    call: 'createDataset',
    path: '/createdataset',
    type: (page: Page, tab: string) => enter(page, { ...entries.dataset, 'External id': `set-${tab}` }),
    there: async () => [(await api().done('getSettings')).dataSetId],
  },
  {
    name: 'subscription',
    call: 'createSubscription',
    path: '/onboardingsubscription',
    type: async (page: Page, tab: string) => {
      await chooseSubscription(page);
      await enter(page, { Signatory: `Director ${tab}` });
    },
    there: async () =>
      (JSON.parse((await api().done('getSettings')).subscriptions) as SubscriptionRecord[]).map(
        ({ subscriptionId }) => subscriptionId,
      ), // the server's records
  },
  {
    name: 'company',
    call: 'createCompany',
    path: '/createcompany',
    type: (page: Page, tab: string) => enter(page, { ...entries.company, Name: `Company ${tab}` }),
    there: async () => (await api().done('getFacts')).companies.map(({ companyId }) => companyId),
  },
  {
    name: 'organisation',
    call: 'createOrganisation',
    path: '/createorganisation',
    type: (page: Page, tab: string) =>
      enter(page, { ...entries.organisation, 'Admin e-mail': `admin-${tab}@example.com` }),
    there: async () => (await api().done('getFacts')).companies.map(({ organisationId }) => organisationId),
  },
] as const;

describe.each(asking)('two forms of an $name in two tabs', ({ name, call, path, type, there }) => {
  const submit = name === 'subscription' ? 'Create Subscription' : `Create ${name}`;
  const again = (page: Page) => page.getByRole('button', { name: 'Create another', exact: true });
  const created = (page: Page) => page.waitForURL(({ pathname }) => pathname === '/');

  async function open(page: Page, tab: string): Promise<void> {
    await page.goto(path);
    if (name !== 'subscription') await confirmAnother(page);
    await type(page, tab);
  }

  /** How many were created, by the timeline. */
  const requests = async () =>
    (await api().done('getTimeline', { query: { kind: 'call', status: '200', name: call, limit: '100' } })).data.length;

  it('pressed at the same instant create one, and the other tab asks (behaviour 6.5)', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    await open(page, 'one');
    await open(other, 'two');
    const before = new Set(await there());
    const sent = await requests();
    await pressAtOnce(...[page, other].map((each) => each.getByRole('button', { name: submit, exact: true })));
    const asked = await Promise.any(
      [
        [page, other],
        [other, page],
      ].map(async ([first, second]) => {
        await created(first!);
        await again(second!).waitFor();
        return second!;
      }),
    );
    expect((await there()).filter((id) => !before.has(id))).toHaveLength(1);
    expect(await requests()).toBe(sent + 1);
    await asked.getByRole('alert').getByText('meanwhile').waitFor();
    await again(asked).click();
    await press(asked, submit);
    await created(asked);
    expect(await requests()).toBe(sent + 2);
    await other.close();
  });
});
