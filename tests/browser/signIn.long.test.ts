import { chromium, type Page } from 'playwright-core';
import { expect, inject, it, onTestFinished } from 'vitest';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { identityProvider } from '#tests/support/identityProvider.ts';
import { visit } from './visit.ts';
import { choose } from './guidedSteps.ts';

/** Follows the provider's pages: log in, agree. */
async function logIn(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(login);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

it('two users sign in, each works in a workspace of their own, and signs out (threat 2.7, 2.11)', async () => {
  const program = await newConsole();
  onTestFinished(() => program.remove());
  const { issuer, clientId, clientSecret, publicUrl } = await identityProvider(program.url);
  await program.start({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret!,
    PUBLIC_URL: publicUrl,
  });
  const browser = await chromium.connect(inject('chromium'));
  onTestFinished(() => browser.close());
  const [ada, ben] = [await visit(browser, program.url), await visit(browser, program.url)];

  for (const [{ page }, login, country] of [
    [ada, 'ada', 'AU'],
    [ben, 'ben', 'CA'],
  ] as const) {
    await page.goto('/settings');
    await logIn(page, login);
    await page.waitForURL('**/settings');
    await page.getByText(`${login} <& Co>`).waitFor();
    await page.getByText('PR Ctry: unknown').waitFor();
    await choose(page.getByLabel('Provider country'), country);
    await page.getByText(`PR Ctry: ${country}`).waitFor();
  }
  await ada.page.reload();
  await ada.page.getByText('PR Ctry: AU').waitFor();

  const { page } = ada;
  await page.goto('/createorganisation');
  await page.getByLabel('Sage CRM id').fill('CRM-000123');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.getByText('You are signed out.').waitFor();
  expect(new URL(page.url()).pathname).toBe('/signedout');
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((slot) => slot.startsWith('draft')))).toEqual([]);
  await ben.page.reload();
  await ben.page.getByText('PR Ctry: CA').waitFor();

  // Signed out in another tab: the page that is still open says so, and the way back leads to it.
  const other = await ben.page.context().newPage();
  const signOut = async () => {
    await other.goto('/');
    await other.getByRole('button', { name: 'Sign out' }).click();
    await other.getByRole('button', { name: 'Yes, sign me out' }).click();
    await other.getByText('You are signed out.').waitFor();
  };
  await signOut();
  await choose(ben.page.getByLabel('Provider country'), 'GB');
  await ben.page.getByRole('link', { name: 'Sign in' }).click();
  await logIn(ben.page, 'ben');
  await ben.page.waitForURL('**/settings');
  await ben.page.getByText('PR Ctry: CA').waitFor();

  // What is typed outlasts that, but is not shown to another user of the same tab.
  const crmId = ben.page.getByLabel('Sage CRM id');
  await ben.page.goto('/createorganisation');
  await crmId.fill('CRM-000123');
  for (const [login, kept] of [
    ['ben', 'CRM-000123'],
    ['ada', ''],
  ] as const) {
    await signOut();
    await ben.page.reload();
    await logIn(ben.page, login);
    await ben.page.getByText(`${login} <& Co>`).waitFor();
    await crmId.waitFor();
    expect(await crmId.inputValue()).toBe(kept);
  }

  // Somebody else signs in from another tab: the page that is still open says so, and changes nothing of theirs.
  await ben.page.goto('/settings');
  await ben.page.getByText('PR Ctry: AU').waitFor();
  await signOut();
  await other.goto('/settings');
  await logIn(other, 'ben');
  await other.getByText('PR Ctry: CA').waitFor();
  await choose(ben.page.getByLabel('Provider country'), 'US');
  await ben.page.getByRole('heading', { name: 'Another user has signed in' }).waitFor();
  await ben.page.getByText('The request was not sent', { exact: false }).first().waitFor();
  await other.reload();
  await other.getByText('PR Ctry: CA').waitFor();

  // As the page says, it goes on once its own user has signed in again there.
  await signOut();
  await other.goto('/settings');
  await logIn(other, 'ada');
  await other.getByText('PR Ctry: AU').waitFor();
  await ben.page.getByRole('button', { name: 'Try again' }).click();
  await ben.page.getByText('PR Ctry: US').waitFor();
  await signOut();
  await other.goto('/settings');
  await logIn(other, 'ben');
  await other.getByText('PR Ctry: CA').waitFor();
  await ben.page.reload();
  await ben.page.getByText('ben <& Co>').waitFor();
});
