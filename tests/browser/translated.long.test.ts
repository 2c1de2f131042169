import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { choosePayment, confirmAnother, goNext, pay, prepare } from './guidedSteps.ts';
import { expectPaid } from './paid.ts';
import { settled } from './screen.ts';
import { sharedConsole } from './shared.ts';
import { textsOf, translate, type Manner } from './translator.ts';

/** What React says of a part that was translated before it has taken it over, and that it renders anew. */
const besidesTakeover = (errors: readonly string[]) => errors.filter((each) => !each.includes('React error #418'));

/** Each text of the page is what it has rendered last, and nothing of it crashed. */
async function expectUpToDate(page: Page): Promise<void> {
  await settled(page);
  const stale = async () => {
    const { shown, rendered } = await textsOf(page);
    const at = [...rendered].findIndex((letter, place) => shown[place] !== letter);
    return shown === rendered ? '' : `“${shown.slice(at - 30, at + 60)}” in the place of “${rendered.slice(at - 30, at + 60)}”`;
  };
  await expect.poll(stale).toBe('');
  expect(await page.getByText('Unexpected Application Error').count()).toBe(0);
}

describe.each<Manner>(['replaced', 'moved'])('a page whose texts a translator of the browser has %s', (manner) => {
  const { visiting } = sharedConsole(undefined, 'all');

  it('is walked on the whole guided path without a crash or a text of before (behaviour 10.11.12)', async () => {
    const { page, errors } = visiting();
    await translate(page, manner);
    await prepare(page, async () => {
      await expectUpToDate(page);
      await goNext(page);
    });
    await choosePayment(page);
    await expectUpToDate(page);
    await pay(page);
    await expectPaid(page);
    await expectUpToDate(page);
    expect(await page.locator('font').count()).toBeGreaterThan(20);
    expect(besidesTakeover(errors)).toEqual([]);
  });

  it.each(['/createorganisation', '/createcompany', '/createaccount', '/createdataset'])(
    'opens the form of another record at %s (behaviour 10.11.12)',
    async (path) => {
      const { page, errors } = visiting();
      await page.goto(path);
      await page.getByRole('button', { name: 'Create another' }).waitFor();
      await confirmAnother(page);
      await page.getByRole('textbox').first().waitFor();
      await expectUpToDate(page);
      expect(besidesTakeover(errors)).toEqual([]);
    },
  );
});
