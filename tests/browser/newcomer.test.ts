import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { openBrowser } from '#tests/support/browser.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { approve, batchStatus } from './guidedSteps.ts';
import { storyOf, visit, type Visit } from './visit.ts';

let browser: Browser;
let program: ConsoleProcess;
let visiting: Visit;

beforeAll(async () => {
  browser = await openBrowser(inject('chromium'));
  program = await newConsole();
  await program.start();
  visiting = await visit(browser, program.url, { viewport: { width: 1440, height: 900 } });
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await storyOf(visiting), program.printed());
});
afterAll(async () => {
  await visiting.close();
  await program.remove();
  await browser.close();
});

/** A newcomer who presses and reads, and types nothing: how often, and how long each press is waited for, in ms. */
function newcomer(page: Page) {
  let presses = 0;
  let waited = 0;
  const inSight = async (control: Locator) => {
    const box = await control.boundingBox();
    expect(box && box.y >= 0 && box.y + box.height <= 900, String(control)).toBe(true);
  };
  /** `inFrame`: the control scrolls with a frame that has a page of its own. */
  const press = async (control: Locator, inFrame = false): Promise<void> => {
    const begun = performance.now();
    await control.waitFor();
    waited += performance.now() - begun;
    if (!inFrame) await inSight(control);
    presses += 1;
    await control.click();
  };
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  return {
    press,
    button,
    next: () => press(button(/^Next: /)),
    /** The primary action of the step's bar. */
    submit: () => press(page.getByRole('group', { name: 'Actions of this step' }).locator('button[type="submit"]')),
    count: () => ({ presses, waited }),
    pressed: () => (presses += 1),
  };
}

it('a newcomer comes from nothing to a paid batch without typing, in 30 presses', async () => {
  const { page, errors } = visiting;
  const { press, button, next, submit, count, pressed } = newcomer(page);
  const form = async (heading: string, filled: Locator) => {
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    // From the second form on the examples are there already.
    await filled.waitFor();
    await submit();
    await next();
  };
  const field = (label: string, value: string) =>
    page.getByLabel(label, { exact: true }).and(page.locator(`input[value="${value}"]`));

  await page.goto('/');
  await press(page.getByRole('link', { name: /^Start/ }));
  await press(button('Fill with example'));
  await next();
  await press(button('Fill with example'));
  await form('Create Organisation', field('Primary country', 'GBR'));
  await form('Create Company', field('External id', 'company-0001'));
  await page.getByText('Masked', { exact: true }).waitFor();
  await next();
  await press(button('Log in'));
  await page.getByRole('heading', { name: 'Log in to the sandbox' }).waitFor();
  await press(button('Log in'));
  await next();
  await form('Create Account', field('External id', 'account-0001'));
  await form('Create DataSet', field('Country', 'GB'));
  await form('Create with OnBoarding', field('Sort code', '112233'));
  await press(button(/^Authorise subscription/));
  await approve(page);
  pressed();
  await next();
  await form('Create Debtor', field('Account number', '12345678'));
  await form('Create Creditor', field('Sort code', '112233'));
  await field('Approval reference', 'RUN-001').waitFor();
  await submit();
  await press(button(/^Pay [\d,.]+ GBP$/));
  const onward = button(/^Next: /).or(page.getByRole('status').filter({ hasText: 'Completed' }));
  await onward.first().waitFor();
  if (await button(/^Next: /).isVisible()) await next();
  await batchStatus(page, 'Completed').first().waitFor();

  const { presses, waited } = count();
  expect(presses).toBeLessThanOrEqual(30);
  expect(waited).toBeLessThanOrEqual(12_000);
  expect(errors).toEqual([]);
});
