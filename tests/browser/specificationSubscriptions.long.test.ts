import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '#tests/support/eventually.ts';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe, subscribeTo } from '#tests/support/guidedPath.ts';
import { arrive, choose, enter, optionsOf, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

let api: ReturnType<typeof apiAt>;
let page: Page;

/** Subscriptions by what they are there for. */
const ids = { authorised: '', rejected: '', american: '' };

/** A subscription of the provider of that name, which its country offers. */
async function subscribeIn(country: string, name: string): Promise<string> {
  await api.done('setSetting', { body: { key: 'providerCountry', value: country } });
  const provider = (await api.done('getProviders')).data.find((each) => each.name === name);
  if (!provider) throw new Error(`${country} has no provider ${name}`);
  return subscribeTo(api, provider, provider.accountType.validationRules);
}

const statusOf = async (subscriptionId: string) =>
  (await api.done('getSubscription', { params: { subscriptionId } })).data.data.status;

const { visiting } = sharedConsole(async ({ url }) => {
  api = apiAt(url);
  await onboard(api);
  ids.authorised = (await subscribe(api)).subscriptionId;
  ids.rejected = await subscribeIn('GB', 'Nettlebrook Payments (rejects)');
  ids.american = await subscribeIn('US', 'Bluestem ACH Services');
  await eventually(async () => {
    expect(await statusOf(ids.rejected)).toBe('Rejected');
    expect(await statusOf(ids.american)).toBe('AwaitingAuthorisation');
  });
  await api.done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
});
beforeEach(() => ({ page } = visiting()));

/** A button of a subscription's row, or a link that opens a tab. */
const action = (verb: string, id: string): Locator => {
  const name = `${verb} subscription ${id}`;
  const link = page.getByRole('link', { name: `${name}, in another tab`, exact: true });
  return page.getByRole('button', { name, exact: true }).or(link);
};
const rowOf = (id: string): Locator => page.getByRole('row').filter({ hasText: id });
const isEnabled = async (button: Locator) => (await button.getAttribute('aria-disabled')) !== 'true';
const statusBar = () => page.getByRole('contentinfo', { name: 'Status' });

async function openList(): Promise<void> {
  await page.goto('/subscriptionlist');
  await rowOf(ids.authorised).waitFor();
}

describe('behaviour, section 2, in the browser: bank subscription screen', () => {
  it('only ecospend, a bank of the sample data, right-aligned buttons, then the root (behaviour 2.7)', async () => {
    await page.goto('/openbankingsubscription');
    const selector = page.getByLabel('Select Provider');
    await selector.waitFor();
    // The only one is chosen already.
    await press(page, 'Choose another provider');
    expect(await optionsOf(selector)).toEqual(['ecospend']);
    await choose(selector, 'ecospend');
    const form = page.getByRole('form', { name: 'Subscription Data' });
    const looks = (select: Locator) =>
      select.evaluate((element) => {
        const { backgroundColor, color, borderTopStyle, cursor } = getComputedStyle(element);
        return { backgroundColor, color, borderTopStyle, cursor };
      });
    const usual = await looks(form.getByLabel('Banks', { exact: true }));
    for (const [name, value] of Object.entries(await looks(selector))) expect(usual).not.toHaveProperty(name, value);
    expect(await optionsOf(form.getByLabel('Banks', { exact: true }))).toEqual([
      'Choose one',
      expect.stringMatching(/^Lloyds Sandbox\s+Out of service now/),
      'NatWest Sandbox',
      'Mock Bank',
    ]);
    const actions = page.getByRole('region', { name: 'Actions of this step' });
    const [inspector, create, cancel] = await Promise.all([
      page.getByRole('region', { name: 'Inspector', exact: true }).boundingBox(),
      actions.getByRole('button', { name: 'Create Subscription' }).boundingBox(),
      actions.getByRole('button', { name: 'Cancel' }).boundingBox(),
    ]);
    const gutter = 40 + 1; // the step's padding, and the inspector's border
    expect((create?.x ?? 0) + (create?.width ?? 0)).toBeCloseTo((inspector?.x ?? 0) - gutter, 0);
    expect(cancel?.x).toBeLessThan(create?.x ?? 0);
    await enter(page, { Banks: 'Mock Bank' });
    await press(page, 'Create Subscription');
    await page.waitForURL('**/');
    await statusBar().getByText('Provider: ecospend').waitFor();
  });
});

describe('behaviour, sections 2 and 4, in the browser: subscription list', () => {
  it('Authorise only where the status is neither Rejected nor Authorised, Suspend only where it is Authorised (behaviour 4.1, 4.2)', async () => {
    await openList();
    for (const id of [ids.authorised, ids.rejected]) {
      expect(await action('Authorise', id).count()).toBe(0);
      await rowOf(id)
        .getByText(/^It is (Authorised|Rejected)$/)
        .waitFor();
    }
    expect(await isEnabled(action('Authorise', ids.american))).toBe(true);
    expect(await isEnabled(action('Suspend', ids.authorised))).toBe(true);
    expect(await isEnabled(action('Suspend', ids.rejected))).toBe(false);
    expect(await isEnabled(action('Suspend', ids.american))).toBe(false);
  });

  it('selecting stores its ids, country and language (behaviour 4.7)', async () => {
    await openList();
    for (const [id, country] of [
      [ids.authorised, 'GB'],
      [ids.american, 'US'],
      [ids.authorised, 'GB'],
    ] as const) {
      await action('Select', id).click();
      await rowOf(id).getByText('Current').waitFor();
      await statusBar().getByText(`PR Ctry: ${country}`).waitFor();
      await statusBar().getByTitle(id).waitFor();
    }
    expect(await api.done('getSettings')).toMatchObject({ subscriptionId: ids.authorised, acceptLanguage: 'en' });
  });

  it('an unknown country gives a logged message only (behaviour 4.7)', async () => {
    const before = await api.done('getSettings');
    await page.route('**/api/providers/*', async (route) => {
      const answer = await route.fetch();
      const { data } = (await answer.json()) as { data: object };
      await route.fulfill({ response: answer, json: { data: { ...data, country: ['DE'] } } });
    });
    await openList();
    const logged = page.waitForEvent('console', (message) => message.text().includes('No language is known'));
    await action('Select', ids.rejected).click();
    expect((await logged).text()).toContain('"DE"');
    await rowOf(ids.rejected).getByText('Current').waitFor();
    const { providerCountry, acceptLanguage } = await api.done('getSettings');
    expect({ providerCountry, acceptLanguage }).toEqual({
      providerCountry: before.providerCountry,
      acceptLanguage: before.acceptLanguage,
    });
    expect(visiting().errors).toEqual([]);
  });

  it('without IFramePermitted the link opens a new tab; the list follows what is decided there (behaviour 4.4)', async () => {
    await openList();
    const opening = page.context().waitForEvent('page');
    await action('Authorise', ids.american).click();
    const tab = await opening;
    await tab.getByRole('button', { name: 'Approve' }).click();
    await rowOf(ids.american).getByRole('cell', { name: 'Authorised', exact: true }).waitFor();
    expect(await page.locator('iframe').count()).toBe(0);
  });

  it('with IFramePermitted the link opens in the embedded frame; afterwards Back leaves the list in one press (behaviour 4.4)', async () => {
    const id = await subscribeIn('GB', 'Larkfield Bacs Bureau');
    await eventually(async () => expect(await statusOf(id)).toBe('AwaitingAuthorisation'));
    await page.goto('/');
    await openList();
    const session = await page.context().newCDPSession(page);
    const place = async () => (await session.send('Page.getNavigationHistory')).currentIndex;
    const before = await place();
    await action('Authorise', id).click();
    const frame = page.frameLocator('iframe[title^="Approval page of"]');
    await frame.getByRole('button', { name: 'Reject' }).click();
    await rowOf(id)
      .getByRole('cell', { name: /^Rejected\b/ })
      .waitFor();
    await frame.owner().waitFor({ state: 'detached' });
    await arrive(page, 'List');
    // The page goes back over the frame's entries by itself, a moment later.
    await expect.poll(place, { timeout: 10_000 }).toBe(before);
    await page.goBack();
    await page.getByRole('heading', { name: 'Guided path' }).waitFor();
  });
});
