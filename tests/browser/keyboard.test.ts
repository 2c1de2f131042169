import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { openBrowser } from '#tests/support/browser.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { batchStatus, choosePayment, goNext, pay, prepare } from './guidedSteps.ts';
import { keyboard } from './keyboard.ts';
import { storyOf, visit, type Visit } from './visit.ts';

let browser: Browser;
let program: ConsoleProcess;
let visiting: Visit;

beforeAll(async () => {
  browser = await openBrowser(inject('chromium'));
  program = await newConsole();
  await program.start();
});
beforeEach(async () => {
  visiting = await visit(browser, program.url);
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await storyOf(visiting), program.printed());
  await visiting.close();
});
afterAll(async () => {
  await browser.close();
  await program.remove();
});

describe('by keyboard alone', () => {
  it('the whole guided path is walked, and the focus is seen wherever it goes', async () => {
    const { page, errors } = visiting;
    const hands = keyboard(page);
    await prepare(page, () => goNext(page, hands), hands);
    await choosePayment(page, hands);
    await pay(page, hands);
    await batchStatus(page, 'Completed').waitFor();
    await page.getByText('the guided path is complete').waitFor();
    expect([...hands.wrong]).toEqual([]);
    expect(errors).toEqual([]);
  });
});
