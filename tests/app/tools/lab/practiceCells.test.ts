import { describe, expect, it } from 'vitest';
import { countOf, matrixOf } from '#app/tools/lab/practiceCells.ts';
import { practice, practiceFaults, scenarioAt } from '#runner/practice.ts';

describe('the matrix of operations and faults', () => {
  const rows = matrixOf({
    'pay.tooMany': { because: 'paid twice' },
    answerLost: { because: '' },
    gone: { because: '' },
  });
  const cellOf = (operation: string, fault: string) =>
    rows.find(({ id }) => id === operation)!.cells[practiceFaults.findIndex(({ id }) => id === fault)]!;

  it('shows in each cell the last outcome of its scenario (behaviour 10.20.12)', () => {
    expect(cellOf('pay', 'answerLost')).toMatchObject({ state: 'passed', because: '' });
    expect(cellOf('pay', 'tooMany')).toMatchObject({ state: 'failed', because: 'paid twice' });
    expect(cellOf('pay', 'reset')).toMatchObject({ state: 'open', because: '' });
    expect(cellOf('company', 'webhookLost')).toMatchObject({ state: 'none', scenario: null });
  });

  it('counts its cells, and ignores outcomes of scenarios that it has no longer', () => {
    expect(['passed', 'failed', 'open'].map((state) => countOf(rows, state as 'passed'))).toEqual([1, 1, 33]);
    expect(countOf(rows)).toBe(35);
  });

  it('finds the scenario of a cell, and none where the fault cannot happen', () => {
    expect(scenarioAt('pay', 'answerLost').id).toBe('answerLost');
    expect(scenarioAt('batch', 'webhookLost').id).toBe('webhookLost');
    expect(() => scenarioAt('company', 'webhookLost')).toThrow('no scenario of company with webhookLost');
    for (const { cells } of practice) expect(cells).toHaveLength(practiceFaults.length);
  });
});
