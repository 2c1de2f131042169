import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { tools } from '#app/frame/pages.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(undefined, 'each');

const opening = 'Payments Out Console';
/** Where the parts of the page are that stay when its code arrives. */
const places = (page: Page) =>
  page.evaluate(() =>
    ['header', 'h1', 'h1 + p', 'footer', 'a[href="/journeys"]'].map((part) => {
      const { x, y, width, height } = document.querySelector(part)!.getBoundingClientRect();
      return { part, x, y, width, height };
    }),
  );
const colours = (page: Page) =>
  page.evaluate(() =>
    [getComputedStyle(document.documentElement), getComputedStyle(document.querySelector('h1')!)].map(
      ({ backgroundColor, color }) => [backgroundColor, color],
    ),
  );

/** Colours, and width in px: neither depends on the other. */
const looks = [
  ['light', 1440],
  ['dark', 390],
  ['dark', 1440],
  ['light', 390],
] as const;

describe('the home page before its code arrives', () => {
  it.each(looks)(
    'is painted in %s colours, and nothing moves when the code comes (behaviour 10.18.1, 10.18.2)',
    async (colorScheme, width) => {
      const { page, errors } = visiting();
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      let arrive: () => void = () => undefined;
      const code = new Promise<void>((resolve) => (arrive = resolve));
      await page.route('**/assets/**', async (route) => {
        await code;
        await route.continue();
      });
      await page.goto('/', { waitUntil: 'commit' });
      await page.getByRole('heading', { name: opening }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      const heading = await page.getByRole('heading', { name: opening }).elementHandle();
      const before = { places: await places(page), colours: await colours(page) };
      arrive();
      await page.getByRole('heading', { name: 'Workspace' }).waitFor();
      await page.getByRole('heading', { name: 'Last calls' }).waitFor();
      expect({ places: await places(page), colours: await colours(page) }).toEqual(before);
      // The code has taken the page over instead of drawing it once more.
      expect(await heading?.evaluate((element) => element.isConnected)).toBe(true);
      expect(errors).toEqual([]);
    },
  );
});

describe('the home page', () => {
  it('follows the remembered colours, not the system’s, and says so once its code has arrived (behaviour 10.18.1)', async () => {
    const { page, errors } = visiting();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/');
    await page.getByRole('button', { name: 'Use dark colours' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Use light colours' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.className)).toBe('dark');
    expect(errors).toEqual([]);
  });

  it('is taken over in a tab with a docked timeline and a created record (behaviour 10.18.2)', async () => {
    const { page, errors } = visiting();
    await page.goto('/');
    await page.getByRole('button', { name: /^Timeline/ }).click();
    await page.evaluate(() => history.replaceState({ usr: { done: 'settings' }, key: 'made', idx: 0 }, ''));
    await page.reload();
    await page.getByRole('button', { name: /^Timeline/, expanded: true }).waitFor();
    await page.getByRole('heading', { name: 'Workspace' }).waitFor();
    expect(errors).toEqual([]);
  });

  it('stays readable, with its links, if its code never arrives (behaviour 10.18.3)', async () => {
    const { page } = visiting();
    await page.route('**/assets/**', (route) => route.abort());
    await page.goto('/');
    await page.getByRole('heading', { name: opening }).waitFor();
    await page.unroute('**/assets/**');
    await page.getByRole('link', { name: 'Map of all journeys' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/journeys');
  });
});

describe('a page that is opened directly', () => {
  it.each(looks)(
    'of a step is painted in %s colours at %i px with its heading and purpose, which stay when the code comes (behaviour 10.18.8)',
    async (colorScheme, width) => {
      const { page, errors } = visiting();
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      let arrive: () => void = () => undefined;
      const code = new Promise<void>((resolve) => (arrive = resolve));
      await page.route('**/assets/**', async (route) => {
        await code;
        await route.continue();
      });
      await page.goto('/settings', { waitUntil: 'commit' });
      await page.locator('h1 + p').waitFor();
      const at = () =>
        page.evaluate(() => {
          const { x, y } = document.querySelector('h1')!.getBoundingClientRect();
          return { x, y, text: document.querySelector('h1')!.textContent };
        });
      const before = await at();
      arrive();
      await page.locator('[data-journey][data-state]').waitFor();
      await expect.poll(at).toEqual(before);
      expect(errors).toEqual([]);
    },
  );

  it.each(tools.map(({ path, purpose }) => [path, purpose] as const))(
    'of the tool %s is painted with its heading and purpose, which stay when the code comes (behaviour 10.18.10)',
    async (path, purpose) => {
      const { page, errors } = visiting();
      let arrive: () => void = () => undefined;
      const code = new Promise<void>((resolve) => (arrive = resolve));
      await page.route('**/assets/**', async (route) => {
        await code;
        await route.continue();
      });
      await page.goto(path, { waitUntil: 'commit' });
      const heading = page.getByRole('heading', { level: 1 });
      await heading.waitFor();
      if (purpose !== '') await page.getByText(purpose).waitFor();
      const at = async () => {
        const { x, y } = (await heading.boundingBox())!; // it is drawn
        return { x, y, text: await heading.innerText() };
      };
      const before = await at();
      const placeholder = await page.getByRole('status', { name: 'Loading' }).elementHandle();
      arrive();
      await placeholder?.waitForElementState('hidden');
      expect(await at()).toEqual(before);
      expect(errors).toEqual([]);
    },
  );

  it('of a step reads the facts once, from before its code has arrived (behaviour 10.18.5)', async () => {
    const { page, errors } = visiting();
    const reads: number[] = [];
    let code = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/facts')) reads.push(code);
    });
    await page.route('**/assets/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      code += 1;
      await route.continue();
    });
    await page.goto('/createorganisation');
    await page.getByRole('button', { name: 'Create organisation', exact: true }).waitFor();
    expect(reads).toEqual([0]);
    expect(errors).toEqual([]);
  });

  it('asks for its own modules together with the page’s (behaviour 10.18.4)', async () => {
    const { page, errors } = visiting();
    const late = await (async () => {
      await page.goto('/electronicpayments');
      await page.getByRole('alertdialog').waitFor();
      return page.evaluate(() => {
        const named = new Set(
          [...document.head.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')].map(({ href }) => href),
        );
        const loaded = performance.getEntriesByType('resource').map(({ name }) => name);
        return ['vendor', 'steps'].filter(
          (chunk) => !loaded.some((url) => named.has(url) && url.includes(`/assets/${chunk}-`)),
        );
      });
    })();
    expect(late).toEqual([]);
    expect(errors).toEqual([]);
  });
});

/** Four lines each, and the brackets around them: ten thousand lines. */
const providers = Array.from({ length: 2_500 }, (_, at) => ({
  providerId: `id-${at}`,
  name: at === 2_470 ? 'The one that is sought' : `Provider ${at}`,
}));
/** What a provider has besides, which its card shows. */
const rest = { country: ['GB'], accountType: { capabilities: [], validationRules: [] } };
const lines = 4 * providers.length + 2;
const lineHeight = 22;

const tree = (page: Page) => page.getByRole('tree');
const drawn = (page: Page) => tree(page).getByRole('treeitem').count();
const frame = (page: Page) =>
  tree(page).evaluate(({ scrollTop, scrollHeight, clientHeight }) => ({ scrollTop, scrollHeight, clientHeight }));

/** Opens the page of the providers as if the service had so many. */
async function open(page: Page): Promise<void> {
  await page.route('**/api/providers?*', (route) =>
    route.fulfill({ json: { data: providers.map((each) => ({ ...each, ...rest })), raw: JSON.stringify(providers) } }),
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
