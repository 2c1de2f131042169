import { describe, expect, it } from 'vitest';
import type { Payment } from '#contract/payment.ts';
import { describedFingerprintOf } from '#server/calls/idempotency.ts';
import { identitiesOf, intentionOf, sumsOf } from '#server/payments/invoiceIdentity.ts';

const payment: Payment = {
  instructedAmount: { amount: '120.50', currency: 'GBP' },
  creditor: { name: 'Acme  Ltd', creditorId: 'C-1' },
  creditorAccount: { identification: '12-34 56', secondaryIdentification: 'x.9' },
  remittanceInformation: { reference: 'INV 1' },
};

// The hashes are stored: if they changed, paid invoices could be paid again.
describe('The stored hashes of a payment', () => {
  it('equal those that earlier versions stored for its invoices and intention', () => {
    expect(identitiesOf({ payments: [payment] })).toEqual([
      {
        invoices: ['i-saaHr69LxiylU9R2Xs7P', 'NpMte8Ldx7xHLt-L1e5R7A', 'tPJ11h9AiCgbgiyZv9VcKi'],
        aliases: {
          own: ['rMF-7mHdgGPF4dDHSKXLrv', 'jShKo6puHAFqGqCbh4AYAU'],
          other: ['xFf1iZdQ2iVWg1_HxQdaZX', 'yRAGBlTvdyCjoW75P8XV4g'],
        },
      },
    ]);
    expect(sumsOf(payment)).toEqual({
      own: ['GZndf3nEP2H-ox7IbByDqS', 'ZzyT3XL-TmaaRG4BtJPhwb', 'imi20RWajt7ypOTiF9sRQX'],
      other: ['vFTWDCpeUWOdIprDnYTOE8', 'YIEwu1a848mQohlhFJ1li7', 'yk5pg2KX4ZOioUxZxedSu4'],
    });
    const batch = { subscriptionId: 's', requestedExecutionDateTime: '2026-01-01T00:00:00Z', payments: [payment] };
    expect(intentionOf(batch)).toBe('Swi3xNuZsp8FHIFyQiQojV');
  });

  it('equal those that earlier versions stored for its request body', () => {
    const [digest, description] = describedFingerprintOf('createBatch', {
      ...{ payments: [payment], externalId: 'e', subscriptionId: undefined },
    }).split(' ', 2);
    expect(digest).toBe('bdc111a5c654909e8b73eec2b4a2489116974ff7041e45cfae6c30ef03316084');
    expect(description).toContain('"externalId":"jIZWxdEU"');
    expect(description).toContain('"payments.0.instructedAmount.amount":"XEcQNhTz"');
  });
});
