import { describe, expect, it } from 'vitest';
import { dayFlaw, daysAnywhere, daysFrom, isExecutionDate } from '#contract/executionDate.ts';

describe('The days on which a batch can be executed', () => {
  it.each([
    ['2026-11-26T11:59:59Z', '2026-11-25', '2027-11-27'],
    ['2026-11-26T12:00:00Z', '2026-11-26', '2027-11-27'],
    ['2026-11-26T09:59:59Z', '2026-11-25', '2027-11-26'],
    ['2028-02-29T12:00:00Z', '2028-02-29', '2029-03-01'],
    ['2026-12-31T18:00:00Z', '2026-12-31', '2028-01-01'],
  ])('are, for a sender anywhere at %s, %s to %s (behaviour 9.13)', (now, first, last) => {
    const days = daysAnywhere(Date.parse(now));
    expect(days).toEqual({ first, last });
    expect([dayFlaw(first, days), dayFlaw(last, days)]).toEqual(['', '']);
    for (const day of ['0000-01-01', '1970-01-01', '2026-11-01'])
      expect(dayFlaw(day, days)).toBe(`${day} is in the past: the first day that can be chosen is ${first}`);
    for (const day of ['2029-03-02', '9999-12-31'])
      expect(dayFlaw(day, days)).toBe(`${day} is more than a year away: the last day that can be chosen is ${last}`);
  });

  it.each([
    ['2026-11-26', '2027-11-26'],
    ['2028-02-29', '2029-03-01'],
    ['2027-02-28', '2028-02-28'],
  ])('are, for a sender whose day is %s, those until %s (behaviour 9.4)', (first, last) =>
    expect(daysFrom(first)).toEqual({ first, last }),
  );

  it('are written in UTC with seconds', () => {
    expect(['2028-02-29T00:00:00Z', '2026-11-20T23:59:59.999Z'].every(isExecutionDate)).toBe(true);
    expect(['2026-02-29T00:00:00Z', '2026-11-31T00:00:00Z', '2026-11-20', ''].some(isExecutionDate)).toBe(false);
  });
});
