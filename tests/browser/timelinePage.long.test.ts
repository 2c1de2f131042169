import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { onboard, subscribe } from '#tests/support/guidedPath.ts';
import { sharedConsole } from './shared.ts';
import { press } from './guidedSteps.ts';
import { faultsOf, settled } from './screen.ts';
import { focusOf } from './keyboard.ts';

const { visiting, program } = sharedConsole(async ({ url }) => {
  const api = apiAt(url);
  await onboard(api);
  await subscribe(api);
});
const api = () => apiAt(program().url);

const table = (page: Page) => page.getByRole('table', { name: 'Timeline' });
const rows = (page: Page, address: string) => table(page).getByRole('button', { name: address });
const dock = (page: Page) => page.getByRole('region', { name: 'Timeline' });

describe('the timeline', () => {
  it('is live in more windows than a browser has connections', async () => {
    const { page } = visiting();
    const windows = [page];
    while (windows.length < 7) windows.push(await page.context().newPage());
    for (const each of windows) {
      await each.goto('/timeline?show=console&reads=true');
      await rows(each, '/api/').first().waitFor();
    }
    await api().done('getMessagingHealth');
    await Promise.all(windows.map((each) => rows(each, '/api/consumermessagingapistatus').first().waitFor()));
  });

  it.each([
    [1440, 900],
    [720, 450],
  ])('has a filter to type in, and no text over another, at %d x %d (behaviour 10.16.27)', async (width, height) => {
    const { page } = visiting();
    await page.setViewportSize({ width, height });
    await page.goto('/timeline?reads=true');
    await rows(page, '/companies').first().click();
    const filter = page.getByRole('searchbox', { name: 'Filter by path, id, status' });
    expect((await filter.boundingBox())!.width).toBeGreaterThan(140); // it is drawn
    await page.getByRole('button', { name: 'Compare' }).click();
    const asks = (await page.getByText('Choose the entry to compare with.').boundingBox())!; // as above
    const request = (await page.getByRole('region', { name: 'Request' }).boundingBox())!;
    expect(request.y).toBeGreaterThanOrEqual(asks.y + asks.height);
    await page.getByRole('button', { name: 'End comparing' }).click();
    await page.getByRole('button', { name: 'Sequence' }).click();
    const drawing = page.getByRole('img', { name: /^Sequence diagram/ });
    await drawing.waitFor();
    const over = await drawing.evaluate((svg) => {
      const lifelines = [...svg.querySelectorAll('line')].filter(
        (line) => line.x1.baseVal.value === line.x2.baseVal.value,
      );
      const xs = lifelines.map((line) => line.x1.baseVal.value);
      const labels = [...svg.querySelectorAll('text')]
        .slice(lifelines.length)
        .map((text) => [text.textContent, text.getBBox()] as const);
      return labels.filter(([, box]) => xs.some((x) => box.x < x && x < box.x + box.width)).map(([text]) => text);
    });
    expect(over).toEqual([]);
  });

  it('is docked at its last height, and never covers its toggle (behaviour 10.17.3)', async () => {
    const { page, errors } = visiting();
    await page.goto('/settings');
    const toggle = page.getByRole('button', { name: /^Timeline/ });
    await toggle.click();
    const edge = page.getByRole('separator', { name: 'Height of the timeline' });
    await edge.focus();
    const heightOf = async () => Number(await edge.getAttribute('aria-valuenow'));
    const before = await heightOf();
    await page.keyboard.press('ArrowUp');
    expect(await heightOf()).toBe(before + 16);
    const box = (await edge.boundingBox())!; // it is drawn
    await page.mouse.move(box.x + 200, box.y + 4);
    await page.mouse.down();
    await page.mouse.move(box.x + 200, box.y - 60, { steps: 4 });
    await page.mouse.up();
    const dragged = await heightOf();
    expect(dragged).toBeGreaterThan(before + 40);
    await page.keyboard.press('End');
    const toggleIsFree = () =>
      toggle.evaluate((it) => {
        const { x, y, width, height } = it.getBoundingClientRect();
        return it.contains(document.elementFromPoint(x + width / 2, y + height / 2));
      });
    expect(await toggleIsFree()).toBe(true);
    const highest = await heightOf();
    await page.reload();
    await dock(page).waitFor();
    expect(await heightOf()).toBe(highest);
    await toggle.click();
    await dock(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await dock(page).count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('keeps the selection in its address, and shows request and response with the purpose of the call (behaviour 10.17.3, 10.17.4)', async () => {
    const { page, errors } = visiting();
    await page.goto('/timeline?find=datasets');
    await rows(page, '/network-v1/datasets').click();
    const request = page.getByRole('region', { name: 'Request' });
    await request.getByText(/^\d+ headers$/).click();
    await request.getByText('$TOKEN').first().waitFor();
    await page.getByText('Creates a data set, with the user’s token.').waitFor();
    await page.getByText('201 Created').waitFor();
    await page.getByRole('tab', { name: 'Response' }).click();
    await page.getByRole('region', { name: 'Response' }).waitFor();
    await page.reload();
    await request.waitFor();
    await page.getByRole('button', { name: 'Sequence' }).click();
    await page.getByRole('img', { name: /^Sequence diagram/ }).waitFor();
    await page.getByText('In words').click();
    await page.getByText(/Your program to Console:/).waitFor();
    await page.getByRole('searchbox', { name: 'Filter by path, id, status' }).fill('no such thing');
    await page.getByText('No entry matches.').waitFor();
    expect(new URL(page.url()).search).toMatch(/find=no\+such\+thing&entry=\d+&view=sequence/);
    expect(errors).toEqual([]);
  });
});

const inspector = (page: Page) => page.getByRole('region', { name: 'Inspector' });
const open = (page: Page, tab: string | RegExp) => inspector(page).getByRole('tab', { name: tab }).click();
const lit = (page: Page) => inspector(page).locator('[data-lit]');

/** Opens the form of a page, where something was made there already as well. */
async function openForm(page: Page, path: string): Promise<void> {
  await page.goto(`${path}?guided=true`);
  await press(page, 'Create another');
  // From the second form on the examples are there already.
  const filled = page.getByText('Filled with examples');
  await filled
    .or(page.getByRole('button', { name: 'Fill with example' }))
    .first()
    .waitFor();
  if (!(await filled.isVisible())) await press(page, 'Fill with example');
}

describe('the inspector', () => {
  it('highlights the line of a field without scrolling the page (behaviour 10.16.9)', async () => {
    const { page } = visiting();
    for (const width of [1280, 700]) {
      await page.setViewportSize({ width, height: 480 });
      await openForm(page, '/createcompany');
      const field = page.getByLabel('Name', { exact: true });
      await field.scrollIntoViewIfNeeded();
      const before = await page.evaluate(() => scrollY);
      await field.evaluate((input) => {
        input.focus({ preventScroll: true });
      });
      await lit(page).waitFor();
      expect(await page.evaluate(() => scrollY)).toBe(before);
    }
  });

  it('is accessible in each tab, in light and dark colours', async () => {
    const { page } = visiting();
    await openForm(page, '/createcompany');
    for (const tab of ['Request', 'Response', 'Code']) {
      await open(page, tab);
      await settled(page);
      // With the first one all of the page; the others differ in the inspector.
      const part = tab === 'Request' ? 'html' : '[aria-label=Inspector]';
      expect(await faultsOf(page, part), String(tab)).toEqual([]);
    }
  });
});

const firstInvoice = (page: Page) =>
  page
    .getByRole('checkbox', { name: /^Pay invoice/ })
    .first()
    .getAttribute('aria-label');
const filter = (page: Page) => page.getByRole('searchbox', { name: 'Filter invoices' });
const address = (page: Page, search: string) => page.waitForURL((url) => url.search === search);

describe('a list of ten thousand invoices', () => {
  it('is filtered, sorted and paged; the address keeps that, and typing goes on meanwhile (behaviour 10.7.1, 10.12.1)', async () => {
    const { page, errors } = visiting();
    await page.goto('/electronicpayments?invoices=10000');
    await filter(page).click();
    await page.keyboard.type('inv-099');
    await address(page, '?invoices=10000&q=inv-099');
    expect((await focusOf(page)).what).toContain('INPUT');
    await page.keyboard.type('9');
    await page.getByRole('table', { name: '10 of 10000 invoices' }).waitFor();
    await page.keyboard.press('Backspace');
    await page.getByRole('columnheader', { name: 'Invoice' }).getByRole('button').dblclick();
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await address(page, '?invoices=10000&q=inv-099&sort=-invoiceId&page=2');
    expect(await firstInvoice(page)).toMatch(/^Pay invoice INV-09949-/);
    await page.reload();
    expect(await firstInvoice(page)).toMatch(/^Pay invoice INV-09949-/);
    await page.getByRole('link', { name: 'Payments Out Console' }).click();
    await page.getByRole('heading', { name: 'Guided path' }).waitFor();
    await page.goBack();
    expect(await filter(page).inputValue()).toBe('inv-099');
    expect(await firstInvoice(page)).toMatch(/^Pay invoice INV-09949-/);
    expect(errors).toEqual([]);
  });
});
