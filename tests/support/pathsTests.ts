import { describe, expect, it } from 'vitest';
import { pathsThrough, type Model } from './paths.ts';
import { faultsOf } from './pathsFaults.ts';
import { replay } from './pathsReplay.ts';

/** The generated tests of a machine: nothing is missed, and each path holds on a running machine. */
export function testPaths(model: Model): void {
  describe(`every path through ${model.machine.id}`, () => {
    it('reaches each state and takes each branch', async () => {
      expect(await faultsOf(model)).toEqual([]);
    });

    for (const path of pathsThrough(model)) {
      it(path.name, async () => {
        await expect(replay(model, path)).resolves.toBeUndefined();
      });
    }
  });
}
