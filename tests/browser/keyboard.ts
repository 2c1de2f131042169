import type { Locator, Page } from 'playwright-core';
import { isList, type Hands } from './guidedSteps.ts';

/** More stops than any page has. */
const manyStops = 400;

/** As much of an option's text as there are keys for. */
const beginning = (text: string): string => text.replace(/[^ -~].*/, '').trim();

export const isFocused = (control: Locator): Promise<boolean> =>
  control.evaluate((element) => element === element.ownerDocument.activeElement);

/** What has the focus in the page, in words, and what is wrong with it as a stop of the Tab key ('' if nothing). */
export const focusOf = (page: Page): Promise<{ what: string; wrong: string }> =>
  page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const what = `${element.tagName} ${element.getAttribute('aria-label') ?? element.textContent.slice(0, 40)}`;
    // A frame draws the focus itself; before and behind the page there is no focus to be seen. A heading gets the focus
    // from the page, in place of a control that is gone.
    const isStop = element instanceof HTMLElement && element.tabIndex >= 0;
    if (!isStop || element.tagName === 'IFRAME') return { what, wrong: '' };
    const [box] = element.getClientRects();
    if (!box) return { what, wrong: 'is not drawn' };
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    if (outlineStyle === 'none' || outlineWidth === '0px') return { what, wrong: 'has no visible focus' };
    // Of what begins above the window, as an edge along the whole page may, the part in the window is to be seen.
    const [top, bottom] = [Math.max(box.top, 0), Math.min(box.bottom, innerHeight)];
    const into = box.top < 0 ? (bottom - top) / 2 : Math.min(box.height / 2, 12);
    const over = document.elementFromPoint(box.x + box.width / 2, top + into);
    const seen = over !== null && (element.contains(over) || over.contains(element));
    return { what, wrong: seen ? '' : `is hidden by ${over?.tagName ?? 'the edge of the window'}` };
  });

/** Waits until a control no longer rests, as after the first press of a double click. */
const isEnabled = (control: Locator): Promise<void> =>
  control.and(control.page().locator(':not([aria-disabled=true])')).waitFor();

/** Hands that only have a keyboard; `wrong` collects what is wrong with the stops that they came by. */
export function keyboard(page: Page): Hands & { reach: (control: Locator) => Promise<void>; wrong: Set<string> } {
  const wrong = new Set<string>();

  /** Presses Tab until the control has the focus. Throws with the stops on the way if it never gets it. */
  async function reach(control: Locator): Promise<void> {
    await control.waitFor();
    const stops: string[] = [];
    while (!(await isFocused(control))) {
      if (stops.length >= manyStops) throw new Error(`Tab does not reach ${String(control)}:\n${stops.join('\n')}`);
      await page.keyboard.press('Tab');
      const stop = await focusOf(page);
      stops.push(stop.what);
      if (stop.wrong) wrong.add(`${new URL(page.url()).pathname}: ${stop.what} ${stop.wrong}`);
    }
  }

  return {
    wrong,
    reach,
    async fill(control, value) {
      await reach(control);
      const list = await isList(control);
      // Arriving by Tab selects what is there; a list goes to the option whose beginning is typed.
      await page.keyboard.type(list ? beginning(value) : value);
      if (list) await page.keyboard.press('Enter');
    },
    async press(control) {
      await reach(control);
      await isEnabled(control);
      const isCheckbox = await control.evaluate((element: HTMLInputElement) => element.type === 'checkbox');
      await page.keyboard.press(isCheckbox ? 'Space' : 'Enter');
    },
  };
}
