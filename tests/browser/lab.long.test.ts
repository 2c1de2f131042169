import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { choose, choosePayment, payButton, press } from './guidedSteps.ts';
import { faultsOf } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting, program } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  await onboard(api);
  await subscribe(api, 'Larkfield Bacs Bureau');
});

const bannerOf = (page: Page) => page.getByRole('status', { name: 'Fault lab' });
const stopIn = (page: Page) => bannerOf(page).getByRole('button', { name: 'Stop all' });
const placeOf = (page: Page) => page.getByRole('contentinfo', { name: 'Status' }).boundingBox();

describe('a fault that is set on the page of the fault lab', () => {
  it('occurs once, is shown in every tab without a shift of layout, and the payment is made once (behaviour 10.20.8)', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    await other.goto('/');
    await other.getByRole('heading', { name: 'Workspace' }).waitFor();
    const place = await placeOf(other);
    await page.goto('/');
    await page.getByRole('button', { name: 'Sandbox', exact: true }).click();
    await page.getByRole('link', { name: 'Fault lab' }).click();
    await page.getByRole('tab', { name: 'Faults' }).click();
    await press(page, 'Add fault');
    await bannerOf(page).getByText('Response lost: createBatch').waitFor();
    await other.bringToFront();
    await bannerOf(other).getByText('Response lost: createBatch').waitFor();
    expect(await placeOf(other)).toEqual(place);

    await other.goto('/electronicpayments');
    await choosePayment(other);
    await payButton(other).click();
    await other.getByRole('heading', { name: 'Outcome unknown' }).first().waitFor();
    await bannerOf(other).getByText('Response lost').waitFor({ state: 'detached' });
    const { done } = apiAt(program().url);
    /** The batches that the sandbox has sent webhooks about: what was made there. */
    const made = async () => {
      const { data } = await done('getLabWebhooks');
      const batches = data.filter(({ type }) => type === 'batchUpdated').map(({ body }) => body);
      return new Set(batches.map((body) => (JSON.parse(body) as { resource: { id: string } }).resource.id)).size; // the sandbox's
    };
    await expect.poll(made, { message: 'the work was done' }).toBe(1);
    // A webhook names the batch, and the page settles the payment by itself.
    await other
      .getByText(/^(Paid once|Sent once)/)
      .first()
      .waitFor();
    await expect.poll(async () => (await done('getLabBatches')).data).toMatchObject([{ status: 'Completed' }]);
    expect(await made(), 'and once only').toBe(1);
    expect((await done('getLab')).data.rules).toMatchObject([{ asked: 1, happened: 1 }]);
    await other.close();
  });

  it('is refused beyond its limits, marked in the timeline, and stopped from any tab with the clock (behaviour 10.20.8)', async () => {
    const { page } = visiting();
    await page.goto('/sandbox#faults');
    await choose(page.getByRole('combobox', { name: 'Fault' }), 'Error status');
    await choose(page.getByRole('combobox', { name: 'Operation' }), 'providers: GET /v3/providers');
    await page.getByRole('textbox', { name: 'Status' }).fill('200');
    await press(page, 'Add fault');
    await page.getByRole('alert').getByText('Status: enter a whole number from 400 to 599').waitFor();
    await page.getByRole('textbox', { name: 'Status' }).fill('422');
    await choose(page.getByRole('combobox', { name: 'How often' }), 'always');
    await press(page, 'Add fault');
    await page.getByRole('tab', { name: 'Clock' }).click();
    await press(page, '+1 hour');
    await bannerOf(page).getByText('Error status: providers. Its clock is 1 h ahead').waitFor();
    expect(await faultsOf(page)).toEqual([]);

    const api = apiAt(program().url);
    expect((await api.call('getProviders', { query: { country: 'CA' } })).ok).toBe(false);
    const other = await page.context().newPage();
    await other.goto('/timeline');
    await other.getByTitle('Injected by the fault lab').getByText('Error status').first().waitFor();
    await stopIn(other).click();
    await page.bringToFront();
    await stopIn(page).waitFor({ state: 'detached' });
    expect((await api.done('getLab')).data).toMatchObject({ rules: [], clock: { offset: 0, still: false } });
    await other.close();
  });
});
