import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { sharedConsole } from './shared.ts';

const { visiting, program } = sharedConsole();
const bar = (page: Page) => page.getByRole('region', { name: 'Rehearsal', exact: true });
const says = (page: Page, text: string | RegExp) => bar(page).getByText(text).waitFor({ timeout: 30_000 });
const api = () => apiAt(program().url);

async function press(page: Page, tab: string, name: string): Promise<void> {
  await page.goto(`/sandbox#${tab}`);
  await page.getByRole('button', { name, exact: true }).click();
}

describe('a rehearsal in the page', () => {
  it('creates a situation in one press, by the same journeys', async () => {
    const { page, errors } = visiting();
    await press(page, 'start-from', 'Batch partly failed');
    await says(page, /Batch partly failed: created in a new organisation/);
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await api().done('getFacts')).toMatchObject({ batches: 1, batchStatus: 'PartiallyCompleted' });
    expect((await api().done('getLab')).data.rules).toEqual([]);
    expect(errors).toEqual([]);
  });

  it.each([
    ['Pay', 'Response lost', /The response is lost after paying: passed/, /Response lost/],
    ['Create company', 'Too many calls', /Create company: too many calls: passed/, /Too many calls/],
  ])(
    'of a cell, %s with %s, checks the result, opens the sequence of its calls and marks the cell (behaviour 10.20.12)',
    async (operation, fault, passed, arrow) => {
      const { page } = visiting();
      await page.goto('/sandbox#practise');
      const cell = page.getByRole('button', { name: `${operation}, ${fault}: not run yet. Run` });
      const line = page.locator('summary').filter({ hasText: operation });
      await line.waitFor();
      if (!(await cell.isVisible())) await line.click();
      await cell.click();
      await says(page, passed);
      await page.waitForURL(/\/timeline\?entry=\d+&view=sequence/);
      await page.getByText(arrow).first().waitFor();
      const { rules, clock } = (await api().done('getLab')).data;
      expect([rules, clock.offset]).toEqual([[], 0]);
      await page.goto('/sandbox#practise');
      await page.getByRole('button', { name: `${operation}, ${fault}: passed. Run` }).waitFor();
    },
  );

  it('is stopped by the user, and stays stopped', async () => {
    const { page } = visiting();
    await press(page, 'start-from', 'Authorised subscription, ten creditors');
    await bar(page).getByRole('button', { name: 'Stop the run' }).click();
    await says(page, /was stopped/);
    await bar(page).getByRole('button', { name: 'Dismiss' }).click();
    await bar(page).waitFor({ state: 'detached' });
    await expect.poll(async () => (await api().done('getLab')).data.rules).toEqual([]);
  });
});
