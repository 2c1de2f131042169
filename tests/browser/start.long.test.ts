import { describe, expect, it } from 'vitest';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole();

const paths = [
  ...journeyOrder.map((id) => journeyOf(id).path),
  '/',
  '/journeys',
  '/journeys/debtor',
  '/timeline',
  '/sandbox',
  '/programs',
  '/run',
];
const scripts = '**/assets/*.js';

describe('a page whose scripts do not load', () => {
  it.each(paths)('%s has its frame (behaviour 2.14)', async (path) => {
    const { page } = visiting();
    await page.route(scripts, (route) => route.abort());
    await page.goto(path);
    expect(await page.getByRole('navigation', { name: 'Journeys' }).isVisible()).toBe(true);
    expect(await page.getByText('The console is loading').isVisible()).toBe(false);
    await page.unroute(scripts);
  });

  it.each(['/', '/settings', '/journeys/debtor'])('%s says so (behaviour 2.15)', async (path) => {
    const { page } = visiting();
    await page.route(scripts, (route) => route.abort());
    await page.goto(path);
    await page.getByText('its scripts do not reach the browser').waitFor({ timeout: 8000 });
    await page.unroute(scripts);
  });

  it.each(['/console/', '/console/settings', '/a/b/c'])(
    '%s, behind a prefix, says so (behaviour 2.15)',
    async (path) => {
      const { page } = visiting();
      await page.route(scripts, (route) => route.abort());
      await page.goto(path);
      await page.getByText('without a path in front of /assets').waitFor({ timeout: 4000 });
      await page.unroute(scripts);
    },
  );
});

it('the notice is gone once the page runs', async () => {
  const { page } = visiting();
  await page.goto('/settings');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator('#start').count()).toBe(0);
});
