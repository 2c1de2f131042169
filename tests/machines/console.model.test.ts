import { describe, expect, it } from 'vitest';
import { consoleMachine } from '#machines/console.machine.ts';
import { allPaths, record } from '#tests/support/coverage.ts';
import { consolePaths, openings } from '#tests/support/consolePaths.ts';
import { activeNodes } from '#machines/lib/state.ts';
import { isPossible } from '#tests/paths/browser/console.ts';
import { flawsOf, goalsOf, missedBy } from '#tests/support/pathsFaults.ts';
import { nowhere } from '#tests/support/pathsReplay.ts';

describe('the paths through the console machine', () => {
  it('reach each state and take each transition', async (test) => {
    const walk = nowhere();
    const paths = Object.values(openings).flatMap((opening) => consolePaths(opening));
    for (const { name, replay } of paths)
      await replay(walk).catch((cause: unknown) => {
        throw new Error(`${name}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      });
    expect([...flawsOf(consoleMachine), ...missedBy(consoleMachine, walk)]).toEqual([]);
    record(test, consoleMachine.id, 'a', { shortest: paths.length, walk });
  });

  it('reach each state also as a browser can go them', () => {
    const walked = Object.values(openings).flatMap((opening) => consolePaths(opening).filter(isPossible));
    const shown = new Set(
      walked.flatMap(({ steps }) => steps.flatMap(({ snapshot }) => activeNodes(snapshot).map(({ id }) => id))),
    );
    // What another tab brings about: tests/browser/tabs.long.test.ts shows it.
    expect(goalsOf(consoleMachine).states.filter((state) => !shown.has(state))).toEqual(['console.result.meanwhile']);
  });

  // The test above runs each path; these report each failing path by name.
  for (const [how, opening] of Object.entries(allPaths ? openings : {})) {
    for (const { name, replay } of consolePaths(opening)) {
      it(`opened ${how}: ${name}`, async () => {
        await expect(replay(nowhere())).resolves.toBeUndefined();
      });
    }
  }
});
