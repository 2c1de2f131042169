import { describe, expect, it } from 'vitest';
import { outcomeText } from '#app/frame/guidedRows.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { batchRecord } from '#tests/support/fixtures.ts';

const paid = (last: object, batchStatus = 'Completed') =>
  withFacts(everything, {
    batchStatus,
    settings: {
      postedBatches: JSON.stringify([
        { ...batchRecord, amount: '9.99 GBP' },
        { ...batchRecord, ...last },
      ]),
    },
  });

describe('the text of a payment on the home page', () => {
  it.each([
    [{ amount: '2297.32 GBP', creditors: 1 }, '2,297.32 GBP submitted to 1 creditor'],
    [{ amount: '3663.55 GBP', creditors: 3 }, '3,663.55 GBP submitted to 3 creditors'],
    [{ amount: '1000000 JPY and 12.50 EUR', creditors: 2 }, '1,000,000 JPY and 12.50 EUR submitted to 2 creditors'],
    [{ amount: '10.00 CAD' }, '10.00 CAD submitted'],
    [{ amount: '', creditors: 1 }, 'Batch submitted'],
  ])('has the total and the payees of the last batch: %o (behaviour 10.14.8)', (last, text) => {
    expect(outcomeText('electronicPayment', paid(last))).toBe(text);
    expect(outcomeText('filePayment', paid(last))).toBe(text);
  });

  it('says how the batch has failed (behaviour 10.14.8)', () => {
    const facts = paid({ amount: '10.00 GBP', creditors: 1 }, 'Failed');
    expect(outcomeText('electronicPayment', facts)).toMatch(/ is Failed$/);
  });
});
