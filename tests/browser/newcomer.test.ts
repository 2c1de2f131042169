import { chromium, type Browser, type Locator, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { approve, batchStatus, pageHeading } from './guidedSteps.ts';
import { storyOf, visit, type Visit } from './visit.ts';

/**
 * What a newcomer is promised: presses and typed characters, in a window of this size in CSS px. The waiting is printed;
 * `npm run bench -- tests` holds it against what is promised.
 */
const most = { presses: 24, typed: 0 };
const viewport = { width: 1440, height: 900 };

let browser: Browser;
let program: ConsoleProcess;
let visiting: Visit;

beforeAll(async () => {
  browser = await chromium.connect(inject('chromium'));
});
beforeEach(async () => {
  program = await newConsole();
  await program.start();
  visiting = await visit(browser, program.url, { viewport });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await storyOf(visiting), program.printed());
  await visiting.close();
  await program.remove();
});
afterAll(() => browser.close());

/** Whether a control's upper and lower edge are seen without scrolling, and nothing lies over them. */
async function isInSight(page: Page, control: Locator): Promise<boolean> {
  const element = await control.elementHandle();
  const frame = await element?.ownerFrame();
  const box = await element?.boundingBox();
  if (!element || !frame || !box) return false;
  const isSeen = await element.evaluate((it) => {
    const { left, width, top, bottom } = it.getBoundingClientRect();
    return [top + 1, bottom - 1].every((y) => it.contains(document.elementFromPoint(left + width / 2, y)));
  });
  if (!isSeen || frame === page.mainFrame()) return isSeen;
  return (await frame.frameElement()).evaluate(
    (it, { x, width, y, height }) =>
      [y + 1, y + height - 1].every((edge) => document.elementFromPoint(x + width / 2, edge) === it),
    box,
  );
}

/** Calls back for every character that is typed into a page or its frames. */
async function watchTyping(page: Page, onTyped: () => void): Promise<void> {
  await page.exposeFunction('noteTyped', onTyped);
  await page.addInitScript(() => {
    const { noteTyped } = window as unknown as { noteTyped: () => void }; // exposed above
    const isText = (it: EventTarget | null) =>
      it instanceof HTMLTextAreaElement || (it instanceof HTMLInputElement && !/^(checkbox|radio)$/.test(it.type));
    addEventListener('input', ({ target }) => isText(target) && noteTyped(), true);
  });
}

/** A newcomer who presses and reads. What is to be pressed is waited for until it can be: there, at rest, not covered. */
async function newcomer(page: Page) {
  const belowTheFold: string[] = [];
  let [presses, typed, waited] = [0, 0, 0];
  let longest = { ms: 0, for: '' };
  await watchTyping(page, () => (typed += 1));

  /** Does nothing but wait. Of waits in each other the outer one counts. */
  async function waitFor(what: string, wait: () => Promise<unknown>): Promise<void> {
    const [from, before] = [performance.now(), waited];
    await wait();
    const ms = performance.now() - from;
    waited = before + ms;
    if (ms > longest.ms) longest = { ms, for: what };
  }
  const until = (thing: Locator) => waitFor(String(thing), () => thing.waitFor());
  async function press(control: Locator): Promise<void> {
    await waitFor(String(control), () => control.click({ trial: true }));
    if (!(await isInSight(page, control))) belowTheFold.push(`${page.url()}: ${String(control)}`);
    presses += 1;
    await control.click();
  }
  const bar = page.getByRole('region', { name: 'Actions of this step' });
  return {
    waitFor,
    until,
    press,
    button: (name: string | RegExp) => page.getByRole('button', { name, exact: true }),
    /** The primary action of the step's bar, which is looked for and seen before anything else is pressed on a page. */
    submit: bar.locator('button[type="submit"]'),
    next: bar.getByRole('button', { name: /^(Next: |Continue$)/ }),
    figures: () => ({ presses, typed, waited, longest, belowTheFold }),
  };
}

it('a newcomer comes from nothing to a paid batch without typing, in 24 presses (behaviour 10.13.3)', async () => {
  const { page, errors } = visiting;
  const { waitFor, until, press, button, submit, next, figures } = await newcomer(page);
  const field = (label: string, value: string) =>
    page.getByLabel(label, { exact: true }).and(page.locator(`input[value="${value}"]`));
  /** Filled with its examples, as the settings were. */
  const form = async (title: string, filled: Locator) => {
    await until(pageHeading(page, title));
    await until(filled);
    await press(submit);
    await press(next);
  };

  await waitFor('the first page', () => page.goto('/'));
  await press(button('Start with examples'));
  await form('Create Organisation', field('Primary country', 'GBR'));
  await form('Create Company', field('External id', 'company-0001'));
  await until(page.getByRole('button', { name: 'Copy the access token' }));
  await press(next);
  await press(button('Log in'));
  await until(page.getByRole('heading', { name: 'Log in to the sandbox' }));
  await press(button('Log in'));
  await press(next);
  await form('Create Account', field('External id', 'account-0001'));
  await form('Create DataSet', field('Country', 'GB'));
  await form('Create with OnBoarding', field('Sort code', '112233'));
  await waitFor('the approval', () => approve(page, { press, fill: () => Promise.reject(new Error('typed')) }));
  await press(next);
  await form('Create Debtor', field('Account number', '12345678'));
  await form('Create Creditor', field('Sort code', '112233'));
  await until(field('Approval reference', 'RUN-001'));
  await press(submit);
  await press(button(/^Pay [\d,.]+ GBP$/));
  await press(next);
  await until(batchStatus(page, 'Completed').first());

  const { presses, typed, waited, longest, belowTheFold } = figures();
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  console.log(
    `A newcomer's walk: ${presses} of ${most.presses} presses, ${typed} typed characters, ${belowTheFold.length} actions ` +
      `below the fold, ${seconds(waited)} s of waiting; longest: ${seconds(longest.ms)} s for ${longest.for}`,
  );
  expect(belowTheFold).toEqual([]);
  expect(presses).toBeLessThanOrEqual(most.presses);
  expect(typed).toBe(most.typed);
  expect(errors).toEqual([]);
});
