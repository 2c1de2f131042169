import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { openBetween, type Between } from '#tests/support/between.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { storyOf, visit, type Visit } from './visit.ts';

/** What the pages of a test file visit. */
interface Visited {
  url: string;
  program: ConsoleProcess;
  close(): Promise<void>;
}

/**
 * Opens what is visited for all tests of a file, and a browser profile for each of them, or one for `all`. What is
 * returned holds while a test runs; a test that fails prints where it was.
 */
function sharedVisits(open: () => Promise<Visited>, profileFor: 'each' | 'all' = 'each') {
  const [before, after] = profileFor === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll];
  let browser: Browser;
  let visited: Visited;
  let visiting: Visit;

  beforeAll(async () => {
    browser = await chromium.connect(inject('chromium'));
    visited = await open();
  });
  before(async () => {
    visiting = await visit(browser, visited.url);
  });
  afterAll(async () => {
    await browser.close();
    await visited.close();
  });
  after(() => visiting.close());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await storyOf(visiting), visited.program.printed());
  });

  return { program: () => visited.program, visiting: () => visiting };
}

/**
 * One console with an empty data folder for all tests of a file, prepared before the first one. One profile for `all`
 * where a test takes the page as the test before has left it.
 */
export const sharedConsole = (
  prepare: (program: ConsoleProcess) => Promise<unknown> = () => Promise.resolve(),
  profileFor: 'each' | 'all' = 'each',
) =>
  sharedVisits(async () => {
    const program = await newConsole();
    await program.start();
    await prepare(program);
    return { url: program.url, program, close: () => program.remove() };
  }, profileFor);

/** One console between two proxies for all tests of a file, prepared by its API before the first one. */
export function sharedBetween(prepare: (api: ReturnType<typeof apiAt>) => Promise<unknown>) {
  let between: Between;
  let api: ReturnType<typeof apiAt>;
  const { visiting } = sharedVisits(async () => {
    between = await openBetween();
    api = apiAt(between.program.url);
    await prepare(api);
    return { url: between.front.url, program: between.program, close: () => between.close() };
  });
  return { visiting, between: () => between, api: () => api };
}
