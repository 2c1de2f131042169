import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** WCAG 2.2, levels A and AA, in axe's words (behaviour, section 10.11). */
const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Width of an ordinary window, and of the narrowest one that needs no scrolling sideways (behaviour, section 10.11), in CSS px. */
const [ordinary, narrow] = [1280, 320];

/** Height of a window that shows nearly any page whole, in CSS px. */
const tall = 6000;

type Mode = 'light' | 'dark';

/** Shows a page in the colours of a mode. */
export async function show(page: Page, mode: Mode): Promise<void> {
  await page.emulateMedia({ colorScheme: mode });
  await page.locator(`html.${mode}`).waitFor();
}

/** Waits until a page has got what it asked for. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-busy=true], [aria-label=Loading]') === null);
}

const require = createRequire(import.meta.url);
/** Less than half of what the package gives as its source; each page has to be given it, and to compile it. */
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Further rules of axe: visible names are within accessible ones, headings are in order. */
const names = ['label-content-name-mismatch', 'heading-order', 'empty-heading'];
/** Landmarks have different names. Axe would count those of a frame's own page with those of the page around it. */
const landmarks = ['landmark-unique', 'landmark-no-duplicate-main'];

/** The rules of axe, of those levels, that depend on colour. */
const ofColour = ['color-contrast', 'link-in-text-block'];

/**
 * Axe for a page. What it finds in several frames it puts together in a page of its own; a single one does without, and is
 * given axe once. Of what it finds right it names one element, not all.
 */
async function axeOn(page: Page): Promise<AxeBuilder> {
  const more = page.frames().length > 1 ? names : [...names, ...landmarks];
  const rules = Object.fromEntries(more.map((name) => [name, { enabled: true }]));
  const options = { resultTypes: ['violations' as const], rules };
  if (page.frames().length > 1) return new AxeBuilder({ page, axeSource }).options(options);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  return new AxeBuilder({ page, axeSource: 'undefined' }).options(options).setLegacyMode();
}

async function axeFaults(builder: AxeBuilder, part: string): Promise<string[]> {
  const { violations } = await builder.include(part).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.flatMap(({ target, failureSummary }) => {
      const place = target.join(' ');
      // The name of a state in a chart has its sentences unwrapped and without their marks.
      if (id === 'label-content-name-mismatch' && place.includes('[data-state=')) return [];
      return `${id}: ${place}: ${failureSummary}`;
    }),
  );
}

/**
 * What axe finds wrong with a part of the page and its frames: rule, element, what is wrong with it. All rules in light
 * colours, in dark ones those that depend on colour, beginning with the colours that the page is in.
 */
async function accessibilityFaults(page: Page, part = 'html'): Promise<string[]> {
  const isDark = await page.evaluate(() => document.documentElement.classList.contains('dark'));
  const modes: readonly Mode[] = isDark ? ['dark', 'light'] : ['light', 'dark'];
  const faults: string[] = [];
  for (const mode of modes) {
    await show(page, mode);
    const builder = await axeOn(page);
    const found = await axeFaults(mode === 'light' ? builder.withTags(wcag) : builder.withRules(ofColour), part);
    faults.push(...found.map((fault) => `${mode}: ${fault}`));
  }
  return faults;
}

/** Whether a page in a narrow window has to be scrolled sideways. */
async function reflowFaults(page: Page): Promise<string[]> {
  const needed = await page.evaluate(() => document.documentElement.scrollWidth);
  return needed > narrow ? [`needs ${needed} px in a window of ${narrow} px`] : [];
}

/**
 * The controls that cannot run now and do not say why (behaviour, section 10.4); a sentence in it, or “Sending …”, says it.
 * What a modal dialog covers cannot be reached.
 */
const unexplained = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [
      ...(document.querySelector(':modal') ?? document).querySelectorAll<HTMLElement>(
        'button[aria-disabled=true], button:disabled',
      ),
    ]
      .filter((control) => !/[.…]$/.test(control.innerText) && !control.closest('[aria-busy=true]'))
      .filter(({ title, ariaDescribedByElements }) => {
        const reasons = (ariaDescribedByElements ?? []).map(({ textContent }) => textContent);
        return `${title}${reasons.join('')}`.trim() === '';
      })
      .map((control) => `${control.ariaLabel ?? control.innerText} cannot be pressed and does not say why`),
  );

/** Shows a page whole: a bar that lies over what can be scrolled away covers nothing. */
async function showWhole(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: tall });
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (height > tall) await page.setViewportSize({ width, height });
}

/**
 * What is wrong with a page as it is now, in words: headings, width, reasons, accessibility in light and dark colours, of a part
 * only where the rest has been looked at.
 */
export async function faultsOf(page: Page, part = 'html'): Promise<string[]> {
  const headings = await page.getByRole('heading', { level: 1, includeHidden: true }).allInnerTexts();
  await showWhole(page, narrow);
  const reflow = await reflowFaults(page);
  await showWhole(page, ordinary);
  return [
    ...(headings.length === 1 ? [] : [`has ${headings.length} headings of level 1: ${headings.join(', ')}`]),
    ...reflow,
    ...(await unexplained(page)),
    ...(await accessibilityFaults(page, part)),
  ];
}
