import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)));

/** The tools' pages, which show what they read. */
const tools = [
  '/timeline',
  '/timeline?show=console',
  '/timeline?show=webhooks&reads=true',
  '/timeline?entry=1',
  '/journeys',
  '/programs',
  '/reference',
  '/drift',
  ...['practise', 'faults', 'clock', 'webhooks', 'magic', 'start-from'].map((tab) => `/sandbox#${tab}`),
];

const steps = journeyOrder.map((id) => journeyOf(id).path);

/** Reads nothing of the console but the description, which is no call. */
const waitless = ['/reference'];

/** Widths of a tool's page in px, each with the most that may move, as browsers score it; the first as in docs/bench.md. */
const widths = [
  [1440, 0.02],
  [390, 0.05],
] as const;
/** The most on a step's page: what browsers call good. */
const mostOfStep = 0.1;

/** What has moved on a page: how much in all, and which elements. */
const movedOn = (page: Page) =>
  page.evaluate(async () => {
    type Shift = PerformanceEntry & {
      value: number;
      sources: { node?: Node; previousRect: DOMRect; currentRect: DOMRect }[];
    };
    const shifts = await new Promise<Shift[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries() as Shift[])).observe({
        type: 'layout-shift',
        buffered: true,
      }); // of this type
      setTimeout(() => resolve([]), 300);
    });
    return {
      score: shifts.reduce((sum, { value }) => sum + value, 0),
      elements: shifts.flatMap(({ value, sources }) =>
        sources.map(({ node, previousRect, currentRect }) =>
          [value.toFixed(3), node?.nodeName, node?.textContent?.slice(0, 40), previousRect.y, currentRect.y].join(' '),
        ),
      ),
    };
  });

/** Holds everything that a page reads of the console until the returned function is called. */
async function hold(page: Page): Promise<() => void> {
  let letGo = () => undefined as void;
  const free = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/**', async (route) => {
    await free;
    await route.continue().catch(() => undefined); // of a page that was left
  });
  return letGo;
}

async function openHeld(page: Page, path: string, width: number): Promise<() => void> {
  await page.setViewportSize({ width, height: 900 });
  const letGo = await hold(page);
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return letGo;
}

async function showsPlaceholderFirst(path: string, width: number, limit: number): Promise<void> {
  const { page, errors } = visiting();
  const letGo = await openHeld(page, path, width);
  if (!waitless.includes(path)) await page.getByRole('main').getByRole('status', { name: 'Loading' }).first().waitFor();
  letGo();
  await page.waitForTimeout(300); // for what is read after the first answers
  await settled(page);
  const { score, elements } = await movedOn(page);
  expect(score, elements.join('\n')).toBeLessThanOrEqual(limit);
  expect(errors).toEqual([]);
}

describe.each(widths)("a tool's page of %i px", (width, most) => {
  it.each(tools)('%s has a placeholder until it has read, and then nothing moves (behaviour 10.18.9)', (path) =>
    showsPlaceholderFirst(path, width, most),
  );
});

describe("a step's page", () => {
  it.each(steps)('%s has a placeholder until it has read, and then little moves (behaviour 10.18.9)', (path) =>
    showsPlaceholderFirst(path, 1440, mostOfStep),
  );
});

describe('the timeline until it has read', () => {
  it.each(['/timeline', '/timeline?show=webhooks', '/timeline?show=console'])(
    '%s shows rows without entries, and no number of entries (behaviour 10.18.9)',
    async (path) => {
      const { page } = visiting();
      const letGo = await openHeld(page, path, 1280);
      const segments = page.getByRole('group', { name: 'Show' });
      await segments.waitFor();
      const waiting = await segments.innerText();
      expect(waiting).not.toMatch(/\d/);
      // Among webhooks there are none.
      const reads = await page.getByRole('button', { name: /background reads$/ }).allInnerTexts();
      expect(reads).toEqual(path.endsWith('webhooks') ? [] : ['Show background reads']);
      expect(await page.getByRole('table', { name: 'Timeline' }).count()).toBe(0);
      letGo();
      await page.getByRole('table', { name: 'Timeline' }).waitFor();
      await expect.poll(() => segments.innerText()).toMatch(/Webhooks\s+[1-9]/);
    },
  );
});
