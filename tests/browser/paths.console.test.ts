import { describe, expect, it } from 'vitest';
import { consoleMachine } from '#machines/console.machine.ts';
import { walkedOnConsole } from '#tests/support/consolePaths.ts';
import { allPaths, record } from '#tests/support/coverage.ts';
import { allOf, fewOf } from '#tests/support/coveringPaths.ts';
import { goalsOf } from '#tests/support/pathsFaults.ts';
import { nowhere } from '#tests/support/pathsReplay.ts';
import { consoleWalker, isPossible } from './paths/console.ts';
import { add, openWalker } from './paths/walked.ts';

const walking = openWalker();

describe('console', async () => {
  const possible = await walkedOnConsole(isPossible);
  const chosen = allPaths ? fewOf(possible, allOf) : fewOf(possible, ({ walk }) => [...walk.entered]);
  const walked = nowhere();

  it.each(chosen.map((each) => [each.how, each.path.name, each] as const))(
    'opened %s: %s',
    async (_how, _name, { opening, path, walk }) => {
      await consoleWalker(walking())(opening, path);
      add(walked, walk);
    },
  );

  it('has been in each state', (test) => {
    record(test, consoleMachine.id, 'c', { shortest: chosen.length, walk: walked });
    expect(goalsOf(consoleMachine).states.filter((state) => !walked.entered.has(state))).toEqual([]);
  });
});
