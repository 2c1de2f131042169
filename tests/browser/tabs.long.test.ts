import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { doubleClick } from '#machines/lib/doubleClick.ts';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import {
  approve,
  choosePayment,
  chooseSubscription,
  confirmAnother,
  enter,
  entries,
  payButton,
  press,
} from './guidedSteps.ts';
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

describe('the form of an account in a second tab', () => {
  it('asks first once another tab has created one, and the other tab names the one in use (behaviour 6.5)', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    await openAnother(page);
    await openAnother(other);
    await field(other).fill('SECOND-2');
    await create(page, 'FIRST-1');
    const again = other.getByRole('button', { name: 'Create another' });
    await again.waitFor();
    expect(await field(other).count()).toBe(0);
    await page.goto('/createaccount');
    await again.click();
    expect(await field(other).inputValue(), 'what was typed stays').toBe('SECOND-2');
    const second = await create(other, 'SECOND-2');
    await page.getByText(second.slice(0, 8)).first().waitFor();
    await other.close();
  });

  it('is refused and asks where it has not heard of the other one (behaviour 6.5)', async () => {
    const { page } = visiting();
    // Scripts stay with their page, which the other tests share.
    const deaf = await page.context().newPage();
    await deaf.addInitScript(() => Reflect.deleteProperty(globalThis, 'BroadcastChannel'));
    await openAnother(deaf);
    await openAnother(page);
    const first = await create(page, 'FIRST-3');
    await field(deaf).fill('SECOND-4');
    await press(deaf, 'Create account');
    await deaf.getByRole('button', { name: 'Create another' }).waitFor();
    expect(await accountId()).toBe(first);
    await deaf.close();
  });
});

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
    const second = await create(other, 'SECOND-6');
    await page.getByText('It may have taken effect').waitFor();
    await expect.poll(accountId).toBe(second);
    await resend.click();
    await page.waitForURL(({ pathname }) => pathname === '/');
    expect(await accountId(), 'the first one, which the service has made').not.toBe(second);
    await other.close();
  });
});

describe('a debtor or creditor that exists', () => {
  it.each([
    ['creditor', '/creditors', { ...entries.creditor, 'Payee name': 'Twice Ltd' }, 'Twice Ltd'],
    ['debtor', '/debtors', { ...entries.debtor, 'Account name': 'Twice' }, 'Twice'],
  ] as const)(
    'is named and asked about before a second %s, also of another tab (behaviour 4.65)',
    async (one, path, typed, name) => {
      const { page } = visiting();
      const count = async () => (await api().done('getFacts'))[one === 'debtor' ? 'debtors' : 'creditors'];
      const before = await count();
      const other = await page.context().newPage();
      await page.goto(path);
      await enter(page, typed);
      await other.goto(path);
      await enter(other, typed);
      await press(other, `Create ${one}`);
      await other.waitForURL(({ pathname }) => pathname === '/');
      await press(page, `Create ${one}`);
      await page.getByRole('alert').getByText(`${name} with the same account exists already`).waitFor();
      expect(await count()).toBe(before + 1);
      await press(page, `Create a second ${one} with these values`);
      await expect.poll(count).toBe(before + 2);
      await other.close();
    },
  );
});

describe('the examples of a form', () => {
  it('are not filled in beside what they have made, also after a reload (behaviour 10.13.3)', async () => {
    const { page } = visiting();
    const value = () => page.getByLabel('Account number', { exact: true }).inputValue();
    const fill = page.getByRole('button', { name: 'Fill with example' });
    /** The form of another one, which the page of the guided path opens on request. */
    const opened = async () => {
      const another = page.getByRole('button', { name: 'Create another', exact: true });
      await another.or(fill).first().waitFor();
      if (await another.isVisible()) await another.click();
      await fill.waitFor();
    };
    await page.goto('/creditors?guided=true');
    await opened();
    await fill.click();
    await enter(page, { 'Payee name': 'Reloaded Ltd' });
    await press(page, 'Create creditor');
    await page.getByRole('button', { name: /^(Next: |Continue$)/ }).waitFor();
    await page.reload();
    await opened();
    expect(await value()).toBe('');
    expect(await page.getByText('Filled with examples').count()).toBe(0);
    await press(page, 'Fill with example');
    await enter(page, { 'Payee name': 'Reloaded Ltd' });
    expect(await page.getByText('Filled with examples').count()).toBe(0);
    await press(page, 'Create creditor');
    await page.getByRole('alert').getByText('Reloaded Ltd with the same account exists already').waitFor();
  });
});

describe('what another tab has obtained', () => {
  it('is shown by the pages of the tokens that are open meanwhile (behaviour 6.5)', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    const { user } = await api().done('getFacts');
    await api().done('setSetting', { body: { key: 'userJwt', value: '' } });
    await page.goto('/getnetworkaccesstoken');
    await page.getByText('Not signed in').waitFor();
    await other.goto('/getnetworkaccesstoken');
    await press(other, 'Log in');
    await enter(other, { Name: user, 'E-mail': 'user@example.com' });
    await press(other, 'Log in');
    await other.getByText('Logged in').waitFor();
    await page.getByText('Logged in').waitFor();
    await other.goto('/getaccesstoken');
    await page.goto('/getaccesstoken');
    const token = (each: Page) => each.getByRole('button', { name: 'Copy the access token' }).waitFor();
    await Promise.all([token(page), token(other)]);
    await other.close();
  });

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

  it('is listed by an open list of subscriptions, with its approval (behaviour 6.5)', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    await page.goto('/subscriptionlist');
    const rows = page.getByRole('row', { name: /Larkfield|bacs/i });
    await page.getByRole('table').first().waitFor();
    const before = await rows.count();
    await other.goto('/onboardingsubscription');
    await chooseSubscription(other);
    await press(other, 'Create Subscription');
    await other.waitForURL(({ pathname }) => pathname === '/');
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(before + 1);
    await other.goto('/subscriptionlist');
    await press(other, 'Open approval page');
    await approve(other);
    await expect
      .poll(() => page.getByRole('cell', { name: 'Authorised', exact: true }).count(), { timeout: 10_000 })
      .toBe(before + 1);
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

  it('one of which has been sent before: the other asks, in either direction, and keeps what was typed (behaviour 6.5)', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    for (const [first, second] of [
      [page, other],
      [other, page],
    ] as const) {
      const tab = `${Date.now()}`;
      await open(second, `${tab}b`);
      await open(first, `${tab}a`);
      await press(first, submit);
      await created(first);
      await again(second).waitFor();
      await again(second).click();
      await press(second, submit);
      await created(second);
    }
    await other.close();
  });
});
