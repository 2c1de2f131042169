import { describe, expect, it } from 'vitest';
import type { Creditor } from '#contract/party.ts';
import type { BatchRequest, Payment } from '#contract/payment.ts';
import { batch, consoleWith, making, payment } from '#tests/support/consoleWithPayments.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';
import { creditor } from '#tests/support/fixtures.ts';

const [id, iban, other] = ['A1b2C3d4-0000-4000-8000-000000000001', 'GB29 NWBK 6016 1331 9268 19', '55779911'];
const stored: Creditor = {
  ...creditor,
  creditorId: id,
  creditorname: 'Paper & Sons',
  subscriptionId: 'subscription-1',
  creditorAccountidentification: iban,
  creditorAccountSecondaryIdentification: '',
};
const common = { instructedAmount: payment!.instructedAmount, remittanceInformation: { reference: 'INV-7' } };
const byId: Payment = { ...common, creditor: { name: 'Paper & Sons', creditorId: ` ${id.toUpperCase()}` } };
const byAccount = (identification: string): Payment => ({
  ...common,
  creditor: { name: 'P. and S.' },
  creditorAccount: { identification },
});
const paying = (...payments: Payment[]): BatchRequest => ({ ...batch, payments });
const both: [string, Payment, Payment][] = [
  ['its id and then by its account', byId, byAccount(iban)],
  ['its account and then by its id', byAccount(iban), byId],
];

async function consoleWithCreditor(script: Script = making()) {
  const started = await consoleWith(script);
  await started.server.store.creditors.put(id, stored);
  return started;
}

// Which spellings are the same is a table of tests/server/writes/sameInvoice.test.ts.
describe('An invoice to a stored creditor', () => {
  it.each(both)(
    'is paid once by %s, also within one batch, unless the user wants it twice (threat 3.18)',
    async (_, one, two) => {
      const { server, sent } = await consoleWithCreditor();
      const problem = await server.refused('createBatch', { body: paying(one, two) });
      expect(problem).toMatchObject({ status: 400, code: 'invalid-request', outcome: 'not-sent' });
      expect(problem.errors).toEqual([{ path: 'payments.1', message: 'INV-7 is for the same invoice as payments.0' }]);
      await server.done('createBatch', { body: paying(one) });
      expect(await server.refused('createBatch', { body: paying(two) })).toMatchObject({
        status: 409,
        code: 'paid-already',
        outcome: 'not-sent',
      });
      await server.done('createBatch', { body: paying(one, two), query: { again: 'true' } });
      expect(sent()).toHaveLength(2);
    },
  );

  it('is paid once by its account and, once that has changed, by its id', async () => {
    const { server, sent } = await consoleWithCreditor();
    await server.done('createBatch', { body: paying(byAccount(iban)) });
    await server.store.creditors.put(id, { ...stored, creditorAccountidentification: other });
    expect(await server.refused('createBatch', { body: paying(byId) })).toMatchObject({ code: 'paid-already' });
    expect(sent()).toHaveLength(1);
  });
});
