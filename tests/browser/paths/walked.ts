import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { journeysIn, type Area } from '#machines/journeys.ts';
import { models } from '#tests/machines/models.ts';
import { openBrowser } from '#tests/support/browser.ts';
import { record } from '#tests/support/coverage.ts';
import { missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere, type Walk } from '#tests/support/pathsReplay.ts';
import { storyOf, visit, type Visit } from '../visit.ts';
import { fewPaths } from './choose.ts';
import { watch } from './seen.ts';
import { walker, type Walker } from './walk.ts';
import { openWorld } from './world.ts';

/** A console with its service and one page, for all tests of a file; what is given back holds while a test runs. */
export function openWalker(): () => Walker {
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
  return () => walking;
}

/** Adds what happened on a path that the page has walked. */
export function add(walk: Walk, { entered, taken }: Walk): void {
  entered.forEach((state) => walk.entered.add(state));
  taken.forEach((branch) => walk.taken.add(branch));
}

/** Walks a few paths of each journey of an area that together reach and take all that a user and a service can cause. */
export async function testJourneysOf(area: Area): Promise<void> {
  const walking = openWalker();
  for (const id of journeysIn(area)) {
    const model = models[id];
    const chosen = await fewPaths(model);
    const walked = nowhere();

    describe(id, () => {
      it.each(chosen.map((each) => [each.path.name, each] as const))('%s', async (_, { path, walk }) => {
        await walker(id, walking())(path);
        add(walked, walk);
      });

      it('has been in each state and has taken each branch', (test) => {
        record(test, id, 'c', { walk: walked });
        const missed = missedBy(model.machine, walked, model.never);
        expect(missed.filter((name) => !name.includes(': facts.arrived,'))).toEqual([]);
      });
    });
  }
}
