import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { openBrowser } from '#tests/support/browser.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { storyOf, visit, type Visit } from './visit.ts';

/**
 * One console with an empty data folder for all tests of a file, and a browser profile for each of them, or one for
 * `all` where a test takes the page as the test before has left it. `prepare` is done before the first one. What is
 * given back holds while a test runs; a test that fails prints where it was.
 */
export function sharedConsole(
  prepare: (program: ConsoleProcess) => Promise<unknown> = () => Promise.resolve(),
  profileFor: 'each' | 'all' = 'each',
) {
  const [before, after] = profileFor === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let browser: Browser;
  let program: ConsoleProcess;
  let visiting: Visit;

  beforeAll(async () => {
    browser = await openBrowser(inject('chromium'));
    program = await newConsole();
    await program.start();
    await prepare(program);
  });
  before(async () => {
    visiting = await visit(browser, program.url);
  });
  afterAll(async () => {
    await browser.close();
    await program.remove();
  });
  after(() => visiting.close());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await storyOf(visiting), program.printed());
  });

  return { program: () => program, visiting: () => visiting };
}
