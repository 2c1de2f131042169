import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { confirmAnother, enter, entries, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';

const { visiting, program } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  await onboard(api);
  await subscribe(api, 'Larkfield Bacs Bureau');
});
const api = () => apiAt(program().url);
const field = (page: Page) => page.getByLabel('External id', { exact: true });

/** Opens the form of another account. */
async function openAnother(page: Page): Promise<void> {
  await page.goto('/createaccount');
  await confirmAnother(page);
  await field(page).waitFor();
}

const accountId = async () => (await api().done('getSettings')).accountId;

/** Creates an account in a page, and gives its id. */
async function create(page: Page, externalId: string): Promise<string> {
  const before = await accountId();
  await field(page).fill(externalId);
  await press(page, 'Create account');
  await expect.poll(accountId).not.toBe(before);
  return accountId();
}

describe('the form of an account in a second tab', () => {
  it('asks first once another tab has created one, and the other tab names the one in use (behaviour 6.5)', async () => {
    const { page } = visiting();
    const other = await page.context().newPage();
    await openAnother(page);
    await openAnother(other);
    await field(other).fill('SECOND-2');
    await create(page, 'FIRST-1');
    const again = other.getByRole('button', { name: 'Create another' });
    await again.waitFor();
    expect(await field(other).count()).toBe(0);
    await page.goto('/createaccount');
    await again.click();
    expect(await field(other).inputValue(), 'what was typed stays').toBe('SECOND-2');
    const second = await create(other, 'SECOND-2');
    await page.getByText(second.slice(0, 8)).first().waitFor();
    await other.close();
  });

  it('is refused and asks where it has not heard of the other one (behaviour 6.5)', async () => {
    const { page } = visiting();
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'BroadcastChannel'));
    await openAnother(page);
    const other = await page.context().newPage();
    await openAnother(other);
    const first = await create(other, 'FIRST-3');
    await field(page).fill('SECOND-4');
    await press(page, 'Create account');
    await page.getByRole('button', { name: 'Create another' }).waitFor();
    expect(await accountId()).toBe(first);
    await other.close();
  });
});

describe('a debtor or creditor that exists', () => {
  it.each([
    ['creditor', '/creditors', { ...entries.creditor, 'Payee name': 'Twice Ltd' }, 'Twice Ltd'],
    ['debtor', '/debtors', { ...entries.debtor, 'Account name': 'Twice' }, 'Twice'],
  ] as const)(
    'is named and asked about before a second %s, also of another tab (behaviour 4.65)',
    async (one, path, typed, name) => {
      const { page } = visiting();
      const count = async () => (await api().done('getFacts'))[one === 'debtor' ? 'debtors' : 'creditors'];
      const before = await count();
      const other = await page.context().newPage();
      await page.goto(path);
      await enter(page, typed);
      await other.goto(path);
      await enter(other, typed);
      await press(other, `Create ${one}`);
      await other.waitForURL(({ pathname }) => pathname === '/');
      await press(page, `Create ${one}`);
      await page.getByRole('alert').getByText(`${name} with the same account exists already`).waitFor();
      expect(await count()).toBe(before + 1);
      await press(page, `Create a second ${one} with these values`);
      await expect.poll(count).toBe(before + 2);
      await other.close();
    },
  );
});
