import { chromium } from 'playwright-core';
import { expect, inject, it, onTestFinished } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { newConsole } from '#tests/support/consoleProcess.ts';
import { subscribeTo } from '#tests/support/guidedPath.ts';
import { identityProvider } from '#tests/support/identityProvider.ts';
import { tlsProxy } from '#tests/support/tls.ts';
import { perform } from './guidedSteps.ts';
import { visit } from './visit.ts';

it('a user who visits another host name logs in, authorises, transfers and comes back, at the sandbox’s public URL (behaviour 7.6)', async () => {
  const program = await newConsole();
  onTestFinished(() => program.remove());
  const front = await tlsProxy('console.localhost', () => program.url);
  onTestFinished(front.close);
  const sandbox = await tlsProxy('sandbox.localhost', () => program.sandboxUrl);
  onTestFinished(sandbox.close);
  const { issuer, clientId, clientSecret, publicUrl } = await identityProvider(front.url);
  await program.start({
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: clientSecret!,
    PUBLIC_URL: publicUrl,
    SANDBOX_PUBLIC_URL: sandbox.url,
  });
  const browser = await chromium.connect(inject('chromium'));
  onTestFinished(() => browser.close());
  const { page, errors } = await visit(browser, front.url, { ignoreHTTPSErrors: true });
  const asked = new Map<string, Set<string>>();
  page.context().on('request', (request) => {
    const { origin, pathname } = new URL(request.url());
    asked.set(origin, (asked.get(origin) ?? new Set()).add(pathname.replace(/^\/of\/[^/]+/, '')));
  });

  await page.goto('/');
  await page.getByPlaceholder('Enter any login').fill('ada');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('ada <& Co>').waitFor();
  // The sign-in page is another's, with what it loads and complains about.
  asked.clear();
  const complaints = errors.length;
  const cookies = await page.context().cookies();
  const api = apiAt(program.url, () => ({ cookie: cookies.map(({ name, value }) => `${name}=${value}`).join('; ') }));
  await api.done('createOrganisation', { body: organisationBody });
  await api.done('createCompany', { body: companyBody('Example & Co') });
  await api.done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });

  await page.goto('/getnetworkaccesstoken');
  await perform(page, 'Get User Token');
  const provider = (await api.done('getProviders')).data.find(({ name }) => name === 'Larkfield Bacs Bureau')!; // in its catalogue
  await subscribeTo(api, provider, provider.accountType.validationRules);
  await page.goto('/subscriptionlist');
  await perform(page, 'List');

  await page.goto('/etransfer');
  const frame = page.frameLocator('iframe');
  await frame.getByLabel("Recipient's e-mail").fill('user@example.com');
  await frame.getByRole('button', { name: 'Send request' }).click();
  await frame.getByText('is recorded').waitFor();

  expect([...asked.keys()].sort()).toEqual([front.url, sandbox.url]);
  const paths = [...asked.get(sandbox.url)!];
  for (const path of ['/idp/authorize', '/provider/subscription/authorise/', '/etransfer/request'])
    expect(
      paths.some((each) => each.startsWith(path)),
      path,
    ).toBe(true);
  expect(errors.slice(complaints)).toEqual([]);
}, 180_000);
