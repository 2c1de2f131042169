import type { Browser, Page } from 'playwright-core';
import { visit } from '../../tests/browser/visit.ts';
import { median, type Row } from './row.ts';

/** A line of 1.6 Mbit/s with 150 ms, and a CPU four times as slow. */
const slow = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 1_600_000 / 8, offline: false };
const slowness = 4;
const visits = 5;

/** What the page notes of its load, in ms since the navigation and in units of layout shift. */
interface Noted {
  painted: number;
  usable: number;
  shift: number;
}

/** Runs in the page from its beginning. Usable is it when the guided path's button is there, drawn by the code that runs it. */
const note = `
  const noted = { painted: 0, usable: 0, shift: 0 };
  window.noted = noted;
  const observe = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => (noted.painted = startTime));
  observe('layout-shift', ({ value }) => (noted.shift += value));
  const look = () => {
    if (document.querySelector('[aria-labelledby=guided-path] a')) noted.usable = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);`;

async function throttle(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', slow);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness });
}

/** A page that is loaded: its path, and the heading that is there once it is whole. */
const home = { path: '/', heading: 'Last calls' };
const step = { path: '/createorganisation', heading: 'Inspector' };

/** Loads a page in a new profile, with nothing in its cache. */
async function load(browser: Browser, url: string, isSlow: boolean, { path, heading } = home): Promise<Noted> {
  const visiting = await visit(browser, url);
  const { page } = visiting;
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.addInitScript(note);
    if (isSlow) await throttle(page);
    await page.goto(path, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: heading }).waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
    return await page.evaluate(() => (window as unknown as { noted: Noted }).noted); // set by `note`
  } finally {
    await visiting.close();
  }
}

/** First contentful paint of a line of text from the same server: the least that a page can take. */
async function least(browser: Browser, url: string): Promise<number> {
  const visiting = await visit(browser, url);
  const { page } = visiting;
  try {
    await throttle(page);
    await page.goto('/healthz');
    const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    await page.waitForFunction(painted);
    return await page.evaluate(painted);
  } finally {
    await visiting.close();
  }
}

/** The first visit of the home page and of a step, over a slow line and free; in turns, as the machine's load changes. */
export async function loadRows(browser: Browser, url: string): Promise<Row[]> {
  const [slowly, freely, steps, bare]: [Noted[], Noted[], Noted[], number[]] = [[], [], [], []];
  await load(browser, url, false); // starts the browser's own parts
  for (let turn = 0; turn < visits; turn += 1) {
    bare.push(await least(browser, url));
    slowly.push(await load(browser, url, true));
    freely.push(await load(browser, url, false));
    steps.push(await load(browser, url, true, step));
  }
  const of = (all: Noted[], member: keyof Noted) => median(all.map((each) => each[member]));
  const reference = { what: 'a line of text, painted', value: median(bare) / 1000 };
  return [
    {
      what: 'home page over a slow line: largest contentful paint',
      unit: 's',
      ours: of(slowly, 'painted') / 1000,
      reference,
      aim: { most: 0.75 },
    },
    { what: 'the same: usable', unit: 's', ours: of(slowly, 'usable') / 1000, reference, aim: { most: 2.2 } },
    { what: 'the same: layout shift', unit: 'ratio', ours: of(slowly, 'shift'), aim: { most: 0.02 } },
    {
      what: 'a step opened directly over a slow line: largest contentful paint',
      unit: 's',
      ours: of(steps, 'painted') / 1000,
      reference,
      aim: { most: 0.8 },
    },
    { what: 'the same: layout shift', unit: 'ratio', ours: of(steps, 'shift'), aim: { most: 0.02 } },
    { what: 'home page: usable', unit: 'ms', ours: of(freely, 'usable'), aim: { most: 300 } },
  ];
}
