import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Page } from 'playwright-core';
import { arrive, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';
import { visit } from './visit.ts';

let page: Page;

const { visiting, program } = sharedConsole();
beforeEach(() => ({ page } = visiting()));

describe('behaviour, section 8, in the browser: loading of code', () => {
  const chunks = '**/assets/steps-*';
  const openHealth = async () => {
    await page.getByRole('button', { name: 'Misc' }).click();
    await page.getByRole('link', { name: 'ConsumerAPI Health' }).click();
    await arrive(page, 'Loading chunk failed');
    await page.unroute(chunks);
  };

  it('Loading chunk failed is shown in place of the page, which then loads again automatically (behaviour 8.5)', async () => {
    await page.route(chunks, (route) => route.abort());
    await page.goto('/');
    await openHealth();
    await arrive(page, 'ConsumerAPI Health');
  });

  it('a chunk that hangs reloads the page once after 120 s; then Loading chunk failed stays, with Reload (behaviour 2.12)', async () => {
    const tab = await visit(page.context().browser()!, program().url); // of a context with a browser
    await tab.page.clock.install();
    let loads = 0;
    tab.page.on('domcontentloaded', () => (loads += 1));
    await tab.page.route(chunks, () => undefined);
    const failure = tab.page.getByRole('heading', { level: 1, name: 'Loading chunk failed' });
    /** Lets time pass in the page, half a minute at a time, until it fulfils an expectation. */
    const passUntil = (expectation: () => unknown) =>
      vi.waitFor(
        async () => {
          await tab.page.clock.fastForward(30_000);
          await expectation();
        },
        { timeout: 60_000, interval: 200 },
      );
    await tab.page.goto('/consumerhealth');
    await passUntil(() => expect(loads).toBe(2));
    await passUntil(async () => expect(await failure.isVisible()).toBe(true));
    for (let times = 0; times < 20; times += 1) await tab.page.clock.fastForward(30_000);
    expect(await failure.isVisible()).toBe(true);
    expect(loads).toBe(2);
    await tab.page.unroute(chunks);
    await press(tab.page, 'Reload');
    await arrive(tab.page, 'ConsumerAPI Health');
    await tab.close();
  });
});
