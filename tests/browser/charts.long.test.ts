import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { faultsOf, settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting, program } = sharedConsole();

/** What is drawn as the state where the journey is. */
const lit = '[data-state][aria-current=step]';

describe('the charts', () => {
  it('are found from the home page, and lead from the map to a state and the way to it', async () => {
    const { page, errors } = visiting();
    await page.goto('/');
    await page.getByRole('link', { name: 'Map of all journeys' }).click();
    await page.getByRole('link', { name: 'Create Account, Blocked: chart' }).click();
    await page.getByRole('heading', { level: 1, name: 'Chart of Create Account' }).waitFor();
    await page.locator('[data-state=succeeded]').focus();
    await page.keyboard.press('Enter');
    await page.getByText('Press “Create account”, if nothing is in error').and(page.locator('li')).waitFor();
    expect(new URL(page.url()).search).toBe('?to=succeeded');
    expect(errors).toEqual([]);
  });

  it('highlight the present state beside a step as the user continues, once the user has paid (behaviour 10.16.23)', async () => {
    const { page, errors } = visiting();
    await page.goto('/createorganisation?guided=true');
    await page.getByRole('tab', { name: 'Request' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Chart' }).count()).toBe(0);
    await walk(apiAt(program().url));
    await page.goto('/createorganisation?guided=true');
    await page.getByRole('button', { name: 'Create another' }).click();
    await page.getByRole('tab', { name: 'Chart' }).click();
    await page.locator(`${lit}[data-state="form.editing"]`).waitFor();
    const create = page.getByRole('button', { name: 'Create organisation', exact: true });
    await create.click();
    await page.locator(`${lit}[data-state="form.invalid"]`).waitFor();
    await page.getByLabel('Sage CRM id').fill('CRM-000123');
    await page.getByLabel('Primary country').fill('GBR');
    await page.getByLabel('Admin e-mail').fill('admin@example.com');
    await page.getByLabel('Default language').fill('EN');
    await create.click();
    await page.locator(`${lit}[data-state=succeeded]`).waitFor();
    expect(await page.locator(lit).count()).toBe(1);
    expect(errors).toEqual([]);
  });

  it('are accessible in light and dark colours, and fit a narrow window', async () => {
    const { page } = visiting();
    // Beside a step: inspector.long.test.ts.
    for (const path of ['/journeys', '/journeys/debtor?at=answering.waiting']) {
      await page.goto(path);
      await page.locator('[data-state], [data-journey]').first().waitFor();
      await settled(page);
      expect(await faultsOf(page), path).toEqual([]);
    }
  });
});
