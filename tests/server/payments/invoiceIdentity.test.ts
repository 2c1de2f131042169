import { describe, expect, it } from 'vitest';
import type { Payment } from '#contract/payment.ts';
import { describedFingerprintOf } from '#server/calls/idempotency.ts';
import { identitiesOf, intentionOf, sumsBy } from '#server/payments/invoiceIdentity.ts';

const payment: Payment = {
  instructedAmount: { amount: '120.50', currency: 'GBP' },
  creditor: { name: 'Acme  Ltd', creditorId: 'C-1' },
  creditorAccount: { identification: '12-34 56', secondaryIdentification: 'x.9' },
  remittanceInformation: { reference: 'INV 1' },
};

// The hashes are stored: if they changed, paid invoices could be paid again.
describe('The stored hashes of a payment', () => {
  it('equal those that earlier versions stored for its invoices and intention', () => {
    expect(identitiesOf({ payments: [payment] }, [])).toEqual([
      {
        invoices: ['i-saaHr69LxiylU9R2Xs7P', 'NpMte8Ldx7xHLt-L1e5R7A', 'tPJ11h9AiCgbgiyZv9VcKi'],
        aliases: {
          own: ['rMF-7mHdgGPF4dDHSKXLrv', 'jShKo6puHAFqGqCbh4AYAU', 'pcEj9h0f1CBiO9yajAwCWg'],
          other: [
            ...['xFf1iZdQ2iVWg1_HxQdaZX', 'yRAGBlTvdyCjoW75P8XV4g'],
            ...['cuj-tFBxZeH67RieH9morL', '45z9WK9qBR2PGNl-rf-VZK', 'dmBO20UU3-VPZGlYSXeQin'],
            '3Q0IPvrLOY2xNrMc4aoABt',
          ],
        },
      },
    ]);
    expect(sumsBy([])(payment)).toEqual({
      own: ['GZndf3nEP2H-ox7IbByDqS', 'ZzyT3XL-TmaaRG4BtJPhwb', 'imi20RWajt7ypOTiF9sRQX'],
      other: ['vFTWDCpeUWOdIprDnYTOE8', 'YIEwu1a848mQohlhFJ1li7', 'yk5pg2KX4ZOioUxZxedSu4'],
    });
    const batch = { subscriptionId: 's', requestedExecutionDateTime: '2026-01-01T00:00:00Z', payments: [payment] };
    expect(intentionOf(batch)).toBe('Swi3xNuZsp8FHIFyQiQojV');
  });

  it('are looked up for texts that earlier versions compared otherwise', () => {
    const [identities] = identitiesOf(
      {
        payments: [
          {
            ...payment,
            creditor: { name: 'Groß & Söhne', creditorId: 'Ç-1' },
            remittanceInformation: { reference: 'Straße – 7' },
          },
        ],
      },
      [],
    );
    expect(identities!.aliases.other).toEqual(
      expect.arrayContaining(['LrfRgq0gQTofn8TcmtpZFu', 'gbnt3K0PNRrdCBuPdGTI_C', 'lsAaL-Aazvp9wMNF6btr-Y']),
    );
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

const referring = (reference: string, creditorName = 'Acme'): Payment => ({
  ...payment,
  creditor: { ...payment.creditor, name: creditorName },
  remittanceInformation: { reference },
});
const invoicesOf = (each: Payment) => identitiesOf({ payments: [each] }, [])[0]!.invoices;

describe('The reference of an invoice', () => {
  it.each([
    ...['-', '\u2010', '\u2011', '\u2012', '\u2013', '\u2014', '\u2015', '\u2212', '\u02d7', '\u2043', '\u2796'],
    ...['\ufe58', '\ufe63', '\uff0d', '\u05be', '\u058a', '\u1806', '\u301c'],
  ])('is the same with the dash %j', (dash) => {
    expect(invoicesOf(referring(`INV${dash}7`))).toEqual(invoicesOf(referring('inv-7')));
  });

  it.each([
    ...['\u00ad', '\u034f', '\u061c', '\u115f', '\u180b', '\u200b', '\u200d', '\u202e', '\u2060', '\u2800', '\u3164'],
    ...['\ufe00', '\ufe0f', '\ufeff', '\uffa0', '\u{e0020}', '\u{e0100}', '\u{1d173}', ' ', '\u00a0', '\u3000', '\t'],
  ])('is the same with %j in it, which is not drawn', (unseen) => {
    for (const reference of [`${unseen}INV-7`, `INV${unseen}-7`, `INV-7${unseen}`])
      expect(invoicesOf(referring(reference))).toEqual(invoicesOf(referring('inv-7')));
  });

  it.each([
    ['INV-７', 'inv-7'],
    ['ⅠNV①', 'inv1'],
    ['ﬁx', 'FIX'],
    ['e\u034f\u0301', 'É'],
    ['STRASSE', 'Straße'],
    ['ΣΟΦΟΣ', 'σοφοσ'],
    ['ıstanbul', 'ISTANBUL'],
  ])('%j is the same as %j', (one, other) => {
    expect(invoicesOf(referring(one))).toEqual(invoicesOf(referring(other)));
  });

  it.each([
    ['INV-7', 'INV-8'],
    ['INV-7', 'INV.7'],
    ['INV-7', 'INV--7'],
  ])('%j is not the same as %j', (one, other) => {
    expect(invoicesOf(referring(one))).not.toEqual(invoicesOf(referring(other)));
  });
});
