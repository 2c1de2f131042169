import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Provider, Rule } from '#contract/lookup.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import type { Catalogue } from '#server/sandbox/catalogue/types.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { onboard } from '#tests/support/guidedPath.ts';
import { visit } from './visit.ts';

const many = 10_000;
const word = 'w'.repeat(many);
const turned = '\u202Etxet denruT\u202D';
const slow = '^\\w{0,255}\\w{0,255}\\w{0,255}(?=\\w{80}!)\\w';

const rule = (index: number): Rule => ({
  ruleId: `rule-${index}`,
  validation: {
    apiPath: 'Subscriptions',
    jsonPath: `additionalData.field${index}`,
    optionality: index === many - 1 ? 'Required' : 'Optional',
    uiLabel: index === 0 ? word : index === 1 ? turned : `Field ${index}`,
    description: index === 0 ? word : 'Any text',
    regex: slow,
    errorMessage: `Field ${index}: ${index === 0 ? word : 'enter something else'}`,
  },
});

const provider = (name: string, rules: Rule[]): Provider => ({
  providerId: `provider ${name}`.slice(0, 60),
  name,
  country: ['GB'],
  accountType: { capabilities: ['SubscriptionRequired', 'DebtorAccountRequired'], validationRules: rules },
});

const providers = [
  provider(
    'Ten thousand rules',
    Array.from({ length: many }, (_, index) => rule(index)),
  ),
  provider(word, []),
  provider(turned, []),
  ...Array.from({ length: many }, (_, index) => provider(`Provider ${index}`, [])),
];

/** Definitions that are too many, too long, turned around and slow. */
const hostile: Catalogue = {
  ...catalogue,
  providersFor: () => providers,
  providerById: (id) => providers.find(({ providerId }) => providerId === id),
};

/** What makes the page wider than the window, so that one would have to scroll sideways. */
const sideways = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    return [...document.querySelectorAll('main *')]
      .filter((each) => each.getBoundingClientRect().right > clientWidth)
      .slice(-8)
      .map(({ tagName, className }) => `${tagName} ${String(className).slice(0, 60)}`);
  });

describe('definitions of ten thousand parts', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.connect(inject('chromium'));
  });
  afterAll(() => browser.close());

  it.each([1440, 390])('leave the pages usable, %i wide (threat 4.1)', { timeout: 120_000 }, async (width) => {
    const server = await testConsole({
      pageFolder: 'dist/page',
      upstreamUrl: async () => (await testSandbox({ catalogue: hostile })).url,
    });
    await onboard(server);
    const visiting = await visit(browser, server.url);
    const { page, errors } = visiting;
    try {
      await page.setViewportSize({ width, height: 900 });
      await page.goto('/onboardingsubscription');
      const select = page.getByRole('combobox', { name: 'Select Provider' });
      await select.click();
      await select.fill('Ten thousand');
      await page.getByRole('option', { name: 'Ten thousand rules' }).click();
      const fields = page.getByRole('textbox');
      await page.getByRole('navigation', { name: 'Pages of fields' }).waitFor();
      expect(await fields.count()).toBeLessThan(100);
      expect(await sideways(page)).toEqual([]);
      // A slow pattern neither hangs the page nor, as a draft, the page after it.
      await fields.nth(2).fill('w'.repeat(255));
      await page.getByRole('button', { name: 'Create Subscription' }).click();
      await page.getByText('There are 2 problems').waitFor();
      await page.reload();
      await page.getByRole('navigation', { name: 'Pages of fields' }).waitFor();
      await page.getByRole('button', { name: 'Create Subscription' }).click();
      await page.getByRole('link', { name: `Field ${many - 1}: enter something else` }).click();
      await page.getByRole('textbox', { name: `Field ${many - 1}` }).waitFor();
      expect(
        await page.getByRole('textbox', { name: `Field ${many - 1}` }).evaluate((it) => it === document.activeElement),
      ).toBe(true);
      for (const path of ['/providers', '/additionaldata', '/']) {
        await page.goto(path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        // Where the timeline is followed the network never rests.
        await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
        expect(await sideways(page), path).toEqual([]);
      }
      // With so many definitions, a slow machine may take seconds until it uses what it has preloaded.
      expect(errors.filter((error) => !/ was preloaded .* but not used within a few seconds/.test(error))).toEqual([]);
    } finally {
      await visiting.close();
    }
  });
});
