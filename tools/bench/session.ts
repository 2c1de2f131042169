import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Locator, Page } from 'playwright-core';
import { journeyOf, journeyOrder } from '../../src/machines/journeys.ts';
import { visit } from '../../tests/browser/visit.ts';
import { approve, choose } from '../../tests/browser/guidedSteps.ts';
import { walk } from '../browsers/walk.ts';
import { crowd } from './crowd.ts';
import type { Row } from './row.ts';

/** Time (ms) between two gestures: a fast user's. */
const pause = 120;

/** What the pages of a session have noted: each document's INP, and its long tasks while something went on. */
interface Seen {
  inp: Map<string, number>;
  tasks: Record<'typing' | 'scrolling', number>;
}

/** Begins to note what web-vitals and the browser say of each document. */
async function watch(page: Page): Promise<Seen> {
  const seen: Seen = { inp: new Map(), tasks: { typing: 0, scrolling: 0 } };
  await page.exposeFunction('noteInp', (id: string, value: number) => void seen.inp.set(id, value));
  await page.exposeFunction('noteTask', (phase: keyof Seen['tasks'], ms: number) => {
    seen.tasks[phase] = Math.max(seen.tasks[phase], ms);
  });
  await page.addInitScript(`if (window === top) {
    ${readFileSync('tools/node_modules/web-vitals/dist/web-vitals.iife.js', 'utf8')};
    webVitals.onINP(({ id, value }) => noteInp(id, value), { reportAllChanges: true, durationThreshold: 16 });
    window.phase = '';
    new PerformanceObserver((list) => list.getEntries().forEach(({ duration }) => phase && noteTask(phase, duration)))
      .observe({ type: 'longtask' });
  }`);
  return seen;
}

/** Does something during which long tasks count. */
async function during(page: Page, phase: keyof Seen['tasks'], act: () => Promise<void>): Promise<void> {
  const set = (to: string) => page.evaluate((value) => Object.assign(window, { phase: value }), to);
  await wait(3 * pause); // what came before has its own tasks
  await set(phase);
  await act();
  await wait(2 * pause);
  await set('');
}

const type = (page: Page, field: Locator, text: string) =>
  during(page, 'typing', async () => {
    await field.pressSequentially(text, { delay: pause });
  });

const scroll = (page: Page) =>
  during(page, 'scrolling', async () => {
    await page.mouse.move(700, 500);
    for (const turn of [1, 1, 1, 1, 1, -1, -1, -1]) {
      await page.mouse.wheel(0, turn * 600);
      await wait(pause / 2);
    }
  });

const press = async (target: Locator) => {
  await target.click();
  await wait(pause);
};

/** The guided path, walked as `npm run browsers` walks it. */
async function guidedPath(page: Page): Promise<void> {
  const found = (role: Parameters<Page['getByRole']>[0], name: string | RegExp) =>
    page.getByRole(role, { name }).first();
  await walk(
    {
      open: async (url) => void (await page.goto(url)),
      see: (role, name) => found(role as 'button', name).waitFor(), // walk names roles only
      press: (role, name) => press(found(role as 'button', name)),
      pressWithin: () => approve(page),
      read: (text) => page.getByText(text).first().waitFor(),
      errors: () => Promise.resolve([]),
    },
    '/',
  );
}

/** Opens each page by the menu, types into its first fields and opens its first list. */
async function everyScreen(page: Page): Promise<void> {
  for (const id of journeyOrder) {
    const { group, title, path } = journeyOf(id);
    const menu = page.getByRole('navigation', { name: 'Journeys' });
    if (group) {
      await press(menu.getByRole('button', { name: group }));
      await press(menu.getByRole('link', { name: title, exact: true }));
    } else await page.goto(path);
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
    await wait(2 * pause);
    const main = page.getByRole('main');
    const [field] = await main.getByRole('textbox').and(page.locator(':enabled:not([readonly])')).all();
    if (field) await type(page, field, 'Name 1');
    const [list] = await main.getByRole('combobox').and(page.locator(':enabled')).all();
    if (list) {
      await press(list);
      await page.keyboard.press('Escape');
    }
    await scroll(page);
  }
}

/** Filters, sorts, turns and scrolls a long list. */
async function longList(page: Page, caption: string, column: string, term: string): Promise<void> {
  const filter = page.getByRole('searchbox', { name: `Filter ${caption}` });
  await filter.waitFor();
  await scroll(page);
  await press(page.getByRole('columnheader', { name: column }).getByRole('button'));
  await type(page, filter, term);
  await filter.clear();
  await press(page.getByRole('button', { name: /^Next/ }).first());
}

const provider = 'Larkfield Bacs Bureau';

async function longForm(page: Page): Promise<void> {
  await page.goto('/onboardingsubscription');
  await choose(page.getByLabel('Select Provider', { exact: true }), provider);
  const field = page.getByLabel('Field 3', { exact: true });
  await field.waitFor();
  await type(page, field, 'A value! of many');
  await press(page.getByRole('button', { name: 'Create Subscription' }));
  await type(page, page.getByLabel('Field 4', { exact: true }), 'value');
  await scroll(page);
}

async function longPayment(page: Page): Promise<void> {
  await page.goto('/electronicpayments');
  await choose(page.getByLabel('Show', { exact: true }), '10,000');
  await page.getByText(/^1\d{4} invoices$/).waitFor();
  const ticks = page.getByRole('checkbox', { name: /^Pay invoice/ });
  for (const place of [0, 1, 2]) await press(ticks.nth(place));
  await longList(page, 'invoices', 'Amount', 'INV');
}

/** A session over all screens, with long lists and a long form; how fast it answers, by the web-vitals library. */
export async function sessionRows(browser: Browser, url: string): Promise<Row[]> {
  const visiting = await visit(browser, url);
  const { page } = visiting;
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    const seen = await watch(page);
    await guidedPath(page);
    await crowd(page);
    await page.goto('/');
    await everyScreen(page);
    await longPayment(page);
    await page.goto('/paymentlist');
    await longList(page, 'batches', 'Amount', 'Rejected');
    await longForm(page);
    return [
      {
        what: 'a session over all screens: INP, 98th percentile of its slowest document',
        unit: 'ms',
        ours: Math.max(...seen.inp.values()),
        aim: { most: 100 },
      },
      ...(['typing', 'scrolling'] as const).map((phase) => ({
        what: `the same: longest task above 50 ms while ${phase}`,
        unit: 'ms' as const,
        ours: seen.tasks[phase],
        aim: { because: 'none', most: 0 },
      })),
    ];
  } finally {
    await visiting.close();
  }
}
