import { expect, it } from 'vitest';
import { weekendOf, wrongDays, type ShownBatch } from './bankingDays.ts';
import { simulate } from './simulate.ts';

const saturday = '2026-01-10';
const why = 'Bacs does not process on Saturday 10 January. Its next day is Monday 12 January.';
const waiting: ShownBatch = {
  batchId: 'b',
  status: 'Processing',
  asked: `${saturday}T00:00:00Z`,
  waits: [why],
  completed: [],
};
const wrong = (batch: Partial<ShownBatch>, now: string) => wrongDays([{ ...waiting, ...batch }], Date.parse(now));

it('a batch that waits for Monday with its reason, and one that ended on Friday, are right', () => {
  expect(wrong({}, `${saturday}T10:00Z`)).toEqual([]);
  const ended = { status: 'Completed', waits: [], completed: ['2026-01-09T23:59:59.999Z'] };
  expect(wrong(ended, `${saturday}T10:00Z`)).toEqual([]);
});

it.each([
  [
    'ended on a day without processing',
    { status: 'Completed', waits: [], completed: [`${saturday}T00:00:00.000Z`] },
    saturday,
  ],
  ['waits without a reason', { waits: [] }, saturday],
  ['waits with the reason of another day', {}, '2026-01-11'],
  ['still waits on a day of its scheme', { waits: [] }, '2026-01-12'],
  ['has ended, and is said to wait', { status: 'Failed' }, saturday],
])('a batch that %s is found', (_, batch, day) => {
  expect(wrong(batch, `${day}T10:00Z`)).toHaveLength(1);
});

it('of the worlds with scripts, one in twenty has banking days, around a weekend', () => {
  expect([12, 32, 52, 72].map(weekendOf)).toEqual([
    Date.parse('2026-01-09T23:59:30Z'),
    Date.parse('2026-01-10T12:00Z'),
    Date.parse('2026-01-11T23:50Z'),
    Date.parse('2026-01-09T23:59:30Z'),
  ]);
  expect([0, 3, 7, 11, 13, 22].map(weekendOf)).toEqual(Array.from({ length: 6 }, () => undefined));
});

it('in a world within a weekend, batches wait for its end', { timeout: 120_000 }, async () => {
  const { wrong, covered } = await simulate(32);
  expect(wrong).toEqual([]);
  expect(covered.days).toEqual(['a batch waits for a day of its scheme']);
});
