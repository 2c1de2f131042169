import { describe, expect, it } from 'vitest';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole();

/** The labels of the page's drawings that are wider than their box, or than the room of a transition's label. */
const overflowing = () =>
  [...document.querySelectorAll<SVGGElement>('g[data-journey], g[data-state]')].flatMap((group) => {
    const box = group.querySelector('rect')!.getBoundingClientRect();
    return [...group.querySelectorAll('text')]
      .filter((text) => {
        const { left, right } = text.getBoundingClientRect();
        return left < box.left || right > box.right;
      })
      .map((text) => text.textContent);
  });

describe.each(['DejaVu Sans', 'DejaVu Serif', 'DejaVu Sans Mono', 'sans-serif', 'cursive'])(
  'with the font %s no label is wider than its box (behaviour 10.16.19)',
  (font) => {
    it.each(['/journeys', '/journeys/electronicPayment', '/journeys/authorisation', '/journeys/debtorQuery'])(
      'at %s',
      async (path) => {
        const { page } = visiting();
        await page.addInitScript((name) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(`svg text { font-family: ${name} !important }`);
          document.adoptedStyleSheets = [sheet];
        }, font);
        await page.goto(path);
        await page.locator('main svg text').first().waitFor();
        expect(await page.evaluate(overflowing)).toEqual([]);
      },
    );
  },
);

it.each([1440, 1600])('the buttons of the docked timeline stand in its first row at %i', async (width) => {
  const { page } = visiting();
  await page.setViewportSize({ width, height: 900 });
  await page.goto('/');
  await page
    .getByRole('button', { name: /^Timeline/ })
    .last()
    .click();
  const dock = page.getByRole('region', { name: 'Timeline' });
  const top = async (name: string) =>
    (await dock.getByRole('button', { name }).or(dock.getByRole('link', { name })).boundingBox())!;
  const [first, whole, close] = [await top('Export'), await top('Full page'), await top('Close the timeline')];
  for (const { y, height } of [whole, close])
    expect(Math.abs(y + height / 2 - first.y - first.height / 2)).toBeLessThan(6);
});
