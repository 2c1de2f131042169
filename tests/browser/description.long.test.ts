import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { arrive } from './guidedSteps.ts';
import { keyboard } from './keyboard.ts';
import { accessibilityFaults, faultsOf, settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

let subscriptionId = '';
const { visiting, program } = sharedConsole(async ({ url }) => {
  ({ subscriptionId } = await walk(apiAt(url)));
});
const api = () => apiAt(program().url);

/** Opens a page as a bookmark does, and expects nothing wrong with it in either mode. */
async function openCold(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await arrive(page, heading);
  await settled(page);
  expect(await faultsOf(page)).toEqual([]);
}

/** Has a read of the console fail until the returned function is called. */
async function failing(page: Page, path: string): Promise<() => Promise<void>> {
  const address = `**${path}*`;
  await page.route(address, (route) => route.abort());
  return () => page.unroute(address);
}

describe('the API reference', () => {
  it('is opened cold, filtered and left for a step by the keyboard (behaviour 10.26.1, 10.11.1)', async () => {
    const { page, errors } = visiting();
    await openCold(page, '/reference', 'API reference');
    const { reach, wrong } = keyboard(page);
    await reach(page.getByLabel('Filter operations'));
    await page.keyboard.type('nothing like this');
    await page.getByText('No results for “nothing like this”').waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel('Filter operations').fill('createBatch');
    const operation = page.getByText('/v3/batchpayments', { exact: false }).first();
    await operation.waitFor();
    const summary = page.locator('summary').first();
    await reach(summary);
    await page.keyboard.press('Enter');
    await page
      .getByRole('link', { name: /^Open the step/ })
      .first()
      .waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await reach(page.getByRole('link', { name: /^Open the step/ }).first());
    await page.keyboard.press('Enter');
    await page.waitForURL(/electronicpayments/);
    expect([...wrong]).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('says that it could not be read, and reads again when it can (behaviour 10.11.1)', async () => {
    const { page } = visiting();
    const mend = await failing(page, calls.getDescription.path);
    await openCold(page, '/reference', 'API reference');
    await page.getByRole('alert').waitFor();
    await mend();
    await page.getByLabel('Filter operations').waitFor();
  });
});

describe('the page Drift', () => {
  it('is empty, full, and sets a fault by the keyboard (behaviour 10.24.5, 10.24.6)', async () => {
    const { page } = visiting();
    await openCold(page, '/drift', 'Drift');
    await page.getByText(/^0 differences from the description since \w+/).waitFor();

    const fault = { kind: 'changed', path: 'data.status', came: '"Frozen"' } as const;
    await api().done('setFault', {
      body: { on: 'call', of: 'subscription', fault, times: 1, probability: 1, seed: 1 },
    });
    await api().done('getSubscription', { params: { subscriptionId } });
    await openCold(page, '/drift', 'Drift');
    await page.getByText(/^1 difference from the description since \w+/).waitFor();
    await keyboard(page).reach(page.getByRole('button', { name: 'Set as fault: subscription data.status' }));
    await page.keyboard.press('Enter');
    await page.getByText(/^Added\. /).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    expect((await api().done('getLab')).data.rules.map((rule) => rule.fault)).toContainEqual(fault);
    await api().done('stopLab', {});
  });

  it('says that nothing was compared, or that it could not be read (behaviour 10.24.5)', async () => {
    const { page } = visiting();
    const address = `**${calls.getDrift.path}*`;
    const nothing = { data: { differences: [], compared: 0, since: '', left: [] } };
    await page.route(address, (route) => route.fulfill({ json: nothing }));
    await openCold(page, '/drift', 'Drift');
    await page.getByText(/nothing was compared/).waitFor();
    await page.unroute(address);
    const mend = await failing(page, calls.getDrift.path);
    await openCold(page, '/drift', 'Drift');
    await page.getByRole('alert').waitFor();
    await mend();
    await page.getByText(/from the description since/).waitFor();
  });
});

describe('a file that is opened', () => {
  it('is a session in place of the timeline, or refused, and is closed by the keyboard (behaviour 10.25.5)', async () => {
    const { page } = visiting();
    const file = join(temporaryFolder(), 'session.har');
    writeFileSync(file, await (await fetch(`${program().url}/api/timeline.har`)).text());
    await page.goto('/timeline');
    await arrive(page, 'Timeline');
    const chooser = page.getByLabel('Open a HAR file, or drop it on the timeline');
    await chooser.setInputFiles(file);
    await page.getByText(/^Read-only session from session\.har/).waitFor();
    expect(await accessibilityFaults(page, 'main [role=status]')).toEqual([]);
    const { reach } = keyboard(page);
    await reach(page.getByRole('button', { name: 'Close the session' }));
    await page.keyboard.press('Enter');
    await page.getByText(/^Read-only session/).waitFor({ state: 'detached' });

    writeFileSync(file, '{"log":{}}');
    await chooser.setInputFiles(file);
    await page
      .getByRole('alert')
      .getByText(/It is not an HTTP archive/)
      .waitFor();
    expect(await accessibilityFaults(page, 'main [role=alert]')).toEqual([]);
    await reach(page.getByRole('button', { name: 'Back to the timeline' }));
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('as a situation asks first, leads to its page, and is refused with the place that is wrong (behaviour 10.27.1, 10.27.3)', async () => {
    const { page } = visiting();
    const file = join(temporaryFolder(), 'moment.json');
    await page.goto('/getbatch');
    const { reach } = keyboard(page);
    const menu = async () => {
      await reach(page.getByRole('button', { name: 'Sandbox', exact: true }));
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Clock' }).waitFor();
    };
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await menu();
      const panel = await page.getByRole('link', { name: /^Save situation/ }).boundingBox();
      expect(panel!.x).toBeGreaterThan(0);
      expect(panel!.x + panel!.width).toBeLessThan(width);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Clock' }).waitFor({ state: 'detached' });
    }
    await menu();
    expect(await faultsOf(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await menu();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^Save situation/ }).click(),
    ]);
    await download.saveAs(file);
    const { batchId } = await api().done('getSettings', { query: {} });
    await page.goto('/timeline');
    await menu();
    await reach(page.getByRole('button', { name: /^Open situation/ }));
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Open situation' });
    const confirm = async () => {
      await dialog.getByLabel('Situation file').setInputFiles(file);
      await dialog.getByText(/replaced by what is in moment\.json/).waitFor();
      expect(await faultsOf(page)).toEqual([]);
      await reach(dialog.getByRole('button', { name: 'Open situation' }));
      await page.keyboard.press('Enter');
    };
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.replace('"tables":{', '"tables":{"secrets":[],'));
    await confirm();
    await dialog
      .getByRole('alert')
      .getByText(/there is no table secrets/)
      .waitFor();
    expect(await faultsOf(page)).toEqual([]);
    writeFileSync(file, whole);
    await confirm();
    await page.waitForURL((url) => url.pathname === '/getbatch');
    expect((await api().done('getSettings', { query: {} })).batchId).toBe(batchId);
  });
});
