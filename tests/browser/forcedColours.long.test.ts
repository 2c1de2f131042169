import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)));

const paths = [
  '/',
  '/journeys',
  '/journeys/electronicPayment',
  '/timeline',
  '/timeline?show=all&reads=true',
  '/programs',
  '/run',
  '/reference',
  '/drift',
  ...['practise', 'faults', 'clock', 'webhooks', 'magic', 'start-from'].map((tab) => `/sandbox#${tab}`),
  ...journeyOrder.map((id) => journeyOf(id).path),
];

/** The largest part of a page (px) that counts as a mark: a wider or higher one is a surface. */
const largest = { width: 400, height: 80 };

/** Marks the small parts of a page that have a background of their own, and names them. A row's words say its state. */
const markBackgrounds = (page: Page) =>
  page.evaluate(({ width, height }) => {
    const groundOf = (element: Element | null): string => {
      const { backgroundColor = '' } = element ? getComputedStyle(element) : {};
      return !element || !/^rgba\(.*, 0\)$/.test(backgroundColor) ? backgroundColor : groundOf(element.parentElement);
    };
    for (const element of document.querySelectorAll('#root *')) {
      const box = element.getBoundingClientRect();
      const isMark = box.width > 0 && box.width <= width && box.height > 0 && box.height <= height;
      const own = getComputedStyle(element).backgroundColor;
      if (
        isMark &&
        groundOf(element) === own &&
        own !== groundOf(element.parentElement) &&
        !element.closest('svg, [role=row]')
      )
        element.setAttribute('data-background', '');
    }
  }, largest);

/** The marked parts that have neither an edge nor a colour of their own, as they are drawn now. */
const edgeless = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-background]')]
      .filter((element) => {
        const { borderTopWidth, borderTopStyle, outlineStyle, forcedColorAdjust, appearance } =
          getComputedStyle(element);
        const hasEdge = (parseFloat(borderTopWidth) > 0 && borderTopStyle !== 'none') || outlineStyle !== 'none';
        return !hasEdge && forcedColorAdjust !== 'none' && appearance === 'none';
      })
      .map((element) => `${element.outerHTML.slice(0, 160)} …`),
  );

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
}

describe('in forced colours', () => {
  it.each(paths)(
    '%s draws an edge around each part that its background sets apart (behaviour 10.11.2)',
    async (path) => {
      const { page } = visiting();
      await open(page, path);
      await markBackgrounds(page);
      await page.emulateMedia({ forcedColors: 'active' });
      expect(await edgeless(page)).toEqual([]);
    },
  );

  it('a part that only its background sets apart would be found (behaviour 10.11.2)', async () => {
    const { page } = visiting();
    await open(page, '/programs');
    await page.evaluate(() => {
      const planted = document.createElement('b');
      planted.textContent = 'Failed';
      planted.style.background = 'rgb(200, 0, 0)';
      document.querySelector('main')!.append(planted);
      planted.style.display = 'inline-block';
      planted.style.width = '100px';
    });
    await markBackgrounds(page);
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await edgeless(page)).toEqual([expect.stringContaining('Failed')]);
  });
});
