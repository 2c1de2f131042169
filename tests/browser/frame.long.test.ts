import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { isFocused } from './keyboard.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)));

describe('the regions of a step', () => {
  it('stand side by side on a wide page: 220, 560 and the rest, at least 400 px (behaviour 10.16.3)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/createcompany');
    await page.getByRole('tab', { name: 'Request' }).waitFor();
    const columns = await page
      .locator('main [data-journey]')
      .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').map(parseFloat));
    const inspector = await page.getByRole('region', { name: 'Inspector' }).locator('../..').boundingBox();
    expect([...columns, inspector?.width]).toEqual([220, 560, 645]); // a scroll bar has 15 px
  });

  it('the rail is one line under 1100 px; it opens as a drawer and gives the focus back (behaviour 10.16.3)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto('/createcompany');
    const line = page.getByRole('button', { name: /^Step 3 of 13/ });
    await line.click();
    const drawer = page.getByRole('dialog', { name: 'Guided path' });
    await drawer.getByRole('link', { name: /Get Access Token/ }).waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await isFocused(line)).toBe(true);
    await line.click();
    await drawer.getByRole('link', { name: /Get Access Token/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Get Access Token' }).waitFor();
    await drawer.waitFor({ state: 'detached' });
  });

  it.each([800, 900, 1000, 1099, 1100, 1440])(
    'the buttons of the bar end with the step’s column, not below the inspector, at %i px (behaviour 10.16.26)',
    async (width) => {
      const { page } = visiting();
      await page.setViewportSize({ width, height: 900 });
      for (const [path, button] of [
        ['/createcompany?another=true', /^(Create another|Create company)$/],
        ['/electronicpayments', /^Review$/],
      ] as const) {
        await page.goto(path);
        await page.getByRole('tab', { name: 'Request' }).waitFor();
        const pressed = page
          .getByRole('region', { name: 'Actions of this step' })
          .getByRole('button', { name: button });
        await pressed.waitFor();
        const [box, inspector] = await Promise.all(
          [pressed, page.getByRole('region', { name: 'Inspector' }).locator('../..')].map((each) => each.boundingBox()),
        );
        expect((box?.x ?? Infinity) + (box?.width ?? 0), path).toBeLessThanOrEqual(inspector?.x ?? 0);
      }
    },
  );

  it('the inspector follows below the step under 800 px', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 700, height: 900 });
    await page.goto('/createcompany');
    const tab = await page.getByRole('tab', { name: 'Request' }).boundingBox();
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(tab?.y).toBeGreaterThan((heading?.y ?? 0) + (heading?.height ?? 0));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(700);
  });
});

describe('the timeline docked in a narrow window', () => {
  it.each([390, 320])(
    'has its controls in one line, the button that closes it at the right, at %i px (behaviour 10.16.27)',
    async (width) => {
      const { page } = visiting();
      await page.setViewportSize({ width, height: 844 });
      await page.goto('/settings');
      await page.getByRole('button', { name: /^Timeline/ }).click();
      const dock = page.getByRole('region', { name: 'Timeline' });
      await dock.getByRole('table').waitFor();
      const close = (await dock.getByRole('button', { name: 'Close the timeline' }).boundingBox())!; // it is drawn
      const around = (await dock.boundingBox())!; // it is drawn
      expect(around.x + around.width - close.x - close.width).toBeLessThanOrEqual(16);
      const middles = await Promise.all(
        [
          dock.getByRole('heading', { name: 'Timeline' }),
          dock.getByRole('group', { name: 'Show' }),
          dock.getByRole('searchbox'),
          dock.getByRole('button', { name: /^Export/ }),
        ].map(async (each) => {
          const { y, height } = (await each.boundingBox())!; // it is drawn
          return y + height / 2;
        }),
      );
      for (const middle of middles) expect(Math.abs(middle - close.y - close.height / 2)).toBeLessThanOrEqual(8);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      // What is scrolled away comes into sight with the focus, and the menu is not cut off.
      const search = dock.getByRole('searchbox');
      await search.focus();
      const found = (await search.boundingBox())!; // it is drawn
      expect(found.x).toBeGreaterThanOrEqual(0);
      expect(found.x + found.width).toBeLessThanOrEqual(close.x);
      await dock.getByRole('button', { name: /^Export/ }).click();
      const item = dock.getByRole('link', { name: 'Export HAR' });
      expect(
        await item.evaluate((it) => {
          const { x, y, width: wide, height } = it.getBoundingClientRect();
          return it.contains(document.elementFromPoint(x + wide / 2, y + height / 2));
        }),
      ).toBe(true);
    },
  );
});

describe('the titles of the pages without a rail', () => {
  it.each([1440, 1024, 390])('have one left edge at %i px (behaviour 10.16.27)', async (width) => {
    const { page } = visiting();
    await page.setViewportSize({ width, height: 900 });
    const edges = new Map<string, number>();
    for (const path of ['/', '/timeline', '/sandbox', '/programs', '/run', '/reference', '/drift', '/journeys']) {
      await page.goto(path);
      await settled(page); // placeholders have headings too
      edges.set(path, (await page.getByRole('heading', { level: 1 }).boundingBox())!.x); // it is drawn
    }
    expect(new Set(edges.values()).size, JSON.stringify([...edges])).toBe(1);
  });
});
