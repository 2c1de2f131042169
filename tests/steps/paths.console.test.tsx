// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import { consoleMachine } from '#machines/console.machine.ts';
import { openPage } from '#tests/support/consolePage.tsx';
import { consolePaths, openings } from '#tests/support/consolePaths.ts';
import { record } from '#tests/support/coverage.ts';
import { missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere } from '#tests/support/pathsReplay.ts';

describe('every path of the console on the page of a journey', () => {
  const walk = nowhere();
  const paths = Object.entries(openings).flatMap(([how, opening]) =>
    consolePaths(opening).map(({ name, replay }) => [how, name, replay] as const),
  );

  it.each(paths)('opened %s: %s', async (_, __, replay) => {
    await expect(replay(walk, openPage)).resolves.toBeUndefined();
  });

  it('has shown each state and taken each branch', (test) => {
    record(test, consoleMachine.id, 'b', { shortest: paths.length, walk });
    expect(missedBy(consoleMachine, walk)).toEqual([]);
  });
});
