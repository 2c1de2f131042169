import { describe, expect, it } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import { outcomeTotals, partsOf, returnedTotal, standingOf, totalsIn } from '#rules/batch.ts';

const record = (more: Partial<BatchRecord>): BatchRecord => ({
  batchId: 'b1',
  amount: '1030.28 GBP',
  status: 'Completed',
  kind: 'electronic',
  postedAt: '2026-11-29T12:12:54.071Z',
  ...more,
});
const told = (of: BatchRecord, currency = 'GBP') =>
  partsOf(of, currency).map(({ outcome, text }) => `${outcome} ${text}`);

describe('what has become of the amount of a batch', () => {
  it.each([
    ['Completed', 'paid 1030.28'],
    ['Failed', 'failed 1030.28'],
    ['CANCELLED', 'failed 1030.28'],
    ['Processing', 'open 1030.28'],
    ['Something new', 'open 1030.28'],
  ])('is its status %s as long as no reading listed its payments', (status, expected) => {
    expect(told(record({ status }))).toEqual([expected]);
  });

  it('is what its payments say, to the penny; the rest is in progress', () => {
    const totals = { paid: '515.14 GBP', failed: '100.1 GBP' };
    expect(told(record({ status: 'Processing', totals }))).toEqual(['paid 515.14', 'open 415.04', 'failed 100.1']);
    const ended = { paid: '515.14 GBP', failed: '515.14 GBP' };
    expect(told(record({ status: 'PartiallyCompleted', totals: ended }))).toEqual(['paid 515.14', 'failed 515.14']);
  });

  it('has come back where its payments say so, or its whole batch does (behaviour 4.66)', () => {
    const totals = { paid: '515.14 GBP', failed: '', returned: '515.14 GBP' };
    expect(told(record({ status: 'Completed', totals }))).toEqual(['paid 515.14', 'returned 515.14']);
    expect(told(record({ status: 'Returned' }))).toEqual(['returned 1030.28']);
  });

  it('is told for each currency apart', () => {
    const of = record({ amount: '120.50 GBP, 8000 JPY', totals: { paid: '8000 JPY', failed: '' } });
    expect(told(of)).toEqual(['open 120.50']);
    expect(told(of, 'JPY')).toEqual(['paid 8000']);
  });
});

describe('the totals of a batch by its payments', () => {
  const payment = (amount: string, status: string) => ({ instructedAmount: { amount, currency: 'GBP' }, status });

  it('are exact, and unknown without a list of payments', () => {
    expect(outcomeTotals([payment('0.10', 'Completed'), payment('0.20', 'completed'), payment('7', 'Rejected'), payment('9', 'Pending')])).toEqual({ paid: '0.30 GBP', failed: '7 GBP' }); // prettier-ignore
    expect(outcomeTotals([])).toBeUndefined();
    expect(outcomeTotals()).toBeUndefined();
  });

  it.each([
    ['Completed', { paid: '3 GBP', failed: '' }],
    ['FAILED', { paid: '', failed: '3 GBP' }],
    ['Processing', { paid: '', failed: '' }],
  ])('follow the batch, which is %s, where a payment states no status', (status, totals) => {
    expect(outcomeTotals([{ instructedAmount: { amount: '3', currency: 'GBP' } }], status)).toEqual(totals);
  });

  it.each([undefined, null, 'many', '-1', '1e3', {}])('are unknown if an amount is %j', (amount) => {
    const payments = [
      payment('1', 'Completed'),
      { instructedAmount: { amount, currency: 'GBP' }, status: 'Completed' },
    ];
    expect(outcomeTotals(payments, 'Completed')).toBeUndefined();
  });

  it('are read back as they were written', () => {
    expect(totalsIn('120.50 GBP, 8.00 USD')).toEqual([
      { amount: '120.50', currency: 'GBP' },
      { amount: '8.00', currency: 'USD' },
    ]);
    expect(totalsIn('')).toEqual([]);
    expect(totalsIn('many GBP')).toEqual([]);
  });
});

describe('How a batch stands', () => {
  it.each([
    [
      'Completed',
      { paid: '1.50 GBP', failed: '', returned: '1.50 GBP' },
      { status: 'Completed, part came back', tone: 'back' },
    ],
    ['Completed', { paid: '', failed: '', returned: '1.50 GBP' }, { status: 'Completed, all came back', tone: 'back' }],
    ['Completed', { paid: '1.50 GBP', failed: '' }, { status: 'Completed' }],
    ['PartiallyReturned', { paid: '1.50 GBP', failed: '', returned: '1.50 GBP' }, { status: 'PartiallyReturned' }],
    ['Processing', undefined, { status: 'Processing' }],
  ])('is %s with %j: %j (behaviour 4.66)', (status, totals, standing) => {
    expect(standingOf(status, totals)).toEqual(standing);
  });
});

describe('What came back of payments', () => {
  const back = (amount: string, currency = 'GBP') => ({ additionalData: JSON.stringify({ returnedAmount: { amount, currency } }) }); // prettier-ignore
  it.each([
    [[back('1.25'), back('0.5'), back('2', 'EUR')], '1.75 GBP, 2 EUR'],
    [[back('1.25'), {}], ''],
    [[back('1.25'), back('many')], ''],
    [[], ''],
  ])('is the sum of what is said of each, or nothing: %j', (payments, total) => {
    expect(returnedTotal(payments)).toBe(total);
  });
});
