import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { focusOf } from './keyboard.ts';
import { faultsOf, settled } from './screen.ts';
import { unreadable } from './readable.ts';
import { sharedConsole } from './shared.ts';
import { blank } from './visit.ts';

const { visiting, program } = sharedConsole(({ url }) => walk(apiAt(url)));

/** The calls of the console in a file, opened on its timeline. */
async function openSession(page: Page): Promise<void> {
  const har = await (await fetch(`${program().url}/api/timeline.har`)).text();
  await page.goto('/timeline');
  const file = { name: 'calls.har', mimeType: 'application/json', buffer: Buffer.from(har) };
  await page.getByLabel(/^Open a HAR file/).setInputFiles(file);
  await page.getByText('calls.har').waitFor();
}

async function openDock(page: Page): Promise<void> {
  await page.goto('/getbatch');
  const [dock, button] = [
    page.getByRole('region', { name: 'Timeline' }),
    page.getByRole('button', { name: /^Timeline/ }),
  ];
  await button.or(dock).first().waitFor();
  if (!(await dock.isVisible())) await button.click(); // it stays open from one page to the next
  await dock.waitFor();
}

const goTo = (path: string) => async (page: Page) => void (await page.goto(path));

/** The pages that are no journeys, in what can be seen of each. */
const beside: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  '/',
  '/journeys',
  '/journeys/electronicPayment',
  '/timeline',
  '/programs',
  '/run',
  '/reference',
  '/drift',
  ...['practise', 'faults', 'clock', 'webhooks', 'magic', 'situations'].map((tab) => `/sandbox#${tab}`),
].map((path) => [path, goTo(path)] as const);
const opened = [...beside, ['a file of calls', openSession] as const, ['the docked timeline', openDock] as const];

const journeys = journeyOrder.map((id) => [journeyOf(id).path, goTo(journeyOf(id).path)] as const);
const every = [...journeys, ...opened];

async function openAt(page: Page, open: (page: Page) => Promise<void>, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await open(page);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
}

describe('every page that is no journey, in light and dark colours and in a window of 320 px', () => {
  it.each(opened)('%s (behaviour 10.11.1, 10.11.6)', async (_, open) => {
    const { page, errors } = visiting();
    await openAt(page, open, 1280, 720);
    expect(await faultsOf(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe('every page with letters twice as large', () => {
  it.each(every)('%s is not scrolled sideways (behaviour 10.11.1)', async (_, open) => {
    const { page } = visiting();
    await openAt(page, open, 1280, 720);
    await page.evaluate(() => (document.documentElement.style.fontSize = '200%'));
    const [needed, there] = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return [scrollWidth, clientWidth];
    });
    expect(needed).toBeLessThanOrEqual(there);
  });
});

/** Fills a form, where there is one. */
async function fill(page: Page): Promise<void> {
  const [another, fills] = [/^(Create|Select|Make) another/, /^Fill with example/].map((name) =>
    page.getByRole('button', { name }).first(),
  );
  if (await another!.isVisible()) await another!.click();
  if (await fills!.isVisible()) await fills!.click();
}

/** The timeline with a call open, in its further views. */
const ofCall = (view: 'Sequence' | 'Compare') => async (page: Page) => {
  await page.goto('/timeline');
  const call = (path: string) => page.getByRole('table', { name: 'Timeline' }).getByRole('button', { name: path });
  await call('/companies').first().click();
  await page.getByRole('button', { name: view, exact: true }).click();
  if (view === 'Sequence') return page.getByRole('img', { name: /^Sequence diagram/ }).waitFor();
  await page.getByText('Choose the entry to compare with.').waitFor();
  await call('/organisations').last().click();
  return page.getByRole('region', { name: 'Comparison' }).waitFor();
};
const views = (['Sequence', 'Compare'] as const).map((view) => [`/timeline, ${view}`, ofCall(view)] as const);

/** Opens what lies over a page, or an entry, by the names of the buttons that lead there. */
const pressing =
  (path: string, ...names: readonly (string | RegExp)[]) =>
  async (page: Page) => {
    await page.goto(blank); // an address that differs by its mark alone would leave open what is
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    for (const name of names) await page.getByRole('button', { name, exact: true }).first().click();
  };

/** A row of a list opened, whose record stands beside it or below. */
const rowOf = (path: string) => async (page: Page) => {
  await page.goto(path);
  await page
    .getByRole('button', { name: /^Inspect / })
    .first()
    .click();
};

async function openEntry(page: Page): Promise<void> {
  await page.goto('/timeline');
  await page.getByRole('table', { name: 'Timeline' }).locator('[data-row]').first().click();
  await page.getByRole('button', { name: 'Close the entry' }).waitFor();
}

const overlays: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['the palette', pressing('/', /^Go to/)],
  ['the menu of the sandbox', pressing('/', 'Sandbox')],
  ['the menu of tools', pressing('/', 'Tools')],
  ['the dialog that opens a situation', pressing('/', 'Sandbox', /^Open situation/)],
  ['the question before the sandbox is emptied', pressing('/sandbox#lab-empty', /^Empty the sandbox/)],
  ['the companies of the workspace', pressing('/', 'Manage')],
  ['an entry of the timeline', openEntry],
  ['a record of a payment', rowOf('/paymentlist')],
  ['a record of a creditor', rowOf('/creditorsquery')],
];

/** Rules that break a page in a way each, and what is said of it. */
const planted = [
  ['h1 { margin-bottom: -1.2em !important; }', / lies over /],
  ['main p { width: 3em; white-space: nowrap; overflow: hidden; }', / is cut$/],
  ['main input, main [role=combobox] { width: 3em !important; padding: 0.5em !important; }', / px to type in$/],
] as const;

describe('what cannot be read', () => {
  it.each(planted)('is found where the page has the style %s', async (content, fault) => {
    const { page } = visiting();
    await openAt(page, goTo('/createcompany'), 1280, 720);
    await fill(page);
    await settled(page);
    expect(await unreadable(page)).toEqual([]);
    await page.evaluate((text) => {
      const sheet = new CSSStyleSheet(); // which the page's policy allows
      sheet.replaceSync(text);
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    }, content);
    expect((await unreadable(page)).filter((each) => fault.test(each))).not.toEqual([]);
  });
});

describe('every page in its filled state', () => {
  it.each([...every, ...views, ...overlays])(
    '%s has no text over another, none that is cut, and fields to type in, from 1440 to 390 px (behaviour 10.16.27)',
    async (_, open) => {
      const { page } = visiting();
      const wrong: string[] = [];
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
        [720, 450],
        [390, 844],
      ] as const) {
        await openAt(page, open, width, height);
        await fill(page);
        await settled(page);
        wrong.push(...(await unreadable(page)).map((fault) => `${width} px: ${fault}`));
      }
      expect(wrong).toEqual([]);
    },
  );
});

/** Of the journeys, those whose pages are long: a payment, a list, a form, a record. */
const long = journeys.filter(([path]) => /^\/(electronicpayments|paymentlist|debtors|getbatch)$/.test(path));

/** So many from either end of a page. */
const stops = 50;

describe('every stop of the Tab key is seen between the bars', () => {
  it.each([...long, ...opened])('%s, forwards and backwards (behaviour 10.10.6)', async (_, open) => {
    const { page } = visiting();
    const wrong = new Set<string>();
    for (const [width, height] of [
      [1280, 600],
      [390, 844],
    ] as const) {
      await openAt(page, open, width, height);
      for (const key of ['Tab', 'Shift+Tab'])
        for (let stop = 0; stop < stops; stop += 1) {
          await page.keyboard.press(key);
          const { what, wrong: fault } = await focusOf(page);
          if (fault) wrong.add(`${width} px, ${key}: ${what} ${fault}`);
          if (what.startsWith('BODY')) break;
        }
    }
    expect([...wrong]).toEqual([]);
  });
});

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
