import { describe, expect, it } from 'vitest';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole();

describe('back, forward and reload', () => {
  it('keep unsent input', async () => {
    const { page } = visiting();
    const field = page.getByLabel('Sage CRM id', { exact: true });
    await page.goto('/');
    await page.goto('/createorganisation');
    await field.fill('CRM-000123');
    await page.goBack();
    await page.getByRole('heading', { name: 'Guided path' }).waitFor();
    await page.goForward();
    expect(await field.inputValue()).toBe('CRM-000123');
    await page.reload();
    expect(await field.inputValue()).toBe('CRM-000123');
  });
});
