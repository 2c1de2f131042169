import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { choosePayment, payButton, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

const { visiting, program } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  await onboard(api);
  await subscribe(api, 'Larkfield Bacs Bureau');
});

const bannerOf = (page: Page) => page.getByRole('status', { name: 'Fault lab' });
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
});
