import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { alerts, type AlertId } from '#contract/alerts.ts';
import { journeyOf, nameOf, type JourneyId } from '#machines/journeys.ts';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { subscribeTo } from '#tests/support/guidedPath.ts';
import { approve, arrive, choosePayment, enter, payButton, perform, press } from './guidedSteps.ts';
import { accessibilityFaults, settled } from './screen.ts';
import { sharedConsole } from './shared.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

type Api = ReturnType<typeof apiAt>;

const { program, visiting } = sharedConsole();

/** A gate of a journey, and what a user does about it. */
interface Closed {
  alert: AlertId;
  journey: JourneyId;
  /** What the console lacks, brought about by its API; absent if nobody has provided it yet. */
  lack?: (api: Api) => Promise<unknown>;
  offers: JourneyId;
  /** Provides there what is missing; absent if that takes more than this one page. */
  provide?: (page: Page) => Promise<unknown>;
  /** The gate that speaks once this one is open. */
  next?: AlertId;
}

/** Makes a subscription the current one whose provider authorises it without asking. */
async function subscribeAtOnce(api: Api, name: string): Promise<void> {
  const provider = (await api.done('getProviders')).data.find((each) => each.name === name);
  if (!provider) throw new Error(`There is no provider ${name}`);
  await subscribeTo(api, provider, provider.accountType.validationRules);
  await eventually(async () => expect((await api.done('getFacts')).subscription?.status).toBe('Authorised'));
}

const set = (key: 'acceptLanguage' | 'fileFormatCountry', value: string) => (api: Api) =>
  api.done('setSetting', { body: { key, value } });

/** Pages that show rather than end: the way back is a button there. */
const showing: readonly JourneyId[] = ['settings', 'userToken', 'authorisation'];

const on = (id: JourneyId) => (page: Page) => perform(page, journeyOf(id).title);

/** In the embedded frame, in the row of the current subscription. */
async function authoriseCurrent(page: Page): Promise<void> {
  const current = page.getByRole('row').filter({ hasText: 'Current' });
  await current.getByRole('button', { name: /^Authorise subscription/ }).click();
  await approve(page);
  await current.getByRole('cell', { name: 'Authorised', exact: true }).waitFor();
}

async function payEverything(page: Page): Promise<void> {
  await choosePayment(page);
  await payButton(page).click();
}

const withoutDebtors = (api: Api) => subscribeAtOnce(api, 'Pippinhay Direct (no debtor accounts)');

/** One after the other, from an empty console to its first batch: what one provides is there for those after it. */
const closed: readonly Closed[] = [
  { alert: 'noUserToken', journey: 'account', offers: 'userToken', provide: on('userToken') },
  { alert: 'noAccount', journey: 'dataset', offers: 'account', provide: on('account') },
  // Nothing is there that could be authorised, so the way is to what a subscription lacks first.
  { alert: 'noUsableSubscription', journey: 'debtor', offers: 'organisation' },
  {
    alert: 'noOrganisation',
    journey: 'subscription',
    offers: 'organisation',
    provide: on('organisation'),
    next: 'noCompany',
  },
  { alert: 'noCompany', journey: 'subscription', offers: 'company', provide: on('company') },
  {
    alert: 'noProviders',
    journey: 'subscription',
    lack: set('acceptLanguage', 'fr-FR'),
    offers: 'settings',
    provide: (page) => enter(page, { Language: 'en' }),
  },
  {
    alert: 'noDebtorSupport',
    journey: 'debtor',
    lack: withoutDebtors,
    offers: 'subscription',
    provide: on('subscription'),
    next: 'noUsableSubscription',
  },
  {
    alert: 'noCreditorSupport',
    journey: 'creditor',
    lack: withoutDebtors,
    offers: 'subscription',
    provide: on('subscription'),
    next: 'noUsableSubscription',
  },
  {
    alert: 'notAuthorised',
    journey: 'electronicPayment',
    offers: 'authorisation',
    provide: authoriseCurrent,
    next: 'noDebtors',
  },
  { alert: 'noDebtors', journey: 'electronicPayment', offers: 'debtor', provide: on('debtor'), next: 'noCreditors' },
  { alert: 'noCreditors', journey: 'electronicPayment', offers: 'creditor', provide: on('creditor') },
  {
    alert: 'noFileFormats',
    journey: 'filePayment',
    lack: set('fileFormatCountry', 'CA'),
    offers: 'settings',
    provide: (page) => enter(page, { 'File format country': 'GB' }),
  },
  { alert: 'noBatches', journey: 'batchList', offers: 'electronicPayment', provide: payEverything },
];

/** Closes a gate, which leads home, and comes back. */
async function leaveBy(page: Page, dialog: Locator, path: string): Promise<void> {
  expect(await accessibilityFaults(page, 'dialog')).toEqual([]);
  await press(dialog, 'Back to home');
  await page.waitForURL(`${program().url}/`);
  await page.goto(path);
}

describe('behaviour, sections 2 and 8, in the browser: alerts', () => {
  it.each(closed.map((each) => ({ text: alerts[each.alert], ...each })))(
    '$text',
    async ({ alert, journey, lack, offers, provide, next }) => {
      const { page, errors } = visiting();
      const { path, title } = journeyOf(journey);
      const dialogOf = (id: AlertId) => page.getByRole('alertdialog', { name: alerts[id], exact: true });
      await lack?.(apiAt(program().url));
      await page.goto(path);
      await dialogOf(alert).waitFor();
      await leaveBy(page, dialogOf(alert), path);
      await dialogOf(alert)
        .getByRole('link', { name: `Go to ${nameOf(offers)}`, exact: true })
        .click();
      await arrive(page, journeyOf(offers).title);
      if (!provide) return;
      await provide(page);
      if (showing.includes(offers)) await press(page, `Back to ${nameOf(journey)}`);
      await arrive(page, title);
      await settled(page);
      if (next) await dialogOf(next).waitFor();
      else expect(await page.getByRole('alertdialog').count()).toBe(0);
      expect(errors).toEqual([]);
    },
  );

  it('noSubscriptionSupport: speaks once such a provider is chosen, and another one can be chosen instead', async () => {
    const { page } = visiting();
    const alert = page.getByRole('alertdialog', { name: alerts.noSubscriptionSupport, exact: true });
    const unsupported = { 'Select Provider': 'Cobblewick Bank Files (no subscriptions)' };
    await page.goto('/onboardingsubscription');
    await enter(page, unsupported);
    await press(alert, 'Choose another provider');
    await enter(page, unsupported);
    await press(alert, 'Back to home');
    await page.waitForURL(`${program().url}/`);
  });

  it('are all of the catalogue', () => {
    expect([...closed.map(({ alert }) => alert), 'noSubscriptionSupport'].sort()).toEqual(Object.keys(alerts).sort());
  });
});

describe('behaviour, section 8, in the browser: what the service refuses is shown with its body', () => {
  it('company: the service forgets the organisation while the form is filled in; afterwards the gate says so', async () => {
    const { page } = visiting();
    await page.goto('/createcompany');
    await arrive(page, 'Create Company');
    await press(page, 'Create another');
    await page.getByLabel('Name', { exact: true }).waitFor();
    await fetch(`${program().sandboxUrl}/sandbox/reset`, {
      method: 'POST',
      body: new URLSearchParams({ token: sandboxCredentials.resetToken }),
    });
    await perform(page, 'Create Company');
    await page.getByRole('alert').locator('pre').filter({ hasText: 'unknown organisation' }).waitFor();
    await page.reload();
    const gate = page.getByRole('alertdialog', { name: alerts.noOrganisation, exact: true });
    await gate.getByText(/is not known to the service/).waitFor();
    await gate.getByRole('link', { name: `Go to ${nameOf('organisation')}`, exact: true }).waitFor();
  });

  it('organisation: the service does not know the signing key', async () => {
    const { page } = visiting();
    const foreign = await newConsole({
      ...liveEnvironment(program().sandboxUrl),
      UPSTREAM_SIGNING_KEY: 'bm90IHRoZSByaWdodCBrZXk',
    });
    try {
      await foreign.start();
      await page.goto(`${foreign.url}/createorganisation`);
      await perform(page, 'Create Organisation');
      await page.getByRole('alert').locator('pre').filter({ hasText: 'the signature does not match' }).waitFor();
    } finally {
      await foreign.remove();
    }
  });
});
