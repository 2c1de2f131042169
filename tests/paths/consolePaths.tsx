import { describe, expect, it } from 'vitest';
import { consoleMachine } from '#machines/console.machine.ts';
import { openPage } from '#tests/support/consolePage.tsx';
import { walkedOnConsole } from '#tests/support/consolePaths.ts';
import { allPaths, record } from '#tests/support/coverage.ts';
import { allOf, fewOf } from '#tests/support/coveringPaths.ts';
import { missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere } from '#tests/support/pathsReplay.ts';

/** Runs paths of the console's machine on the page of a journey. */
export async function testConsole(): Promise<void> {
  const every = await walkedOnConsole();
  describe(`${allPaths ? 'all' : 'a few'} paths through the console’s screen`, () => {
    const walk = nowhere();
    const paths = (allPaths ? every : fewOf(every, allOf)).map(
      ({ how, path }) => [how, path.name, path.replay] as const,
    );

    it.each(paths)('opened %s: %s', async (_, __, replay) => {
      await expect(replay(walk, openPage)).resolves.toBeUndefined();
    });

    it('show each state and take each transition', (test) => {
      record(test, consoleMachine.id, 'b', { shortest: paths.length, walk });
      expect(missedBy(consoleMachine, walk)).toEqual([]);
    });
  });
}
