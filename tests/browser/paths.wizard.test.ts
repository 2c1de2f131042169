import { describe, expect, it } from 'vitest';
import { wizardMachine } from '#machines/wizard.machine.ts';
import { record } from '#tests/support/coverage.ts';
import { missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere } from '#tests/support/pathsReplay.ts';
import { openings, wizardPaths } from '#tests/support/wizardPaths.ts';
import { fewOf } from './paths/choose.ts';
import { add, openWalker } from './paths/walked.ts';
import { isPossible, wizardWalker } from './paths/wizard.ts';

const walking = openWalker();

describe('wizard', async () => {
  const possible = Object.entries(openings).flatMap(([how, opening]) =>
    wizardPaths(opening)
      .filter(isPossible)
      .map((path) => ({ how, opening, path, walk: nowhere(), cost: 5 + path.steps.length })),
  );
  for (const { path, walk } of possible) await path.replay(walk);
  const chosen = fewOf(possible);
  const walked = nowhere();

  it.each(chosen.map((each) => [each.how, each.path.name, each] as const))(
    'opened %s: %s',
    async (_how, _name, { opening, path, walk }) => {
      await wizardWalker(walking())(opening, path);
      add(walked, walk);
    },
  );

  it('has been in each state and has taken each branch', (test) => {
    record(test, wizardMachine.id, 'c', { walk: walked });
    expect(missedBy(wizardMachine, walked)).toEqual([]);
  });
});
