import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { openBrowser } from '#tests/support/browser.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { storyOf, visit, type Visit } from './visit.ts';

/**
 * One console with an empty data folder for all tests of a file, and a browser profile for each of them. `prepare` is
 * done before the first one. What is given back holds while a test runs; a test that fails prints where it was.
 */
export function sharedConsole(prepare: (program: ConsoleProcess) => Promise<unknown> = () => Promise.resolve()) {
  let browser: Browser;
  let program: ConsoleProcess;
  let visiting: Visit;

  beforeAll(async () => {
    browser = await openBrowser(inject('chromium'));
    program = await newConsole();
    await program.start();
    await prepare(program);
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

  return { program: () => program, visiting: () => visiting };
}
