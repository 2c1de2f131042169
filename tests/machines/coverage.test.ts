import { describe, expect, it } from 'vitest';
import { createMachine } from 'xstate';
import type { Covered } from '#tests/support/coverage.ts';
import { missingIn, totalsOf } from '#tests/support/coverageTable.ts';

const machine = createMachine({
  id: 'toy',
  initial: 'start',
  states: {
    start: { on: { go: 'deciding' } },
    deciding: { always: 'end' },
    end: { type: 'final' },
  },
});
const toy = [{ machine }];
/** The same chart as another journey's. */
const twin = { machine: createMachine({ ...machine.config, id: 'twin' }) };
const half: Covered = {
  machine: 'toy',
  run: 'a',
  shortest: 2,
  simple: 0,
  entered: ['toy.start'],
  taken: ['toy.start: go, branch 1, to toy.deciding'],
};
const rest: Covered = { ...half, entered: ['toy.end'], taken: ['toy.deciding: always, branch 1, to toy.end'] };
const inDom = [half, rest].map((each): Covered => ({ ...each, run: 'b' }));
/** The run in the browser must reach the states only. */
const inBrowser: Covered = { ...half, run: 'c', entered: ['toy.start', 'toy.end'], taken: [] };

describe('the coverage table', () => {
  it('adds up what several tests have covered, with each chart’s transitions counted once unless all paths run', () => {
    const both = [...toy, twin];
    const totals = (whole: boolean) =>
      totalsOf([half, rest, inBrowser], both, whole).map(({ run, kind, covered, all, paths, isDemanded }) => [
        run,
        kind,
        `${covered} of ${all} by ${paths}`,
        isDemanded,
      ]);
    expect(totals(false)).toEqual([
      ['a', 'states', '2 of 4 by 4', true],
      ['a', 'transitions', '2 of 4 by 4', true],
      ['b', 'states', '0 of 4 by 0', true],
      ['b', 'transitions', '0 of 2 by 0', true],
      ['c', 'states', '2 of 4 by 2', true],
      ['c', 'transitions', '0 of 4 by 2', false],
    ]);
    expect(totals(true)).toContainEqual(['b', 'transitions', '0 of 4 by 0', true]);
  });

  it('names what a run did not reach', () => {
    expect(missingIn([half, ...inDom, { ...inBrowser, entered: ['toy.start'] }], toy)).toEqual([
      '(a) did not reach toy.end',
      '(a) did not reach toy.deciding: always, branch 1, to toy.end',
      '(c) did not reach toy.end',
    ]);
  });

  it('requires each machine to run in the DOM as well', () => {
    expect(missingIn([half, rest], toy)).toContain('(b) did not reach toy.end');
    expect(missingIn([half, rest, ...inDom, inBrowser], toy)).toEqual([]);
  });

  it('requires each state of a journey and each transition of a chart in the DOM', () => {
    const all = [half, rest, ...inDom].map((each) => ({
      ...each,
      machine: 'twin',
      entered: each.entered.map((name) => name.replace('toy', 'twin')),
      taken: each.run === 'a' ? each.taken.map((name) => name.replaceAll('toy', 'twin')) : [],
    }));
    const found = (whole: boolean) =>
      missingIn([half, rest, ...inDom, ...all], [...toy, twin], whole).filter((each) => each.startsWith('(b)'));
    expect(found(false)).toEqual([]);
    expect(found(true)).toEqual([
      '(b) did not reach twin.start: go, branch 1, to twin.deciding',
      '(b) did not reach twin.deciding: always, branch 1, to twin.end',
    ]);
    const unseen = all.map((each) => (each.run === 'b' ? { ...each, entered: [] } : each));
    expect(missingIn([half, rest, ...inDom, ...unseen], [...toy, twin], false)).toContain(
      '(b) did not reach twin.start',
    );
  });

  it('names everything of a machine that did not run, although another machine did', () => {
    expect(missingIn([{ ...half, machine: 'other' }], toy)).toHaveLength(10);
  });
});
