import { chromium, type Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { accidentNames, accidentsByName } from '#tests/accidents/accidents.ts';
import { claimsInBrowser, everyTimeInBrowser, userOf } from '#tests/accidents/claims.ts';
import { wrongAfter } from '#tests/accidents/truth.ts';
import { beginWalk } from '#tests/accidents/walk.ts';
import { openWorld, type World } from '#tests/accidents/world.ts';
import { isThorough } from '#tests/support/runCounts.ts';
import { tabsIn } from './accidents/tab.ts';
import { storyOf, visit, type Visit } from './visit.ts';

let browser: Browser;
let world: World;
let visiting: Visit;
let tabs: Awaited<ReturnType<typeof tabsIn>>;

beforeAll(async () => {
  browser = await chromium.connect(inject('chromium'));
  world = await openWorld('dist/page');
  visiting = await visit(browser, world.url);
  tabs = await tabsIn(visiting.page);
  await tabs.leave();
});
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') console.error(await storyOf(visiting));
  await tabs.leave();
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

describe.each(claimsInBrowser(isThorough))('in Chromium, in $user.journey/$state', (claim) => {
  const { user, way, state } = claim;
  it.each(isThorough ? accidentNames : everyTimeInBrowser)(
    'each record is created once, or the page gives the reason: %s (behaviour 4.23)',
    async (name) => {
      const walk = await beginWalk(world, { user, way }, userOf, tabs.openTab);
      walk.await(accidentsByName[name], state);
      const walked = await walk.finish();
      expect(walked.happened, walked.log.join('\n')).toHaveLength(1);
      expect(await wrongAfter(world, user, walked)).toBe('');
    },
  );
});
