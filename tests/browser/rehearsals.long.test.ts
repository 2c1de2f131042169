import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { sharedConsole } from './shared.ts';

const { visiting, program } = sharedConsole();
const bar = (page: Page) => page.getByRole('region', { name: 'Rehearsal', exact: true });
const says = (page: Page, text: string | RegExp) => bar(page).getByText(text).waitFor({ timeout: 30_000 });
const api = () => apiAt(program().url);

async function press(page: Page, name: string): Promise<void> {
  await page.goto('/sandbox');
  await page.getByRole('button', { name, exact: true }).click();
}

describe('a rehearsal in the page', () => {
  it('creates a situation in one press, by the same journeys', async () => {
    const { page, errors } = visiting();
    await press(page, 'Batch partly failed');
    await says(page, /Batch partly failed: this is how things are now/);
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await api().done('getFacts')).toMatchObject({ batches: 1, batchStatus: 'PartiallyCompleted' });
    expect((await api().done('getLab')).data.rules).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('checks the result at the end, and shows it', async () => {
    const { page } = visiting();
    await press(page, 'Rehearse: The response is lost after paying');
    await says(page, /The response is lost after paying: passed/);
    const scenario = page.getByRole('listitem').filter({ hasText: 'The response is lost after paying' });
    await scenario.getByText(/^Passed/).waitFor();
    const { rules, clock } = (await api().done('getLab')).data;
    expect([rules, clock.offset]).toEqual([[], 0]);
    // No journey of it is offered as the user’s script (behaviour, section 10.19).
    await page.goto('/run');
    await page.getByText(/No journeys yet/).waitFor();
  });

  it('is stopped by the user, and stays stopped', async () => {
    const { page } = visiting();
    await press(page, 'Authorised subscription, ten creditors');
    await bar(page).getByRole('button', { name: 'Stop the run' }).click();
    await says(page, /was stopped/);
    await bar(page).getByRole('button', { name: 'Dismiss' }).click();
    await bar(page).waitFor({ state: 'detached' });
    await expect.poll(async () => (await api().done('getLab')).data.rules).toEqual([]);
  });
});
