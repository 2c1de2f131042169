import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { journeyOf, journeyOrder, type JourneyId } from '#machines/journeys.ts';
import { apiAt } from '#tests/support/api.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { arrive } from './guidedSteps.ts';
import { faultsOf, settled, show } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)), 'all');

/** Pages that are made of the same parts as another one; their faults are looked for in `npm run test:all`. */
const alike: readonly JourneyId[] = [
  'company' as const,
  'dataset' as const,
  'userToken' as const,
  'bankSubscription' as const,
  'creditor' as const,
  'creditorQuery' as const,
  'filePayment' as const,
  'messagingHealth' as const,
  'bankFiles' as const,
  'translations' as const,
  'account' as const,
];

/** Every page that has a name: what the palette calls it, its heading, its name in the window's title. */
const screens = [
  ...journeyOrder.map((id) => {
    const { path, title, group = '' } = journeyOf(id);
    const isJudged = allPaths || !alike.includes(id);
    return {
      path,
      entry: `${title} ${group}`.trim(),
      heading: title,
      name: group ? `${group}: ${title}` : title,
      isJudged,
    };
  }),
  { path: '/', entry: 'Home', heading: 'Home', name: 'Home', isJudged: true },
];

/** Goes from the page that is open to another one, as a user does who knows its name. */
async function goTo(page: Page, entry: string): Promise<void> {
  await page.keyboard.press('Control+K');
  await page.getByRole('option', { name: new RegExp(`^${entry}`) }).click();
}

describe('every screen, its lists filled, in light and dark colours', () => {
  it('/nowhere', async () => {
    const { page } = visiting();
    await page.goto('/nowhere');
    await arrive(page, 'Page not found');
    expect(await page.title()).toBe('Page not found · Payments Out Console');
    await settled(page);
    expect(await faultsOf(page)).toEqual([]);
  });

  it.each(screens)('$path (behaviour 10.11.1, 10.11.6)', async ({ path, entry, heading, name, isJudged }) => {
    const { page, errors } = visiting();
    const before = errors.length;
    if (!page.url().startsWith('http')) await page.goto('/');
    await goTo(page, entry);
    await arrive(page, heading);
    await page.locator('h1:focus').waitFor();
    expect(await page.title()).toBe(`${name} · Payments Out Console`);
    expect(new URL(page.url()).pathname).toBe(path);
    await settled(page);
    if (isJudged) expect(await faultsOf(page)).toEqual([]);
    expect(errors.slice(before)).toEqual([]);
  });
});

it('nothing moves for a user who prefers reduced motion, also when the colours change', async () => {
  const { page } = visiting();
  await page.goto('/creditors');
  await settled(page);
  for (const mode of ['dark', 'light'] as const) {
    await show(page, mode);
    const moving = await page.evaluate(() =>
      document.getAnimations().map(({ effect }) => effect?.getTiming().duration),
    );
    expect(moving).toEqual([]);
  }
});
