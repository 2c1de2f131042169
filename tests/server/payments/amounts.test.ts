import { describe, expect, it } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import { batchRequestSchema, type BatchRequest } from '#contract/payment.ts';
import { amountFlaw } from '#contract/money.ts';
import { consoleWith, making } from '#tests/support/consoleWithPayments.ts';
import { executionDate } from '#tests/support/executionDate.ts';

const paying = (...amounts: { amount: string; currency: string }[]): BatchRequest => ({
  externalId: 'e',
  subscriptionId: 's',
  requestedExecutionDateTime: executionDate,
  payments: amounts.map((instructedAmount) => ({ instructedAmount, creditor: { name: 'n' } })),
});

describe('Payment amounts', () => {
  it('are sent to the service unchanged, and recorded as exact totals (threat 7.1)', async () => {
    const { server, sent } = await consoleWith(making());
    const amounts = ['0.1', '0.2', '9999999999999.99', '1.10'].map((amount) => ({ amount, currency: 'GBP' }));
    const body = paying(...amounts, { amount: '700', currency: 'JPY' });
    await server.done('createBatch', { body });
    const { data } = JSON.parse(sent()[0]!.body) as { data: BatchRequest };
    expect(data.payments.map(({ instructedAmount }) => instructedAmount)).toEqual(
      body.payments.map(({ instructedAmount }) => instructedAmount),
    );
    const [record] = JSON.parse((await server.done('getPostedBatches')).data) as BatchRecord[];
    expect(record?.amount).toBe('10000000000001.39 GBP, 700 JPY');
  });

  it.each([
    ['0', 'GBP', 'above 0'],
    ['0.00', 'GBP', 'above 0'],
    ['007', 'GBP', 'an amount such as'],
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
    ['1.0001', 'KWD', 'at most 3 decimals'],
    ['1', 'XAU', 'XAU is no currency of ISO 4217 for payments'],
    ['1.00', 'GB', 'a currency such as'],
    ['-1.00', 'GBP', 'an amount such as'],
    ['1e3', 'GBP', 'an amount such as'],
    ['1.00', 'gbp', 'a currency such as'],
    ['1,000.00', 'GBP', 'an amount such as'],
  ])('that are invalid are refused: %s %s (threat 3.19)', (amount, currency, sentence) => {
    const { error } = batchRequestSchema.safeParse(paying({ amount: '1.00', currency: 'GBP' }, { amount, currency }));
    expect(error?.issues).toHaveLength(1);
    expect(error?.issues[0]?.path.join('.')).toMatch(/^payments\.1\.instructedAmount\.(amount|currency)$/);
    expect(error?.issues[0]?.message).toContain(sentence);
  });

  it('of which one is invalid are refused before anything is sent (threat 3.19)', async () => {
    const { server, service } = await consoleWith(making());
    const body = paying({ amount: '1.00', currency: 'GBP' }, { amount: '0', currency: 'GBP' });
    expect(await server.refused('createBatch', { body })).toMatchObject({
      status: 400,
      code: 'invalid-request',
      outcome: 'not-sent',
      errors: [{ path: 'payments.1.instructedAmount.amount' }],
    });
    expect(service.asked).toEqual([]);
  });

  it.each([
    ['0.01', 'GBP'],
    ['1', 'JPY'],
    ['9999999999999.9999', 'CLF'],
  ])('that are valid in their currency are accepted: %s %s', (amount, currency) =>
    expect(amountFlaw(amount, currency)).toBe(''),
  );
});
