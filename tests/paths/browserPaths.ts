import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { journeysIn, type Area } from '#machines/journeys.ts';
import { consoleMachine } from '#machines/console.machine.ts';
import { models } from '#tests/machines/models.ts';
import { record } from '#tests/support/coverage.ts';
import { goalsOf, missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere, replay, type Walk } from '#tests/support/pathsReplay.ts';
import { storyOf, visit, type Visit } from '#tests/browser/visit.ts';
import { walkedOnConsole } from '#tests/support/consolePaths.ts';
import { allOf, fewOf } from '#tests/support/coveringPaths.ts';
import { consoleWalker, isPossible } from './browser/console.ts';
import { everyBranch } from './browser/choose.ts';
import { watch } from './browser/seen.ts';
import { walker, type Walker } from './browser/walk.ts';
import { openWorld } from './browser/world.ts';

/**
 * A console with its service and one page, for all tests of a file; what is given back holds while a test runs. The
 * page's clock stands still and is moved by the paths: none of their delays passes by itself on a busy machine.
 * tests/browser/pending.test.ts awaits real polls.
 */
export function openWalker(): () => Walker {
  let browser: Browser;
  let visiting: Visit;
  let walking: Walker;

  beforeAll(async () => {
    browser = await chromium.connect(inject('chromium'));
    const world = await openWorld();
    visiting = await visit(browser, world.front.url);
    walking = { page: visiting.page, seen: await watch(visiting.page), world };
    await visiting.page.clock.install();
    await visiting.page.clock.pauseAt(Date.now() + 1000);
    await visiting.page.goto('/');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await storyOf(visiting));
  });
  afterAll(async () => {
    await browser.close();
    await walking.world.close();
  });
  return () => walking;
}

/** What only facts lead to that arrive in a gate: a page with them is opened past it. */
const pastGates: readonly string[] = ['batch.checking: always, branch 2, to batch.loading'];

/** Adds what happened on a path that the page has walked. */
function add(walk: Walk, { entered, taken }: Walk): void {
  entered.forEach((state) => walk.entered.add(state));
  taken.forEach((branch) => walk.taken.add(branch));
}

/**
 * Walks paths of an area's journeys: as few as together reach and take all that a user and a service can cause in each
 * of them.
 */
export async function testJourneysOf(area: Area, walking: () => Walker): Promise<void> {
  for (const id of journeysIn(area)) {
    const model = models[id];
    const paths = await everyBranch(model);
    const walked = nowhere();

    describe(`the journey ${id} in a browser`, () => {
      it.each(paths.map((path) => [path.name, path] as const))('%s', async (_, path) => {
        await walker(id, walking())(path);
        await replay(model, path, walked);
      });

      it('has reached each state and transition of the chosen paths', (test) => {
        record(test, id, 'c', { shortest: paths.length, walk: walked });
        const missed = missedBy(model.machine, walked);
        expect(missed.filter((name) => !name.includes(': facts.arrived,') && !pastGates.includes(name))).toEqual([]);
      });
    });
  }
}

/** Walks paths of the console's machine: as few as take every branch that is possible. */
export async function testConsole(walking: () => Walker): Promise<void> {
  const chosen = fewOf(await walkedOnConsole(isPossible), allOf);
  const walked = nowhere();

  describe('the console in a browser', () => {
    it.each(chosen.map((each) => [each.how, each.path.name, each] as const))(
      'opened %s: %s',
      async (_how, _name, { opening, path, walk }) => {
        await consoleWalker(walking())(opening, path);
        add(walked, walk);
      },
    );

    it('has reached each state', (test) => {
      record(test, consoleMachine.id, 'c', { shortest: chosen.length, walk: walked });
      expect(goalsOf(consoleMachine).states.filter((state) => !walked.entered.has(state))).toEqual([]);
    });
  });
}
