import type { Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { stepHeader } from '#contract/constants.ts';
import { apiAt } from '#tests/support/api.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)), 'each');

const journeys: readonly [group: string, title: string, file: string, expected: string[]][] = [
  ['Debtors/Creditors', 'Create Debtor', 'PartyStep', ['/api/localinstruments', '/api/messages', '/api/providers']],
  [
    'Payments',
    'Electronic Payments',
    'PaymentStep',
    ['/api/creditors', '/api/debtors', '/api/invoices', '/api/localinstruments', '/api/providers'],
  ],
  ['Subscriptions', 'List', 'AuthorisationStep', ['/api/settings']],
];

describe('a journey that is opened reads what it needs while its code is on its way, and once', () => {
  it.each(allPaths ? journeys : journeys.slice(0, 1))('%s: %s', async (group, title, file, expected) => {
    const { page, errors } = visiting();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Workspace' }).waitFor();
    let arrive: () => void = () => undefined;
    const code = new Promise<void>((resolve) => (arrive = resolve));
    await page.route(`**/assets/${file}-*`, async (route) => {
      await code;
      await route.continue();
    });
    const asked: Request[] = [];
    page.on('request', (request) => {
      if (/\/api\/(?!facts|timeline|events|lab)/.test(request.url())) asked.push(request);
    });
    const addresses = () => asked.map((request) => request.url());
    const paths = () => asked.map((request) => /\/api\/\w+/.exec(request.url())?.[0]).sort();
    const menu = page.getByRole('navigation', { name: 'Journeys' });
    await menu.getByRole('button', { name: group }).click();
    await menu.getByRole('link', { name: title, exact: true }).click();
    await expect.poll(paths).toEqual(expected);
    // The timeline has them where they belong.
    const places = await Promise.all(asked.map((request) => request.headerValue(stepHeader)));
    expect(new Set(places)).toEqual(new Set([expect.stringMatching(/^\w+\/loading$/)]));
    arrive();
    await page.locator('[data-state]:not([data-state*=loading])').waitFor();
    expect(addresses()).toEqual([...new Set(addresses())]);
    expect(errors).toEqual([]);
  });
});
