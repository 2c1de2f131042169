import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest';
import { apiAt } from '#tests/support/api.ts';
import { openBetween, type Between } from '#tests/support/proxiedConsole.ts';
import { newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { storyOf, visit, type Visit } from './visit.ts';

/** What the pages of a test file visit. */
interface Visited {
  url: string;
  program: ConsoleProcess;
  close(): Promise<void>;
}

/**
 * How the tests of a file share what the browser keeps: each has a page as new (`swept`), a profile of `each`, with nothing
 * cached, or one for `all`, where a test takes the page as the test before has left it.
 */
type Profiles = 'swept' | 'each' | 'all';

/**
 * Opens what is visited for all tests of a file. What is returned holds while a test runs; a test that fails prints where
 * it was.
 */
function sharedVisits(open: () => Promise<Visited>, profiles: Profiles = 'swept') {
  const [before, after] = profiles === 'each' ? [beforeEach, afterEach] : [beforeAll, afterAll];
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
  beforeEach(() => (profiles === 'swept' ? visiting.sweep() : undefined));
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

/** One console with an empty data folder for all tests of a file, prepared before the first one. */
export const sharedConsole = (
  prepare: (program: ConsoleProcess) => Promise<unknown> = () => Promise.resolve(),
  profiles: Profiles = 'swept',
) =>
  sharedVisits(async () => {
    const program = await newConsole();
    await program.start();
    await prepare(program);
    return { url: program.url, program, close: () => program.remove() };
  }, profiles);

/** One console between two proxies for all tests of a file, prepared by its API before the first one. */
export function sharedBetween(prepare: (api: ReturnType<typeof apiAt>) => Promise<unknown>, profiles?: Profiles) {
  let between: Between;
  let api: ReturnType<typeof apiAt>;
  const { visiting } = sharedVisits(async () => {
    between = await openBetween();
    api = apiAt(between.program.url);
    await prepare(api);
    return { url: between.front.url, program: between.program, close: () => between.close() };
  }, profiles);
  return { visiting, between: () => between, api: () => api };
}
