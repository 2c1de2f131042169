import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { format, resolveConfig } from 'prettier';
import { journeyOrder } from '#machines/journeys.ts';
import { isThorough } from '#tests/support/runCounts.ts';
import { accidentNames, accidentsByName, type AccidentName } from './accidents.ts';
import { claimsFor, documentOf, everyTime, statesIn, userOf, wishes, type Claim } from './claims.ts';
import { wrongAfter } from './truth.ts';
import { beginWalk } from './walk.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 60_000);
afterAll(() => world.close());

/** Returns the violations after a walk with this accident in this state; '' if there are none. */
async function wrongWith({ user, way, state }: Claim, name: AccidentName): Promise<string> {
  const what = accidentsByName[name];
  try {
    const walk = await beginWalk(world, { user, way }, userOf);
    walk.await(what, state);
    const walked = await walk.finish();
    const wrong = await wrongAfter(world, user, walked);
    return walked.happened.length === 1 ? wrong : `it did not happen there\n${walked.log.join('\n')}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

describe.each(isThorough ? wishes : everyTime)('a user who wants to %s', (wish) => {
  it.each(accidentNames)(
    'succeeds exactly once, or sees why not, if this happens in any state: %s (behaviour 4.23)',
    async (name) => {
      const wrong: string[] = [];
      for (const claim of claimsFor(wish, name, isThorough)) {
        const message = await wrongWith(claim, name);
        if (message) wrong.push(`${claim.state}: ${message}`);
      }
      expect(wrong.join('\n\n')).toBe('');
    },
    // A walk that is given up goes on, and disturbs those that follow.
    60_000 + claimsFor(wish, 'reload', isThorough).length * 30_000,
  );
});

it.each(journeyOrder)('each state of %s is covered by an accident, or the model states why not', (id) => {
  expect(statesIn(id).open).toEqual([]);
});

it('docs/accidents.md matches the models of accidents', async () => {
  const file = 'docs/accidents.md';
  const formatted = await format(documentOf(), { ...(await resolveConfig(file)), filepath: file });
  await expect(formatted).toMatchFileSnapshot(`../../${file}`);
});
