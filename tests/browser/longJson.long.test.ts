import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(undefined, 'each');

/** Four lines each, and the brackets around them: ten thousand lines. */
const providers = Array.from({ length: 2_500 }, (_, at) => ({
  providerId: `id-${at}`,
  name: at === 2_470 ? 'The one that is sought' : `Provider ${at}`,
}));
const lines = 4 * providers.length + 2;
const lineHeight = 22;

const tree = (page: Page) => page.getByRole('tree');
const drawn = (page: Page) => tree(page).getByRole('treeitem').count();
const frame = (page: Page) =>
  tree(page).evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({ scrollTop, scrollHeight, clientHeight }));

/** Opens the page of the providers as if the service had so many. */
async function open(page: Page): Promise<void> {
  await page.route('**/api/providers?*', (route) =>
    route.fulfill({ json: { data: providers, raw: JSON.stringify(providers) } }),
  );
  await page.goto('/providers');
  await tree(page).getByText('"id-0"').waitFor();
}

/** The lines in sight that are not where their number says: their texts. */
const displaced = (page: Page): Promise<string[]> =>
  tree(page).evaluate((box, height) => {
    const items = [...box.querySelectorAll<HTMLElement>('[role=treeitem]')];
    const top = box.getBoundingClientRect().top - box.scrollTop;
    return items.flatMap((item) => {
      const place = (item.getBoundingClientRect().top - top) / height;
      return Math.abs(place - Number(/\d+$/.exec(item.id)?.[0])) < 0.1 ? [] : [`${item.id}: ${place}`];
    });
  }, lineHeight);

describe('a response of ten thousand lines', () => {
  it('is scrolled to its end without a jump, with few of its lines in the document (behaviour 10.16.14)', async () => {
    const { page, errors } = visiting();
    await open(page);
    const { scrollHeight } = await frame(page);
    expect(scrollHeight).toBeGreaterThanOrEqual(lines * lineHeight);
    await tree(page).hover();
    let before = -1;
    for (let wheels = 0; wheels < 20; wheels += 1) {
      await page.mouse.wheel(0, 3_000);
      await expect.poll(async () => (await frame(page)).scrollTop).toBeGreaterThan(before);
      const here = await frame(page);
      expect(here.scrollHeight).toBe(scrollHeight);
      expect(await displaced(page)).toEqual([]);
      expect(await drawn(page)).toBeLessThan(120);
      before = here.scrollTop;
    }
    await tree(page).focus();
    await page.keyboard.press('End');
    await tree(page).getByText('"Provider 2499"').waitFor();
    const { scrollTop, clientHeight } = await frame(page);
    expect(scrollTop + clientHeight).toBeGreaterThan(scrollHeight - 3 * lineHeight);
    expect(errors).toEqual([]);
  });
});
