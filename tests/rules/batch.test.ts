import { describe, expect, it } from 'vitest';
import { amountText, batchRequest, totalsByCurrency, type BatchParts } from '#rules/batch.ts';
import { creditor, debtor, invoiceOf } from '#tests/support/material.ts';

const of = (currency: string, ...amounts: string[]) => amounts.map((amount) => ({ currency, amount }));

describe('totals', () => {
  it('are kept apart by currency, in order of appearance, with the most decimals of any summand', () => {
    expect(totalsByCurrency([...of('GBP', '0.1'), ...of('USD', '8.00'), ...of('GBP', '0.25', '3')])).toEqual([
      { currency: 'GBP', amount: '3.35' },
      { currency: 'USD', amount: '8.00' },
    ]);
    expect(totalsByCurrency(of('JPY', '5', '7'))).toEqual([{ currency: 'JPY', amount: '12' }]);
  });

  it('are exact to the last digit of the largest batch', () => {
    const amounts = Array.from({ length: 1_999 }, () => '9999999999999.9999');
    expect(totalsByCurrency(of('GBP', ...amounts))).toEqual(of('GBP', '19989999999999999.8001'));
  });

  it('are written one after the other', () => {
    expect(amountText([...of('GBP', '120.50'), ...of('USD', '8.00')])).toBe('120.50 GBP, 8.00 USD');
  });
});

const other = { ...creditor, creditorId: 'creditor-2', creditorname: 'Orchard Supplies' };
const parts: BatchParts = {
  externalId: 'external-1',
  subscriptionId: 'subscription-1',
  debtor,
  invoices: [invoiceOf('invoice-1', '120.50'), invoiceOf('invoice-2', '0.10', { creditor: 'creditor-2' })],
  creditors: [creditor, other],
  extras: { batch: { additionalData: { purpose: 'supplies' } }, payment: { additionalData: { kind: 'x' } } },
  today: '2026-11-20',
};

describe('a batch payment request', () => {
  const payer = {
    debtorAgent: { identification: '200000' },
    debtorAccount: { identification: '12345678', name: 'Example Trading Ltd' },
  };

  it('pays each invoice from the debtor to its own creditor, today', () => {
    const { payments, ...batch } = batchRequest(parts);
    expect(batch).toStrictEqual({
      externalId: 'external-1',
      subscriptionId: 'subscription-1',
      debtor: { debtorId: 'debtor-1' },
      requestedExecutionDateTime: '2026-11-20T00:00:00Z',
      ...payer,
      additionalData: { purpose: 'supplies' },
    });
    expect(payments.map(({ creditor: { name } }) => name)).toEqual(['Paper & Sons', 'Orchard Supplies']);
    expect(payments[0]).toStrictEqual({
      instructedAmount: { amount: '120.50', currency: 'GBP' },
      ...payer,
      creditorAgent: { identification: '300000' },
      creditorAccount: { identification: '87654321', name: 'Paper & Sons' },
      creditor: {
        name: 'Paper & Sons',
        creditorId: 'creditor-1',
        postalAddress: {
          addressLine1: '1 High Street',
          addressLine3: 'Leeds',
          countryCode: 'GB',
          postalCode: 'LS1 1AA',
        },
      },
      remittanceInformation: { reference: 'invoice-1', unstructured: 'Invoice invoice-1' },
      additionalData: { kind: 'x' },
    });
  });

  it('names the file format of a bank file', () => {
    expect(batchRequest({ ...parts, fileFormatId: 'format-1' }).fileFormatId).toBe('format-1');
  });

  it('is not made for a creditor who is unknown', () => {
    expect(() => batchRequest({ ...parts, creditors: [creditor] })).toThrow(
      'Invoice invoice-2 is to be paid to creditor-2, who is no creditor',
    );
  });
});
