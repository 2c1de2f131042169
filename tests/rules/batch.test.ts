import { describe, expect, it } from 'vitest';
import { amountText, batchRequest, totalsByCurrency, type BatchParts } from '#rules/batch.ts';
import { creditor, debtor, invoiceOf, paid } from '#tests/support/fixtures.ts';

const of = (currency: string, ...amounts: string[]) => amounts.map((amount) => ({ currency, amount }));

describe('the totals of a batch', () => {
  it('are summed by currency in order of appearance, with the most decimals of any summand', () => {
    expect(totalsByCurrency([...of('GBP', '0.1'), ...of('USD', '8.00'), ...of('GBP', '0.25', '3')])).toEqual([
      { currency: 'GBP', amount: '3.35' },
      { currency: 'USD', amount: '8.00' },
    ]);
    expect(totalsByCurrency(of('JPY', '5', '7'))).toEqual([{ currency: 'JPY', amount: '12' }]);
  });

  it('are exact to the last digit for the largest batch', () => {
    const amounts = Array.from({ length: 1_999 }, () => '9999999999999.9999');
    expect(totalsByCurrency(of('GBP', ...amounts))).toEqual(of('GBP', '19989999999999999.8001'));
  });

  it('are written as a list separated by commas', () => {
    expect(amountText([...of('GBP', '120.50'), ...of('USD', '8.00')])).toBe('120.50 GBP, 8.00 USD');
  });
});

const parts: BatchParts = {
  externalId: 'external-1',
  subscriptionId: 'subscription-1',
  debtor,
  invoices: [invoiceOf('invoice-1', '120.50')],
  creditors: [creditor],
  extras: { batch: {}, payment: { additionalData: { purpose: 'supplies' } } },
  today: '2026-11-20',
};
const unknown = invoiceOf('invoice-2', '0.10', { creditor: 'creditor-2' });

describe('a batch payment request', () => {
  it('pays an invoice from the debtor to its creditor with today’s date', () => {
    expect(batchRequest(parts)).toStrictEqual({ externalId: 'external-1', ...paid });
  });

  it('pays each invoice to its own creditor', () => {
    const other = { ...creditor, creditorId: 'creditor-2', creditorname: 'Orchard Supplies' };
    const { payments } = batchRequest({
      ...parts,
      invoices: [unknown, ...parts.invoices],
      creditors: [creditor, other],
    });
    expect(payments.map((payment) => payment.creditor.name)).toEqual(['Orchard Supplies', 'Paper & Sons']);
  });

  it('contains the batch’s additional data beside that of its payments', () => {
    const extras = { ...parts.extras, batch: { additionalData: { purpose: 'wages' } } };
    expect(batchRequest({ ...parts, extras })).toMatchObject({
      additionalData: { purpose: 'wages' },
      payments: [{ additionalData: { purpose: 'supplies' } }],
    });
  });

  it('contains the file format of a file payment', () => {
    expect(batchRequest({ ...parts, fileFormatId: 'format-1' }).fileFormatId).toBe('format-1');
  });

  it('is refused for an invoice whose creditor is unknown', () => {
    expect(() => batchRequest({ ...parts, invoices: [unknown] })).toThrow(
      'Invoice invoice-2 is to be paid to creditor-2, who is not a creditor',
    );
  });
});
