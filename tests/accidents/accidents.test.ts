import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { format, resolveConfig } from 'prettier';
import { journeyOrder } from '#machines/journeys.ts';
import { allPaths } from '#tests/support/coverage.ts';
import { accidentNames, accidentsByName, type AccidentName } from './accidents.ts';
import { claimsFor, documentOf, everyTime, statesIn, userOf, wishes, type Claim } from './claims.ts';
import { broken, untruths } from './truth.ts';
import { walkThrough } from './walk.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
}, 60_000);
afterAll(() => world.close());

/** What is wrong after a walk with this accident in that state; '' if nothing. */
async function wrongAfter({ user, wants, way, state }: Claim, name: AccidentName): Promise<string> {
  const what = accidentsByName[name];
  const at = `${wants}, ${state}: ${what.words}`;
  try {
    const walked = await walkThrough(world, { user, way, accident: { what, state } }, userOf);
    const wrong = [
      ...broken(user, walked, what.forgets === true),
      ...(what.forgets ? [] : await untruths(world, walked.facts)),
    ];
    return wrong.length > 0 ? `${at}: ${wrong.join('; ')}\n${walked.log.join('\n')}` : '';
  } catch (error) {
    return `${at}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

describe.each(allPaths ? wishes : everyTime)('who wants to %s', (wish) => {
  it.each(accidentNames)(
    'has it once, or is told why not, whatever state it happens in: %s',
    async (name) => {
      const wrong: string[] = [];
      for (const claim of claimsFor(wish, name, allPaths)) wrong.push(await wrongAfter(claim, name));
      expect(wrong.filter(Boolean).join('\n\n')).toBe('');
    },
    120_000,
  );
});

it.each(journeyOrder)('every state of %s is one in which accidents happen, or it is said why not', (id) => {
  expect(statesIn(id).open).toEqual([]);
});

it('the document of accidents says what happens where', async () => {
  const file = 'docs/accidents.md';
  const formatted = await format(documentOf(), { ...(await resolveConfig(file)), filepath: file });
  await expect(formatted).toMatchFileSnapshot(`../../${file}`);
});
