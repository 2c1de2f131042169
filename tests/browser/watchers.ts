import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import { apiAt } from '#tests/support/api.ts';
import { batchStatus } from './guidedSteps.ts';
import { settled } from './screen.ts';

const barOf = (page: Page): Locator => page.getByRole('region', { name: 'Actions of this step' });

/** How many controls on the page look like the primary action. */
const primaries = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const probe = document.createElement('i');
    probe.style.color = 'var(--chakra-colors-accent)';
    document.body.append(probe);
    const accent = getComputedStyle(probe).color;
    probe.remove();
    const controls = [...document.querySelectorAll<HTMLElement>('main button, main a, #step-bar button, #step-bar a')];
    return controls.filter((each) => each.offsetWidth > 0 && getComputedStyle(each).backgroundColor === accent).length;
  });

const placed = async (element: Locator): Promise<string> => {
  const { x = 0, y = 0, width = 0, height = 0 } = (await element.boundingBox()) ?? {};
  return [x, y, width, height].map(Math.round).join(' ');
};

/** Watches the bar of the steps' actions on a walk, in a window of this height (CSS px). */
export function barWatcher(page: Page, windowHeight: number) {
  const [bars, headings, below, many] = [
    new Set<string>(),
    new Map<number, string>(),
    new Set<string>(),
    new Set<string>(),
  ];

  /** Looks at a page of the walk; one that is `done` has exactly one primary action, any other at most one. */
  async function look(where: string, done = false): Promise<void> {
    // What is under the pointer looks otherwise.
    await page.mouse.move(0, 0);
    await barOf(page).getByRole('button').last().waitFor();
    bars.add(await placed(barOf(page)));
    for (const button of await barOf(page).getByRole('button').all()) {
      const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
      if (y < 0 || y + height > windowHeight) below.add(`${where}: ${await button.innerText()}`);
    }
    const count = await primaries(page);
    if (count > 1 || (done && count === 0)) many.add(`${where}: ${count}`);
  }

  return {
    look,
    /** Looks at a step, where the heading keeps its place as well. */
    async lookAtStep(where: string, done = false): Promise<void> {
      await look(where, done);
      const heading = page.getByRole('heading', { level: 1 });
      let box = await heading.boundingBox();
      // A page that is being drawn anew hides its heading for a moment.
      for (; box === null; box = await heading.boundingBox()) await heading.waitFor();
      headings.set(Math.round(box.y), where);
    },
    /** Places of the bar, those of the headings if they differ, and pages with an action below the fold, or not with one primary action. */
    seen: () => ({
      bars: bars.size,
      headings: headings.size === 1 ? [] : [...headings].map(([y, where]) => `${where}: ${y} px`),
      below: [...below],
      primaries: [...many],
    }),
  };
}

/**
 * Calls that are repeated until there is an answer, and what the fault lab does, which each page reads again when a
 * stream of events is open.
 */
const repeated = /^\/api\/((messages|subscription|batchpayments)\/|lab$)/;
/** The record of all calls: its lists, and the stream of events, which carries new entries of it. */
const recorded = /^\/api\/(timeline|events$)/;

/** Counts what the steps of a walk ask the console for. */
export function callWatcher(page: Page) {
  /** Readings of the facts by step. */
  const facts: Record<string, number> = { Home: 0 };
  /** Calls by step, without repeated ones and the record; those of the home page with the first step. */
  const made: Record<string, number> = {};
  const twice: string[] = [];
  let [since, asked, streams] = [0, 0, 0];
  /** Those since the last write, after which an answer may be another one. */
  let read = new Set<string>();
  /** How often each list of the record was read in a step; a write does not change what the stream tells. */
  let record = new Map<string, number>();
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!/^\/api(-msg-v1)?\//.test(pathname)) return;
    const name = `${request.method()} ${pathname}${search}`;
    if (request.method() !== 'GET') read = new Set();
    // Each webhook about the batch has the facts read again.
    const at = new URL(page.url()).pathname;
    if (pathname === '/api/facts' && read.has(name) && ['/electronicpayments', '/getbatch'].includes(at)) return;
    if (recorded.test(pathname)) {
      // Each stream is of a document of its own.
      if (pathname.endsWith('/events')) [streams, record] = [streams + 1, new Map<string, number>()];
      const times = (record.get(name) ?? 0) + 1;
      record.set(name, times);
      // A list that was read before its stream was open is read again when it is.
      if (times > 2) twice.push(`${name} on ${new URL(page.url()).pathname}`);
    } else if (!repeated.test(pathname)) {
      asked += 1;
      if (read.has(name)) twice.push(`${name} on ${new URL(page.url()).pathname}`);
      read.add(name);
    }
    if (pathname !== '/api/facts') return;
    if (new URL(page.url()).pathname === '/') facts['Home'] = (facts['Home'] ?? 0) + 1;
    else since += 1;
  });
  return {
    facts,
    made,
    /** What was asked for twice, and the lists of the record that were read a third time. */
    twice: () => twice,
    /** How often a stream was opened. */
    streams: () => streams,
    /** Ends the step of that title. */
    count(title: string): void {
      [facts[title], made[title]] = [since, asked];
      [since, asked, read, record] = [0, 0, new Set(), new Map<string, number>()];
    },
  };
}

/** Lets a page do what it does by itself: once it has got what it asked for, it has written what it would write. */
async function rest(page: Page): Promise<void> {
  // The first page of a window is blank.
  if (!page.url().startsWith('http')) return;
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await settled(page);
}

/**
 * Goes back through the whole history of a page that has paid one batch, reloads each page once, and goes forward again.
 * Throws if anything is written, or there is not that one batch.
 */
export async function expectNothingRepeated(page: Page, url: string): Promise<void> {
  const writes: string[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`);
  });
  const passed = new Set<string>();
  const entries = await page.evaluate(() => history.length);
  for (const turn of ['goBack', 'goForward'] as const)
    for (let entry = 1; entry < entries; entry += 1) {
      await page[turn]();
      await rest(page);
      const stop = `${turn} ${new URL(page.url()).pathname}`;
      if (turn === 'goBack' && !passed.has(stop)) {
        await page.reload();
        await rest(page);
      }
      passed.add(stop);
    }
  for (const path of ['/createorganisation', '/createaccount', '/electronicpayments'])
    expect([...passed]).toEqual(expect.arrayContaining([`goBack ${path}`, `goForward ${path}`]));
  await batchStatus(page, 'Completed').waitFor();
  const { data } = await apiAt(url).done('getPostedBatches');
  expect(JSON.parse(data) as BatchRecord[]).toHaveLength(1);
  expect(writes).toEqual([]);
}
