import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** WCAG 2.2, levels A and AA, in axe's words (behaviour, section 10.11). */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Width of an ordinary window, and of the narrowest one that needs no scrolling sideways (behaviour, section 10.11), in CSS px. */
const [ordinary, narrow] = [1280, 320];

/** Height of a window that shows any page whole: a bar that lies over what can be scrolled away covers nothing. */
const tall = 6000;

/** Shows a page in the colours of a mode, without motion: what is half faded in has no contrast to judge. */
export const inMode = (page: Page, colorScheme: 'light' | 'dark'): Promise<void> =>
  page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });

/** Waits until a page has got what it asked for. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-busy=true], [aria-label=Loading]') === null);
}

/** The rules of axe, of those levels, that depend on colour. */
const ofColour = ['color-contrast', 'link-in-text-block'];

/**
 * Axe for a page. What it finds in several frames it puts together in a page of its own, which a single one does without.
 * Of what it finds right it names one element, not all.
 */
const axeOn = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode(page.frames().length === 1);

async function axeFaults(builder: AxeBuilder, part: string): Promise<string[]> {
  const { violations } = await builder.include(part).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/**
 * What axe finds wrong with a part of the page and its frames: rule, element, what is wrong with it. All rules in light
 * colours, in dark ones those that depend on colour. Leaves the page light.
 */
export async function accessibilityFaults(page: Page, part = 'html'): Promise<string[]> {
  await inMode(page, 'light');
  const light = await axeFaults(axeOn(page).withTags(wcag), part);
  await inMode(page, 'dark');
  await page.locator('html.dark').waitFor();
  const dark = await axeFaults(axeOn(page).withRules(ofColour), part);
  await inMode(page, 'light');
  await page.locator('html.light').waitFor();
  return [...light, ...dark.map((fault) => `dark: ${fault}`)];
}

/** Whether a page in a narrow window has to be scrolled sideways. */
async function reflowFaults(page: Page): Promise<string[]> {
  const needed = await page.evaluate(() => document.documentElement.scrollWidth);
  return needed > narrow ? [`needs ${needed} px in a window of ${narrow} px`] : [];
}

/** What is wrong with a page as it is now, in words: accessibility in light and dark colours, headings, width. */
export async function faultsOf(page: Page): Promise<string[]> {
  const headings = await page.getByRole('heading', { level: 1, includeHidden: true }).allInnerTexts();
  await page.setViewportSize({ width: narrow, height: tall });
  const reflow = await reflowFaults(page);
  await page.setViewportSize({ width: ordinary, height: tall });
  return [
    ...(headings.length === 1 ? [] : [`has ${headings.length} headings of level 1: ${headings.join(', ')}`]),
    ...reflow,
    ...(await accessibilityFaults(page)),
  ];
}
