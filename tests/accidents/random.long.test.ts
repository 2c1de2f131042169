import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runsOf } from '#tests/support/runCounts.ts';
import { accidentNames, accidentsByName, type AccidentName } from './accidents.ts';
import { userOf } from './claims.ts';
import { wrongAfter } from './truth.ts';
import { users } from './users.ts';
import type { Walk } from './scene.ts';
import { beginWalk } from './walk.ts';
import { openWorld, type World } from './world.ts';

/** The number of walks; `npm run accidents` runs 1,000. */
const runs = runsOf(3);

/** A short run uses a fixed seed. */
const seed = process.env['SEED'] ?? (runs < 50 ? '1' : undefined);
/** The counterexample path that a failed run reports, to repeat it. */
const path = process.env['WALK'];

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 60_000);
afterAll(() => world.close());

interface Model {
  /** Whether the user has a company to return to. */
  hasCompany: boolean;
  /** Whether the service was reset, so that no other company exists there. */
  forgotten: boolean;
}
type Command = fc.AsyncCommand<Model, Walk>;

/** The user performs one action. */
const goesOn: Command = { check: () => true, run: (_, walk) => walk.step(), toString: () => 'goes on' };

/** An accident occurs at once, or when the page makes its next call. */
const happens = (name: AccidentName, toNextCall: boolean): Command => ({
  check: ({ hasCompany, forgotten }) => (hasCompany && !forgotten) || name !== 'anotherCompany',
  run: (model, walk) => {
    model.forgotten ||= name === 'forgotten';
    return toNextCall ? Promise.resolve(walk.await(accidentsByName[name])) : walk.happen(accidentsByName[name]);
  },
  toString: () => `${name}${toNextCall ? ' in the next call' : ''}`,
});

/** Users who write, and start with some records. */
const writers = Object.keys(users).filter((wish) => /^(create|delete|subscribe|authorise|suspend|pay) /.test(wish));
/** Excludes the faults of the ways themselves. */
const usual = { states: [] };

const commands = fc.commands(
  [
    fc.constant(goesOn),
    fc.constant(goesOn),
    fc
      .record({ name: fc.constantFrom(...accidentNames), toNextCall: fc.boolean() })
      .map((each) => happens(each.name, each.toNextCall)),
  ],
  { maxCommands: 12 },
);

it(
  'random steps and accidents never duplicate a write, and the console’s statements stay true',
  async () => {
    const walks = fc.asyncProperty(fc.constantFrom(...writers), commands, async (wish, sequence) => {
      const user = users[wish]!; // one of them
      const walk = await beginWalk(world, { user, way: usual }, userOf);
      const hasCompany = user.at !== 'settings' && user.at !== 'organisation';
      await fc.asyncModelRun(() => ({ model: { hasCompany, forgotten: false }, real: walk }), sequence);
      expect(await wrongAfter(world, user, await walk.finish())).toBe('');
    });
    await fc.assert(walks, { numRuns: runs, ...(seed !== undefined && { seed: Number(seed) }), ...(path && { path }) });
  },
  60_000 + runs * 5_000,
);
