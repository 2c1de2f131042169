// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { wizardMachine } from '#machines/wizard.machine.ts';
import { record } from '#tests/support/coverage.ts';
import { missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere } from '#tests/support/pathsReplay.ts';
import { openPage } from '#tests/support/wizardPage.tsx';
import { openings, wizardPaths } from '#tests/support/wizardPaths.ts';

describe('every path of the wizard on the page of a journey', () => {
  const walk = nowhere();
  const paths = Object.entries(openings).flatMap(([how, opening]) =>
    wizardPaths(opening).map(({ name, replay }) => [how, name, replay] as const),
  );

  it.each(paths)('opened %s: %s', async (_, __, replay) => {
    await expect(replay(walk, openPage)).resolves.toBeUndefined();
  });

  it('has shown each state and taken each branch', (test) => {
    record(test, wizardMachine.id, 'b', { shortest: paths.length, walk });
    expect(missedBy(wizardMachine, walk)).toEqual([]);
  });
});
