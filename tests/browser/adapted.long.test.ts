import type { Page } from 'playwright-core';
import { expect, describe, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { walk } from '#tests/support/guidedPath.ts';
import { arrive } from './guidedSteps.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole(({ url }) => walk(apiAt(url)));

async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await arrive(page, heading);
  await settled(page);
}

/** The colours (`rgb(…)`) of an element's parts. */
const drawnOf = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { outlineStyle, outlineColor, backgroundColor } = getComputedStyle(element);
      return { outline: outlineStyle, outlineColor, background: backgroundColor };
    });

describe('a page in colours of the user’s own', () => {
  it.each([
    [
      'the selected tab',
      '/debtors',
      'Create Debtor',
      '[role=tab][aria-selected=true]',
      '[role=tab][aria-selected=false]',
    ],
    ['the chosen filter', '/timeline', 'Timeline', '[aria-pressed=true]', '[aria-pressed=false]'],
    ['the present step', '/debtors', 'Create Debtor', 'nav [aria-current]', 'nav a:not([aria-current])'],
    [
      'the present group of the menu',
      '/debtors',
      'Create Debtor',
      'header [data-lit]',
      'header li button:not([data-lit])',
    ],
  ])('marks %s by more than a background (behaviour 10.11.2)', async (_, path, heading, marked, other) => {
    const { page } = visiting();
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, path, heading);
    expect((await drawnOf(page, marked)).outline).toBe('solid');
    expect((await drawnOf(page, other)).outline).toBe('none');
  });

  it('draws the primary button unlike the others, and the logo (behaviour 10.11.2)', async () => {
    const { page } = visiting();
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, '/', 'Home');
    const borderOf = (name: string) =>
      page.getByText(name, { exact: true }).evaluate((element) => getComputedStyle(element).borderTopWidth);
    expect([await borderOf('Pay again'), await borderOf('Simulate a failure')]).toEqual(['2px', '1px']);
    const [logo, ground] = await page
      .locator('header a[href="/"] [aria-hidden]')
      .evaluate((mark) => [
        getComputedStyle(mark).borderTopColor,
        getComputedStyle(document.documentElement).backgroundColor,
      ]);
    expect(logo).not.toBe(ground);
  });

  it('draws an alert and a copyable text with an edge all round (behaviour 10.11.2)', async () => {
    const { page } = visiting();
    await page.emulateMedia({ forcedColors: 'active' });
    const edgesOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { borderTopWidth, borderBottomWidth, borderTopColor } = getComputedStyle(element);
          const ground = getComputedStyle(document.documentElement).backgroundColor;
          return [borderTopWidth, borderBottomWidth, borderTopColor === ground];
        });
    await open(page, '/programs', 'Your app');
    expect(await edgesOf('main :has(> pre)')).toEqual(['1px', '1px', false]);
    await page.route('**/api/providers?*', (route) => route.fulfill({ status: 502, body: '' }));
    await page.goto('/providers');
    await page.getByRole('alert').first().waitFor();
    expect(await edgesOf('main .callout')).toEqual(['1px', '1px', false]);
  });

  it('marks the option of a list that Enter would choose, and the chosen event of a history (behaviour 10.11.2)', async () => {
    const { page } = visiting();
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, '/settings', 'Settings');
    await page.getByLabel('Language', { exact: true }).click();
    await page.keyboard.press('ArrowDown');
    expect((await drawnOf(page, '[role=option][data-active=true]')).outline).toBe('solid');
    await open(page, '/getbatch', 'Get Batch');
    await page.getByRole('list', { name: 'History' }).getByRole('button').first().click();
    expect((await drawnOf(page, 'li[data-lit]')).outline).toBe('solid');
  });

  it('marks the focus differently from the selection', async () => {
    const { page } = visiting();
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, '/debtors', 'Create Debtor');
    const tab = '[role=tab][aria-selected=true]';
    await page.keyboard.press('Tab');
    await page.locator(tab).focus();
    expect((await drawnOf(page, tab)).outline).toBe('double');
  });

  it('marks no entry of the timeline before one is chosen, and draws its dots', async () => {
    const { page } = visiting();
    await page.emulateMedia({ forcedColors: 'active' });
    await open(page, '/timeline', 'Timeline');
    expect((await drawnOf(page, '[aria-current=false]')).outline).toBe('none');
    await open(page, '/getbatch', 'Get Batch');
    const dot = page.getByRole('list', { name: 'History' }).locator('[aria-hidden]').first();
    const { border, around } = await dot.evaluate((element) => ({
      border: getComputedStyle(element).borderTopColor,
      around: getComputedStyle(document.documentElement).backgroundColor,
    }));
    expect(border).not.toBe(around);
  });
});

describe('a page on paper', () => {
  it('is light and contains only the content, in full (behaviour 10.11.3)', async () => {
    const { page } = visiting();
    await page.emulateMedia({ colorScheme: 'dark' });
    await open(page, '/subscriptionlist', 'List');
    await page.locator('html.dark').waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.locator('html.light').waitFor();
    for (const name of ['Payments Out Console', 'Timeline ▴', 'Settings'])
      expect(await page.getByText(name, { exact: true }).filter({ visible: true }).count(), name).toBe(0);
    expect(await page.getByRole('table').first().isVisible()).toBe(true);
    await page.getByRole('treeitem').first().waitFor();
    const lines = await page.getByRole('treeitem').evaluateAll(
      (each) =>
      each.map(({ clientWidth, scrollWidth, clientHeight, scrollHeight }) => scrollWidth <= clientWidth + 1 && scrollHeight <= clientHeight + 1), // prettier-ignore
    );
    expect(lines).not.toContain(false);
    await page.emulateMedia({ media: 'screen' });
    await page.locator('html.dark').waitFor();
  });
});

describe('a list on paper', () => {
  it('is white and complete, without buttons', async () => {
    const { page } = visiting();
    await open(page, '/timeline', 'Timeline');
    await page.emulateMedia({ media: 'print' });
    const log = page.getByRole('table', { name: 'Timeline' });
    const clipped = await log.evaluate((element) => {
      const around: Element[] = [];
      for (let each = element.parentElement; each; each = each.parentElement) around.push(each);
      return around.filter((each) => each !== document.documentElement && each.scrollHeight > each.clientHeight + 2)
        .length;
    });
    expect(clipped).toBe(0);
    expect(await page.locator('.button').filter({ visible: true }).count()).toBe(0);
    const white = await page.locator('#root > *').evaluate((shell) => getComputedStyle(shell).backgroundColor);
    expect(white).toBe('rgb(255, 255, 255)');
  });
});

/** How much wider than the window the page is, in px. */
const excess = (page: Page) =>
  page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth));

describe('ids of 200 characters', () => {
  const long = 'q'.repeat(200);
  const problem = {
    code: 'upstream-refused',
    status: 502,
    title: 'Refused',
    detail: long,
    interactionId: long,
    errors: [{ path: long, message: long }],
    upstream: { status: 422, body: JSON.stringify({ message: long }) },
  };

  it('wrap in the evidence of a failure (behaviour 10.11.4)', async () => {
    const { page } = visiting();
    await page.route('**/api/providers?*', (route) => route.fulfill({ status: 502, json: problem }));
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto('/providers');
    await page.getByText(`Interaction id ${long}`).waitFor();
    expect(await excess(page)).toBe(0);
  });

  it('wrap where a result shows them whole (behaviour 10.11.4)', async () => {
    const { page } = visiting();
    await page.route('**/api/facts*', async (route) => {
      const answer = await route.fetch();
      const { companyId } = ((await answer.json()) as { settings: { companyId: string } }).settings;
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(companyId, companyId + long) });
    });
    for (const width of [320, 1024, 1440]) {
      await page.setViewportSize({ width, height: 700 });
      await page.goto('/createcompany');
      await page.getByRole('button', { name: 'Copy the id' }).focus();
      expect(await page.locator('code').filter({ hasText: long }).first().isVisible()).toBe(true);
      expect(await excess(page), `${width} px`).toBe(0);
    }
  });
});

describe('a window 320 px wide', () => {
  it('shows the rows of a list whole, each mark beside its text (behaviour 10.11.4)', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 320, height: 700 });
    await open(page, '/paymentlist', 'List Payments');
    const list = page.getByRole('region', { name: 'batch', exact: true });
    expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const [mark, copy] = [list.getByRole('button', { name: /^Inspect/ }), list.getByRole('button', { name: /^Copy/ })];
    const [left, right] = [await mark.first().boundingBox(), await copy.first().boundingBox()];
    expect(Math.abs(left!.y + left!.height / 2 - right!.y - right!.height / 2)).toBeLessThan(4);
  });
});

describe('the palette', () => {
  it.each([720, 400, 256])(
    'keeps its place while the user types, in a window %i px high (behaviour 10.11.5)',
    async (height) => {
      const { page } = visiting();
      await page.setViewportSize({ width: 1280, height });
      await open(page, '/', 'Home');
      await page.keyboard.press('Control+K');
      const [box, dialog] = [page.getByRole('combobox', { name: 'Go to a journey' }), page.getByRole('dialog')];
      const { x, y, width } = (await dialog.boundingBox())!;
      const typed = (await box.boundingBox())!;
      for (const text of ['p', 'pay', 'nothing of this name', '']) {
        await box.fill(text);
        const now = (await dialog.boundingBox())!;
        expect(now).toMatchObject({ x, y, width });
        expect(now.y + now.height).toBeLessThan(height);
      }
      await box.press('End');
      expect(await box.boundingBox()).toEqual(typed);
    },
  );
});

describe('a page in letters twice as large', () => {
  it('writes no line of JSON over another (behaviour 10.11.3)', async () => {
    const { page } = visiting();
    await page.addInitScript(() =>
      document.addEventListener('readystatechange', () => (document.documentElement.style.fontSize = '200%')),
    );
    await open(page, '/providers', 'Providers');
    const lines = page.getByRole('treeitem');
    await lines.nth(5).waitFor();
    const { heights, tops, letters } = await lines.evaluateAll((each) => ({
      heights: each.map((line) => line.getBoundingClientRect().height),
      tops: each.map((line) => line.getBoundingClientRect().top),
      letters: parseFloat(getComputedStyle(each[0]!).fontSize),
    }));
    expect(Math.min(...heights)).toBeGreaterThan(letters * 1.3);
    const steps = tops.slice(1).map((top, index) => top - tops[index]!);
    expect(Math.min(...steps)).toBeGreaterThan(letters * 1.3);
  });
});
