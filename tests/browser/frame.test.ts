import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { choosePayment, goNext, pay, prepare } from './guidedSteps.ts';
import { isFocused } from './keyboard.ts';
import { sharedConsole } from './shared.ts';

const { visiting } = sharedConsole();

const barOf = (page: Page): Locator => page.getByRole('group', { name: 'Actions of this step' });

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

describe('behaviour, section 10.16, in the browser', () => {
  it('on the whole guided path the one bar keeps its place, with one primary action above the fold', async () => {
    const { page, errors } = visiting();
    await page.setViewportSize({ width: 1440, height: 900 });
    const [bars, headings, below] = [new Set<string>(), new Set<number>(), new Set<string>()];
    const look = async (where: string) => {
      // What is under the pointer looks otherwise.
      await page.mouse.move(0, 0);
      await barOf(page).getByRole('button').last().waitFor();
      bars.add(await placed(barOf(page)));
      for (const button of await barOf(page).getByRole('button').all()) {
        const { y = 0, height = 0 } = (await button.boundingBox()) ?? {};
        if (y < 0 || y + height > 900) below.add(`${where}: ${await button.innerText()}`);
      }
      expect(await primaries(page), where).toBeLessThanOrEqual(1);
    };
    await prepare(page, async (title) => {
      await look(`${title}, done`);
      expect(await primaries(page), `${title}, done`).toBe(1);
      headings.add(Math.round((await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? 0));
      await goNext(page);
      await page.locator(`main [data-wizard=working]`).waitFor();
      await look(`after ${title}`);
      headings.add(Math.round((await page.getByRole('heading', { level: 1 }).boundingBox())?.y ?? 0));
    });
    await choosePayment(page);
    await look('the review');
    await pay(page);
    await look('the batch');
    expect([...below]).toEqual([]);
    expect([bars.size, headings.size]).toEqual([1, 1]);
    expect(errors).toEqual([]);
  });
});

describe('the regions of a step', () => {
  it('stand side by side on a wide page: 220, 560 and the rest, at least 400 px', async () => {
    const { page } = visiting();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/createcompany');
    await page.getByRole('tab', { name: 'Request' }).waitFor();
    const columns = await page
      .locator('main [data-journey]')
      .evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(' ').map(parseFloat));
    expect(columns).toEqual([220, 560, 660]);
  });

  it('the rail is one line under 1100 px; it opens as a drawer and gives the focus back', async () => {
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
    await page.getByRole('heading', { level: 1, name: 'Get Access Token' }).waitFor();
    await drawer.waitFor({ state: 'detached' });
  });

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
