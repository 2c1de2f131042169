import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { arrive, batchStatus, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

/** What can be done beside the guided path, pressed as a user does; the tests go from nothing to nothing again. */
const { visiting, program } = sharedConsole(() => Promise.resolve());
const api = () => apiAt(program().url);

/** A page on which the clipboard can be read and written. */
async function open(path: string): Promise<Page> {
  const { page } = visiting();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
}
const copied = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

const palette = (page: Page) => page.getByRole('dialog', { name: 'Go to' });
const entry = (page: Page, name: string | RegExp) => palette(page).getByRole('option', { name });
const told = (page: Page, words: string) => palette(page).getByRole('status').filter({ hasText: words }).waitFor();

describe('an action of the palette', () => {
  it('gives the reason why it cannot run, and does not run (behaviour 10.10.2)', async () => {
    const page = await open('/');
    await page.keyboard.press('Control+K');
    for (const name of [
      'Copy the access token There is no company yet',
      'Suspend the current subscription There is no subscription yet',
    ]) {
      const action = entry(page, name);
      expect(await action.getAttribute('aria-disabled')).toBe('true');
      await action.click({ force: true });
      expect(await palette(page).getByRole('status').innerText()).toBe('');
    }
    expect(await entry(page, 'Empty the sandbox').getAttribute('aria-disabled')).toBe('false');
  });

  it('copies the token, suspends the subscription and resumes it', async () => {
    const { subscriptionId } = await walk(api());
    const page = await open('/');
    await page.keyboard.press('Control+K');
    await entry(page, 'Copy the access token').click();
    await told(page, 'The access token was copied.');
    const { data } = await api().done('getToken', { query: { reveal: 'true' } });
    expect(await copied(page)).toBe(data.token);

    const isSuspended = async () =>
      (await api().done('getSubscription', { params: { subscriptionId } })).data.data.suspendedByConsumer;
    await entry(page, 'Suspend the current subscription').click();
    await told(page, 'The subscription is suspended.');
    expect(await isSuspended()).toBe(true);
    await entry(page, 'Unsuspend the current subscription').click();
    await told(page, 'The subscription is no longer suspended.');
    expect(await isSuspended()).toBe(false);
    expect(visiting().errors).toEqual([]);
  });

  it('leads to each record by its name or id (behaviour 10.10.2)', async () => {
    const { subscriptionId } = await api().done('getSettings');
    const page = await open('/');
    const find = async (typed: string, name: RegExp) => {
      await page.keyboard.press('Control+K');
      await palette(page).getByRole('combobox').fill(typed);
      await entry(page, name).first().click();
    };
    await find('batch', /^Batch [\da-f]{8}/);
    await arrive(page, 'Get Batch');
    await batchStatus(page, 'Completed').first().waitFor();
    await find(subscriptionId, /^Subscription [\da-f]{8}/);
    await arrive(page, 'List');
    await find('trading account', /^Debtor Trading account/);
    await arrive(page, 'Debtor Query');
    await find('orchard', /^Creditor Orchard Supplies Ltd/);
    await arrive(page, 'Creditor Query');
    expect(new URL(page.url()).searchParams.get('q')).toMatch(/^[\da-f-]{36}$/);
    expect(visiting().errors).toEqual([]);
  });
});

describe('sending a call again with a new key', () => {
  it('asks first, then makes another request, which the timeline shows (behaviour 10.17.11)', async () => {
    const made = async () =>
      (await api().done('getTimeline', { query: { text: 'datasets', limit: '100' } })).data.filter(
        ({ kind, method, status }) => kind === 'service' && method === 'POST' && status < 300,
      );
    const page = await open('/timeline?show=console&find=dataset');
    await page
      .getByRole('table', { name: 'Timeline' })
      .getByRole('button', { name: '/api/dataset', exact: true })
      .click();
    const ask = async () => {
      await press(page, 'Send again');
      await page.getByRole('button', { name: /^With a new key/ }).click();
    };
    const question = page.getByRole('alertdialog', { name: 'Send it as a new request?' });
    await ask();
    await press(question, 'Cancel');
    await question.waitFor({ state: 'detached' });
    expect(await made()).toHaveLength(1);
    await ask();
    await press(question, 'Send with a new key');
    await expect.poll(async () => (await made()).length).toBe(2);
    const keys = (await made()).map(({ request }) => request.headers['x-idempotency-key']);
    expect(new Set(keys).size).toBe(2);
    await expect.poll(() => page.getByRole('button', { name: '/api/dataset', exact: true }).count()).toBe(2);
    expect(visiting().errors).toEqual([]);
  });
});

describe('the sandbox’s home', () => {
  it('copies a credential', async () => {
    const page = await open(program().sandboxUrl);
    const button = page.getByRole('button', { name: 'Copy application signing key' });
    await button.click();
    await button.getByText('Copied').waitFor();
    expect(await copied(page)).toBe(sandboxCredentials.signingKey);
    await button.getByText('Copy', { exact: true }).waitFor();
    expect(visiting().errors).toEqual([]);
  });

  // Last: nothing is left afterwards.
  it('is opened by the palette’s command to empty the sandbox, and asks for confirmation (behaviour 10.20.5)', async () => {
    const page = await open('/');
    const heading = page.getByRole('heading', { name: 'Empty the sandbox', exact: true });
    for (const from of ['elsewhere', 'that page']) {
      await page.keyboard.press('Control+K');
      await entry(page, 'Empty the sandbox').click();
      await heading.waitFor();
      const isFocused = () => heading.evaluate((element) => element === document.activeElement);
      await expect.poll(isFocused, { message: `from ${from}` }).toBe(true);
    }
    await press(page, 'Empty the sandbox …');
    await press(page.getByRole('alertdialog'), 'Empty the sandbox');
    await page.getByText('The sandbox was emptied, and its companies were removed from this console.').waitFor();
  });
});
