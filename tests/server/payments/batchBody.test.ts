import { describe, expect, it } from 'vitest';
import { batchRequestSchema } from '#contract/payment.ts';
import { ExactNumber } from '#contract/json.ts';
import { batchBody } from '#contract/requests/batchBody.ts';

const payment = {
  instructedAmount: { amount: '120.50', currency: 'GBP' },
  debtorAgent: { identification: '' },
  creditorAgent: {},
  creditorAccount: { identification: '12345678', secondaryIdentification: '' },
  creditor: { name: 'n', creditorId: 'c', postalAddress: { addressLine1: '1 High St', countryCode: '' } },
  remittanceInformation: { reference: '', unstructured: '' },
  additionalData: { purpose: 'SUPP', rate: new ExactNumber('1.50') },
};
const batch = batchRequestSchema.parse({
  externalId: 'e',
  subscriptionId: 's',
  debtor: { debtorId: 'd' },
  requestedExecutionDateTime: '2026-11-20T00:00:00Z',
  userIdentification: {},
  additionalData: {},
  debtorAccount: { identification: '', name: '' },
  payments: [payment],
});

describe('The body of a batch request', () => {
  it('of an electronic payment has its subscription, the creditor’s id and no empty members (wire 5.3.3)', () => {
    expect(batchBody(batch)).toEqual({
      externalId: 'e',
      subscriptionId: 's',
      debtor: { debtorId: 'd' },
      requestedExecutionDateTime: '2026-11-20T00:00:00Z',
      payments: [
        {
          instructedAmount: { amount: '120.50', currency: 'GBP' },
          creditorAccount: { identification: '12345678' },
          creditor: { name: 'n', creditorId: 'c' },
          additionalData: '{"purpose":"SUPP","rate":1.50}',
        },
      ],
    });
  });

  it('of a payment file has its file format, its subscription and the creditor’s address (wire 5.3.2)', () => {
    const body = batchBody({ ...batch, fileFormatId: 'f' });
    expect(body).toMatchObject({
      fileFormatId: 'f',
      subscriptionId: 's',
      payments: [{ creditor: { name: 'n', postalAddress: { addressLine1: '1 High St' } } }],
    });
    expect(JSON.stringify(body)).not.toContain('creditorId');
  });

  it('names the creditor by id or address, whichever is given', () => {
    const creditorsOf = (
      creditor: (typeof payment)['creditor'] | { name: string; creditorId: string },
      fileFormatId?: string,
    ) =>
      batchBody({ ...batch, ...(fileFormatId && { fileFormatId }), payments: [{ ...payment, creditor }] }).payments[0]
        ?.creditor;
    expect(creditorsOf({ name: 'n', creditorId: 'c' }, 'f')).toEqual({ name: 'n', creditorId: 'c' });
    const { creditorId: _none, ...addressed } = payment.creditor;
    expect(creditorsOf(addressed as (typeof payment)['creditor'])).toEqual({
      name: 'n',
      postalAddress: { addressLine1: '1 High St' },
    });
  });

  it('has no creditor if its name is empty', () => {
    const { payments } = batchBody({ ...batch, payments: [{ ...payment, creditor: { name: '' } }] });
    expect(payments).toHaveLength(1);
    expect(payments[0]).not.toHaveProperty('creditor');
  });

  it('keeps additional data that is a string already (wire 5.3.4)', () => {
    expect(batchBody({ ...batch, additionalData: '{"a": 1}' })).toMatchObject({ additionalData: '{"a": 1}' });
  });
});

describe('The schema of a batch request', () => {
  it.each([
    '',
    '2026-02-30T00:00:00Z',
    '2026-11-20',
    '2026-11-20T00:00:00+01:00',
    '2026-11-20T24:00:00Z',
    '2026-11-20t00:00:00z',
    ' 2026-11-20T00:00:00Z',
  ])('refuses an invalid execution date: %j', (requestedExecutionDateTime) =>
    expect(batchRequestSchema.safeParse({ ...batch, requestedExecutionDateTime }).error?.issues).toMatchObject([
      { path: ['requestedExecutionDateTime'], message: 'a date and time in UTC such as 2026-11-20T00:00:00Z' },
    ]),
  );

  it.each(['2026-11-20T00:00:00Z', '2028-02-29T23:59:59.999Z', '2026-11-20T09:30:00.5Z'])(
    'accepts an execution time in UTC: %s',
    (requestedExecutionDateTime) =>
      expect(batchRequestSchema.safeParse({ ...batch, requestedExecutionDateTime }).success).toBe(true),
  );

  it.each(['', ' ', '\n\t'])('refuses an empty external id: %j', (externalId) =>
    expect(batchRequestSchema.safeParse({ ...batch, externalId }).error?.issues).toMatchObject([
      { path: ['externalId'], message: 'a value is required' },
    ]),
  );
});
