import { it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guided.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(async (program) => {
  const api = apiAt(program.url);
  await onboard(api);
  await subscribe(api);
});

it('pictures', async () => {
  const { page } = visiting();
  const shot = (name: string) => page.screenshot({ animations: 'disabled', path: `/tmp/insp/${name}.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
  const url = '';
  const go = async (path: string) => {
    await page.goto(url + path);
    await page
      .getByRole('tab', { name: 'Request' })
      .waitFor({ timeout: 15_000 })
      .catch(() => {});
    await page.waitForTimeout(700);
  };
  await go('/createcompany');
  const another = page.getByRole('button', { name: 'Create another' });
  if (await another.isVisible()) await another.click();
  await page.getByLabel('Name', { exact: true }).fill('Applewick Trading');
  await page.getByLabel('External id', { exact: true }).fill('APL-001');
  await page.getByLabel('Tax number', { exact: true }).fill('GB123456789');
  await page.getByLabel('Standard industrial code', { exact: true }).fill('62020');
  await page.getByLabel('Name', { exact: true }).focus();
  await page.waitForTimeout(300);
  await shot('company');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.evaluate(() => document.documentElement.classList.replace('light', 'dark'));
  await page.waitForTimeout(300);
  await shot('company-dark');
  for (const tab of ['Code', 'Chart', 'Webhook']) {
    await page.getByRole('tab', { name: tab }).click();
    await page.waitForTimeout(900);
    await shot(`company-${tab}`);
  }
  await go('/createdebtor');
  await shot('debtor');
  await page.getByRole('tab', { name: 'Response' }).click();
  await page.waitForTimeout(400);
  await shot('debtor-response');
  await page.getByRole('tab', { name: /Webhook/ }).click();
  await page.waitForTimeout(400);
  await shot('debtor-webhook');
  await go('/electronicpayments');
  await shot('payment');
  await page.setViewportSize({ width: 390, height: 844 });
  await go('/createcompany');
  await page.screenshot({ path: '/tmp/insp/company-390.png', fullPage: true });
}, 120_000);
