import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { journeyOrder } from '#machines/journeys.ts';
import { wizardMachine } from '#machines/wizard.machine.ts';
import { models } from '#tests/machines/models.ts';
import { openBrowser } from '#tests/support/browser.ts';
import { record } from '#tests/support/coverage.ts';
import { missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere, type Walk } from '#tests/support/pathsReplay.ts';
import { openings, wizardPaths } from '#tests/support/wizardPaths.ts';
import { fewOf, fewPaths } from './paths/choose.ts';
import { watch } from './paths/seen.ts';
import { walker, type Walker } from './paths/walk.ts';
import { isPossible, wizardWalker } from './paths/wizard.ts';
import { openWorld } from './paths/world.ts';
import { storyOf, visit, type Visit } from './visit.ts';

let browser: Browser;
let visiting: Visit;
let walking: Walker;

beforeAll(async () => {
  browser = await openBrowser(inject('chromium'));
  const world = await openWorld();
  visiting = await visit(browser, world.front.url);
  walking = { page: visiting.page, seen: await watch(visiting.page), world };
  await visiting.page.goto('/');
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await storyOf(visiting));
});
afterAll(async () => {
  await browser.close();
  await walking.world.close();
});

/** Adds what happened on a path that the page has walked. */
function add(walk: Walk, { entered, taken }: Walk): void {
  entered.forEach((state) => walk.entered.add(state));
  taken.forEach((branch) => walk.taken.add(branch));
}

for (const id of journeyOrder) {
  const model = models[id];
  const chosen = await fewPaths(model);
  const walked = nowhere();

  describe(id, () => {
    it.each(chosen.map((each) => [each.path.name, each] as const))('%s', async (_, { path, walk }) => {
      await walker(id, walking)(path);
      add(walked, walk);
    });

    it('has been in each state and has taken each branch', (test) => {
      record(test, id, 'c', { walk: walked });
      expect(missedBy(model.machine, walked, model.never)).toEqual([]);
    });
  });
}

describe('wizard', async () => {
  const possible = Object.entries(openings).flatMap(([how, opening]) =>
    wizardPaths(opening)
      .filter((path) => isPossible(opening, path))
      .map((path) => ({ how, opening, path, walk: nowhere(), cost: 5 + path.steps.length })),
  );
  for (const { path, walk } of possible) await path.replay(walk);
  const chosen = fewOf(possible);
  const walked = nowhere();

  it.each(chosen.map((each) => [each.how, each.path.name, each] as const))(
    'opened %s: %s',
    async (_how, _name, { opening, path, walk }) => {
      await wizardWalker(walking)(opening, path);
      add(walked, walk);
    },
  );

  it('has been in each state and has taken each branch', (test) => {
    record(test, wizardMachine.id, 'c', { walk: walked });
    expect(missedBy(wizardMachine, walked)).toEqual([]);
  });
});
