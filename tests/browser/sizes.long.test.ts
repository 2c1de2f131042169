import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { journeyOf, journeyOrder } from '#machines/journeys.ts';
import { arrive, press } from './guidedSteps.ts';
import { sharedConsole } from './shared.ts';
import { isFocused } from './keyboard.ts';
import { settled } from './screen.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)));

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox();
  if (!box) throw new Error(`${String(element)} is not drawn`);
  return { width: Math.round(box.width), height: Math.round(box.height) };
};
/** Whether it can be pressed where it is, without scrolling sideways. */
const isInSight = (element: Locator): Promise<boolean> =>
  element.evaluate((button) => {
    const { left, right, top, height } = button.getBoundingClientRect();
    const over = document.elementFromPoint((left + right) / 2, top + height / 2);
    return left >= 0 && right <= innerWidth && (over === button || button.contains(over));
  });
const isWider = (page: Page): Promise<boolean> => page.evaluate(() => document.body.scrollWidth > innerWidth);

/** Width (px) that is kept free for a scroll bar, on every page. */
const gutter = 15;

/** What the top bar and the bars at the bottom stand around: the page, and the inspector beside a step. */
const frame = (page: Page) => page.getByRole('main').locator('..');
/** The edge between a step and the column beside it. */
const edge = (page: Page) => page.getByRole('separator', { name: 'Width of the inspector' });
/** Width of the column beside the step, after checking that the edge says the same. */
async function sidebarWidth(page: Page): Promise<number> {
  const { width } = await boxOf(edge(page).locator('../..'));
  await expect.poll(async () => Number(await edge(page).getAttribute('aria-valuenow'))).toBe(width);
  return width;
}

describe('behaviour, section 9, measured: sizes', () => {
  it('the page is at most 1600 px wide, and in the middle (behaviour 9.8)', async () => {
    const { page } = visiting();
    for (const path of ['/createcompany', '/paymentlist', '/timeline']) {
      await page.goto(path);
      for (const [window, width] of [
        [1920, 1600],
        [1500, 1500 - gutter],
      ] as const) {
        await page.setViewportSize({ width: window, height: 900 });
        expect(await frame(page).boundingBox()).toMatchObject({ width, x: (window - gutter - width) / 2 });
      }
    }
  });

  it('provider selector 15 % and labels 35 % of the widest page, a list at most 180 px high, a popover at most 870 px wide (behaviour 9.8)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1600 + gutter, height: 900 });
    await page.goto('/onboardingsubscription');
    const selector = page.getByLabel('Select Provider', { exact: true });
    const row = (await boxOf(frame(page))).width;
    expect(row).toBe(1600);
    expect((await boxOf(selector)).width).toBe(0.15 * row);
    await selector.click();
    const list = await boxOf(page.getByRole('listbox'));
    expect([list.height <= 182, list.width <= 870, list.width >= 0.15 * row - 2]).toEqual([true, true, true]);
    await page.keyboard.press('Escape');
    // A label is no wider than its field: the column of the form has to leave room for 35 %.
    await page.goto('/settings');
    const label = page.locator('label', { hasText: 'Provider country' });
    const field = label.locator('..');
    // The inspector opens once the timeline is read, and takes its part of the width.
    await edge(page).waitFor();
    expect((await boxOf(label)).width).toBe((await boxOf(field)).width);
    await edge(page).press('Home');
    await sidebarWidth(page);
    expect((await boxOf(label)).width).toBe(0.35 * row);
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await isWider(page)).toBe(false);
  });

  it('the column beside the step is resized from 214 to 814 px by keys and pointer, and remembered (behaviour 9.9)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1600 + gutter, height: 900 });
    await page.goto('/createcompany');
    const limits = ['aria-valuemin', 'aria-valuemax'].map((name) => edge(page).getAttribute(name));
    expect(await Promise.all(limits)).toEqual(['214', '814']);
    for (const [key, width] of [
      ['Home', 214],
      ['ArrowRight', 214],
      ['ArrowLeft', 230],
      ['PageUp', 326],
      ['PageDown', 230],
      ['End', 814],
      ['ArrowLeft', 814],
      ['ArrowRight', 798],
    ] as const) {
      await edge(page).press(key);
      expect(await sidebarWidth(page), key).toBe(width);
    }
    const box = (await edge(page).boundingBox())!; // it is drawn
    await page.mouse.move(box.x + 4, 300);
    await page.mouse.down();
    await page.mouse.move(1600 - 300, 300, { steps: 4 });
    expect(await sidebarWidth(page)).toBe(300);
    await page.mouse.move(1590, 300, { steps: 4 });
    expect(await sidebarWidth(page)).toBe(214);
    await page.mouse.move(1600 - 500, 300, { steps: 4 });
    await page.mouse.up();
    await page.reload();
    expect(await sidebarWidth(page)).toBe(500);
    await page.goto('/paymentlist');
    await press(page, 'Inspector');
    expect(await sidebarWidth(page)).toBe(500);
  });

  it('the column beside the step becomes narrower with the window, and moves below the step in a narrow one (behaviour 9.8, 9.9)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1600 + gutter, height: 900 });
    await page.goto('/createcompany');
    await edge(page).press('End');
    for (const width of [1440, 1100, 1024, 958, 800]) {
      await page.setViewportSize({ width: width + gutter, height: 900 });
      const rail = width < 1100 ? 0 : 220;
      expect(width - rail - (await sidebarWidth(page)), `the step at ${width}`).toBeGreaterThanOrEqual(400);
      expect(await isWider(page)).toBe(false);
    }
    await page.setViewportSize({ width: 700 + gutter, height: 900 });
    expect(await edge(page).isVisible()).toBe(false);
    const hidden = page.getByRole('separator', { name: 'Width of the inspector', includeHidden: true });
    expect((await boxOf(hidden.locator('../..'))).width).toBe(700);
  });

  it.each(['', '0', '-5', '9e9', 'NaN', '{"width":300}', '[]'])(
    'the column beside the step stays within its limits where %j is stored as its width',
    async (stored) => {
      const { page } = visiting();
      await page.setViewportSize({ width: 1600 + gutter, height: 900 });
      await page.evaluate((value) => localStorage.setItem('sidebar.width', value), stored);
      await page.goto('/createcompany');
      const width = await sidebarWidth(page);
      expect([width >= 214, width <= 814]).toEqual([true, true]);
    },
  );
});

describe('status bar and action bar together', () => {
  it.each([
    [720, 450],
    [390, 844],
  ])('take at most 15 % of the height of a window of %i by %i px (behaviour 10.16.18)', async (width, height) => {
    const { page } = visiting();
    await page.setViewportSize({ width, height });
    for (const path of ['/createcompany?guided=true', '/electronicpayments', '/getbatch', '/subscriptionlist']) {
      await page.goto(path);
      const [actions, status] = ['region', 'contentinfo'].map((role) =>
        page.getByRole(role as 'region', { name: role === 'region' ? 'Actions of this step' : 'Status', exact: true }),
      );
      await actions!.getByRole('button').or(actions!.getByRole('link')).first().waitFor();
      const taken = (await boxOf(actions!)).height + (await boxOf(status!)).height;
      expect(taken / height, path).toBeLessThanOrEqual(0.15);
    }
  });
});

describe('in a window of 1440 px and of 1024 px', () => {
  it.each(['debtor', 'creditor'])('every %s can be deleted without scrolling sideways', async (party) => {
    const { page } = visiting();
    await page.goto(`/${party}squery`);
    await press(page, `Query ${party}s`);
    // Until then what stands above the list moves it.
    await page.getByText('Provider’s list, ').waitFor();
    const remove = page.getByRole('button', { name: /^Delete / }).first();
    await remove.waitFor();
    for (const width of [1440, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      await remove.scrollIntoViewIfNeeded();
      expect(await isInSight(remove)).toBe(true);
      expect(await isWider(page)).toBe(false);
      await remove.click();
      await press(page.getByRole('alertdialog'), 'Cancel');
    }
  });
});

describe('a select', () => {
  it('opens its list upwards where the bar would cover it, so that each option can be pressed (behaviour 10.16.11)', async () => {
    const { page } = visiting();
    await page.goto('/openbankingsubscription');
    const banks = page.getByLabel('Banks', { exact: true });
    for (const height of [560, 720, 900]) {
      await page.setViewportSize({ width: 1280, height });
      await banks.click();
      const options = await page.getByRole('listbox').getByRole('option').all();
      expect(options.length).toBeGreaterThan(2);
      for (const option of options) {
        await option.scrollIntoViewIfNeeded();
        expect(await isInSight(option)).toBe(true);
      }
      await banks.press('Escape');
    }
  });

  it('shows the best match, says when it finds none, and covers what is below it', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1024, height: 500 });
    await page.goto('/settings');
    const language = page.getByLabel('Language', { exact: true });
    await language.click();
    await language.fill('fr');
    const [first] = await page.getByRole('option').all();
    expect(await first?.innerText()).toBe('fr-CA');
    expect(first && (await isInSight(first))).toBe(true);
    await language.fill('xyz');
    await page.getByText('No results for "xyz"').waitFor();
    await page.keyboard.press('Escape');
    expect(await language.inputValue()).toBe('en');
  });
});

describe('on a narrow page', () => {
  it.each(['/subscriptionlist', '/createcompany', '/getbatch', '/paymentlist', '/createorganisation', '/debtors'])(
    '%s is not scrolled sideways where an id is shown whole, or it is said that copying is not possible',
    async (path) => {
      const { page } = visiting();
      await page.addInitScript(() =>
        Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('not here')) }),
      );
      await page.setViewportSize({ width: 320, height: 900 });
      await page.goto(path);
      const copy = page.getByRole('button', { name: /^Copy / });
      await copy.first().waitFor();
      for (const button of await copy.all()) {
        // Focused, which shows the whole id, and pressed as by a key.
        await button.focus();
        expect(await isWider(page)).toBe(false);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: 'Copying is not possible here' }).first().waitFor();
        expect(await isWider(page)).toBe(false);
      }
    },
  );

  it('the home page is not scrolled sideways by the longest status of a batch', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 320, height: 900 });
    await page.goto('/');
    await page.getByText('The guided path is complete').waitFor();
    const status = page.getByRole('main').locator('span:has(> [aria-hidden])', { hasText: 'Completed' }).first();
    // In place of one that takes a bank file to come to.
    await status.evaluate((word) => (word.lastChild!.textContent = 'PaymentFileAvailable')); // after its mark
    expect(await isWider(page)).toBe(false);
  });
});

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
    await arrive(page, 'Get Access Token');
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
    'has its filters in one line, the button that closes it at the right, at %i px (behaviour 10.16.27)',
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
      const middleOf = async (each: Locator) => {
        const { y, height } = (await each.boundingBox())!; // it is drawn
        return y + height / 2;
      };
      const beside = [
        dock.getByRole('heading', { name: 'Timeline' }),
        dock.getByRole('button', { name: /^Export/ }),
        dock.getByRole('button', { name: 'Close the timeline' }),
      ];
      // What filters the entries has a line of its own.
      const filters = [dock.getByRole('group', { name: 'Show' }), dock.getByRole('searchbox')];
      for (const line of [beside, filters]) {
        const [first = NaN, ...middles] = await Promise.all(line.map(middleOf));
        for (const middle of middles) expect(Math.abs(middle - first)).toBeLessThanOrEqual(8);
      }
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
