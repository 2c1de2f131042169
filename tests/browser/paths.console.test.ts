import { describe, expect, it } from 'vitest';
import { consoleMachine } from '#machines/console.machine.ts';
import { consolePaths, openings } from '#tests/support/consolePaths.ts';
import { record } from '#tests/support/coverage.ts';
import { goalsOf } from '#tests/support/pathsFaults.ts';
import { nowhere } from '#tests/support/pathsReplay.ts';
import { fewOf } from './paths/choose.ts';
import { consoleWalker, isPossible } from './paths/console.ts';
import { add, openWalker } from './paths/walked.ts';

const walking = openWalker();

describe('console', async () => {
  const possible = Object.entries(openings).flatMap(([how, opening]) =>
    consolePaths(opening)
      .filter(isPossible)
      .map((path) => ({ how, opening, path, walk: nowhere(), cost: 5 + path.steps.length })),
  );
  for (const { path, walk } of possible) await path.replay(walk);
  const chosen = fewOf(possible);
  const walked = nowhere();

  it.each(chosen.map((each) => [each.how, each.path.name, each] as const))(
    'opened %s: %s',
    async (_how, _name, { opening, path, walk }) => {
      await consoleWalker(walking())(opening, path);
      add(walked, walk);
    },
  );

  it('has been in each state', (test) => {
    record(test, consoleMachine.id, 'c', { walk: walked });
    expect(goalsOf(consoleMachine).states.filter((state) => !walked.entered.has(state))).toEqual([]);
  });
});
