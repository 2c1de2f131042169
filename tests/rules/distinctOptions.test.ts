import { describe, expect, it } from 'vitest';
import { distinctOptions } from '#rules/distinctOptions.ts';

const labelsOf = (...options: [value: string, label: string, more?: string][]) =>
  distinctOptions(options.map(([value, label, more]) => ({ value, label, ...(more !== undefined && { more }) }))).map(
    ({ label }) => label,
  );

describe('The options of a list', () => {
  it('have their names alone while these differ (behaviour 4.63)', () => {
    expect(labelsOf(['1', 'Larkfield', 'GB'], ['2', 'Aurora', 'GB'])).toEqual(['Larkfield', 'Aurora']);
    expect(labelsOf()).toEqual([]);
  });

  it('of one name are told apart by their details, else by their ids (behaviour 4.63)', () => {
    expect(labelsOf(['1', 'Bank', 'GB'], ['2', 'Bank', 'SE'], ['3', 'Other', 'GB'])).toEqual([
      'Bank · GB',
      'Bank · SE',
      'Other',
    ]);
    expect(labelsOf(['1', 'Bank', 'GB'], ['2', 'Bank', 'GB'], ['3', 'Bank', 'SE'])).toEqual([
      'Bank · GB · 1',
      'Bank · GB · 2',
      'Bank · SE',
    ]);
    expect(labelsOf(['1', 'Bank'], ['2', 'Bank', ''], ['3', 'Bank', 'SE'])).toEqual([
      'Bank · 1',
      'Bank · 2',
      'Bank · SE',
    ]);
  });

  it('keep their values and what else they have', () => {
    const blocked = 'Out of service';
    expect(
      distinctOptions([
        { value: '1', label: 'Bank', blocked },
        { value: '2', label: 'Bank' },
      ]),
    ).toEqual([
      { value: '1', label: 'Bank · 1', blocked },
      { value: '2', label: 'Bank · 2' },
    ]);
  });
});
