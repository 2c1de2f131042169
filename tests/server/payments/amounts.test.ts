import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import { batchRequestSchema, type BatchRequest } from '#contract/payment.ts';
import { amountFlaw } from '#contract/money.ts';
import { totalsByCurrency } from '#rules/batch.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

/** Ten-thousandths of the major unit: the finest that an amount can name. */
const finest = 4;
const textOf = (units: bigint): string => {
  const digits = String(units).padStart(finest + 1, '0');
  return `${digits.slice(0, -finest)}.${digits.slice(-finest)}`;
};

const paying = (...amounts: { amount: string; currency: string }[]): BatchRequest => ({
  externalId: 'e',
  subscriptionId: 's',
  requestedExecutionDateTime: executionDate,
  payments: amounts.map((instructedAmount) => ({ instructedAmount, creditor: { name: 'n' } })),
});

describe('Payment amounts', () => {
  it('are added exactly, separately for each currency (threat 7.1)', () => {
    const amount = fc.record({
      units: fc.bigInt({ min: 0n, max: 10n ** 17n - 1n }),
      currency: fc.constantFrom('GBP', 'USD', 'JPY'),
    });
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 200 }), (amounts) => {
        const sums = new Map<string, bigint>();
        for (const { units, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + units);
        expect(totalsByCurrency(amounts.map(({ units, currency }) => ({ amount: textOf(units), currency })))).toEqual(
          [...sums].map(([currency, sum]) => ({ currency, amount: textOf(sum) })),
        );
      }),
    );
  });

  it('are sent to the service unchanged, and recorded as exact totals (threat 7.1)', async () => {
    const service = await fakeUpstream({
      [endpoints.batches]: answering({ data: { batchId: 'b', status: 'Received' } }, 201),
    });
    const { done, store } = await testConsole({ upstreamUrl: service.url });
    await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    const amounts = ['0.1', '0.2', '9999999999999.99', '1.10'].map((amount) => ({ amount, currency: 'GBP' }));
    const body = paying(...amounts, { amount: '700', currency: 'JPY' });
    await done('createBatch', { body });
    const sent = JSON.parse(service.askedFor(endpoints.batches)[0]!.body) as { data: BatchRequest };
    expect(sent.data.payments.map(({ instructedAmount }) => instructedAmount)).toEqual(
      body.payments.map(({ instructedAmount }) => instructedAmount),
    );
    const [record] = JSON.parse((await done('getPostedBatches')).data) as BatchRecord[];
    expect(record?.amount).toBe('10000000000001.39 GBP, 700 JPY');
  });

  it.each([
    ['0', 'GBP', 'above 0'],
    ['0.00', 'GBP', 'above 0'],
    ['000', 'JPY', 'an amount such as'],
    ['007', 'GBP', 'an amount such as'],
    ['00.50', 'GBP', 'an amount such as'],
    ['+5', 'GBP', 'an amount such as'],
    [' 5 ', 'GBP', 'an amount such as'],
    ['.5', 'GBP', 'an amount such as'],
    ['5.', 'GBP', 'an amount such as'],
    ['', 'GBP', 'an amount such as'],
    ['0x1F', 'GBP', 'an amount such as'],
    ['١٢', 'GBP', 'an amount such as'],
    ['12345678901234', 'GBP', 'an amount such as'],
    ['1.12345', 'CLF', 'an amount such as'],
    ['1.001', 'GBP', 'at most 2 decimals'],
    ['1.10', 'JPY', 'JPY has no decimals, 1.10 has 2'],
    ['1.0', 'CLP', 'no decimals'],
    ['1.5', 'ISK', 'no decimals'],
    ['100.501', 'HUF', 'HUF has at most 2 decimals, 100.501 has 3'],
    ['1.001', 'MRU', 'at most 2 decimals'],
    ['1.001', 'MGA', 'at most 2 decimals'],
    ['1.0001', 'KWD', 'at most 3 decimals'],
    ['1.0001', 'TND', 'at most 3 decimals'],
    ['1', 'XAU', 'XAU is no currency of ISO 4217 for payments'],
    ['1', 'XXX', 'XXX is no currency'],
    ['1.00', 'BGN', 'BGN is no currency'],
    ['1.00', 'DEM', 'DEM is no currency'],
    ['1.00', 'QQQ', 'QQQ is no currency'],
    ['1.00', 'GB', 'a currency such as'],
    ['1.00', ' GBP', 'a currency such as'],
    ['1.0001', 'BHD', 'at most 3 decimals'],
    ['-1.00', 'GBP', 'an amount such as'],
    ['1e3', 'GBP', 'an amount such as'],
    ['1.00', 'gbp', 'a currency such as'],
    ['1.000,00', 'GBP', 'an amount such as'],
    ['1,000.00', 'GBP', 'an amount such as'],
  ])('that are invalid are refused: %s %s (threat 3.19)', (amount, currency, sentence) => {
    const { error } = batchRequestSchema.safeParse(paying({ amount: '1.00', currency: 'GBP' }, { amount, currency }));
    expect(error?.issues).toHaveLength(1);
    expect(error?.issues[0]?.path.join('.')).toMatch(/^payments\.1\.instructedAmount\.(amount|currency)$/);
    expect(error?.issues[0]?.message).toContain(sentence);
  });

  it('of which one is invalid are refused before anything is sent (threat 3.19)', async () => {
    const service = await fakeUpstream({});
    const { refused, store } = await testConsole({ upstreamUrl: service.url });
    await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    const body = paying({ amount: '1.00', currency: 'GBP' }, { amount: '0', currency: 'GBP' });
    expect(await refused('createBatch', { body })).toMatchObject({
      status: 400,
      code: 'invalid-request',
      outcome: 'not-sent',
      errors: [{ path: 'payments.1.instructedAmount.amount' }],
    });
    expect(service.asked).toEqual([]);
  });

  it.each([
    ['0.01', 'GBP'],
    ['1.001', 'BHD'],
    ['1', 'JPY'],
    ['1.5', 'LAK'],
    ['100.50', 'HUF'],
    ['0.0001', 'UYW'],
    ['9999999999999.9999', 'CLF'],
    ['1.00', 'XCG'],
  ])('that are valid in their currency are accepted: %s %s', (amount, currency) =>
    expect(amountFlaw(amount, currency)).toBe(''),
  );
});
