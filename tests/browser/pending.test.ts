import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitText } from '#machines/names.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { enter, entries, press } from './guidedSteps.ts';
import { sharedBetween } from './shared.ts';

const { visiting, between, api } = sharedBetween(async (server) => {
  await onboard(server);
  await subscribe(server, 'Larkfield Bacs Bureau');
});
let before: string[];

beforeEach(async () => {
  before = between().made('creditor');
  await between().pause();
});
afterEach(() => between().resume());

/** Fills in a creditor of that name, up to the button. */
async function filled(page: Page, name: string): Promise<void> {
  await enter(page, { ...entries.creditor, 'Payee name': name });
}

const awaited = (page: Page, name: string) => page.getByText(`${name} sent. Waiting for`).waitFor();
const sentBefore = (page: Page) => page.getByText(/^A creditor of this name and account is already waiting/).waitFor();

/** Lets the provider answer; the page has led home, and the creditor is there once, at the service and here. */
async function expectOne(page: Page, name: string): Promise<void> {
  await between().resume();
  await page.waitForURL(({ pathname }) => pathname === '/');
  expect(
    between()
      .made('creditor')
      .filter((id) => !before.includes(id)),
  ).toHaveLength(1);
  const { data } = await api().done('getCreditors');
  expect(data.filter(({ creditorname }) => creditorname === name)).toHaveLength(1);
}

describe('one creditor, there and here', () => {
  it('when page and console restart while its answer is awaited, and the button is pressed again (behaviour 4.16; threat 6.2)', async () => {
    const { page } = visiting();
    await page.goto('/creditors');
    await filled(page, 'Reloaded Ltd');
    await press(page, 'Create creditor');
    await page.getByText(/Waiting for .+ You may leave this page\.$/).waitFor();
    await page.reload();
    await awaited(page, 'Reloaded Ltd');
    await between().program.stop('SIGKILL');
    await between().program.start();
    await page.reload();
    await awaited(page, 'Reloaded Ltd');
    await press(page, 'Create another creditor');
    await page.getByRole('region', { name: 'Waiting for the provider’s webhook' }).getByText('Reloaded Ltd').waitFor();
    await filled(page, 'Reloaded Ltd');
    await press(page, 'Create creditor');
    await sentBefore(page);
    await press(page, 'Wait for the webhook');
    await expectOne(page, 'Reloaded Ltd');
  });

  it.runIf(allPaths)(
    'when the button is pressed in a second tab that was filled in before (behaviour 4.16)',
    async () => {
      const { page } = visiting();
      const other = await page.context().newPage();
      for (const tab of [page, other]) {
        await tab.goto('/creditors');
        await filled(tab, 'Twice Ltd');
      }
      await press(page, 'Create creditor');
      await page.getByText(/Waiting for .+ You may leave this page\.$/).waitFor();
      await press(other, 'Create creditor');
      await sentBefore(other);
      await press(other, 'Wait for the webhook');
      await expectOne(other, 'Twice Ltd');
    },
  );

  it.runIf(allPaths)(
    'when the service’s acknowledgement is lost, and the page is opened again (behaviour 4.16)',
    async () => {
      const { page } = visiting();
      await page.goto('/creditors');
      await filled(page, 'Lost Ltd');
      const held = between().back.hold('/creditorputs');
      await press(page, 'Create creditor');
      await held.answered;
      await between().program.stop('SIGKILL');
      held.lose();
      await between().program.start();
      await page.goto('/creditors');
      await page.getByText('The outcome is unknown.').waitFor();
      await press(page, 'Stop waiting');
      await page.goto('/creditorsquery');
      await page.getByRole('region', { name: 'Waiting for the provider’s webhook' }).getByText('Lost Ltd').waitFor();
      await page.goto('/creditors');
      await awaited(page, 'Lost Ltd');
      await expectOne(page, 'Lost Ltd');
    },
  );
});

describe('one query of creditors', () => {
  const awaitsList = (page: Page) => page.getByText(waitText('Larkfield Bacs Bureau')).waitFor();
  const sent = async () =>
    (await api().done('listMessages', { query: {} })).data.filter(({ kind }) => kind === 'creditorlistqueries');

  it.runIf(allPaths)(
    'is followed when page and console restart while its answer is awaited, and is not sent again (behaviour 4.21)',
    async () => {
      const { page } = visiting();
      const already = (await sent()).length;
      await page.goto('/creditorsquery');
      await press(page, 'Query creditors');
      await awaitsList(page);
      await page.reload();
      await awaitsList(page);
      await between().program.stop('SIGKILL');
      await between().program.start();
      await page.reload();
      await awaitsList(page);
      await between().resume();
      await page.getByRole('table').waitFor();
      expect(await sent()).toHaveLength(already + 1);
    },
  );
});
