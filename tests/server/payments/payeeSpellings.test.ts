import { describe, expect, it } from 'vitest';
import type { Creditor } from '#contract/party.ts';
import type { BatchRequest, Payment } from '#contract/payment.ts';
import { endpoints } from '#server/upstream/wire.ts';
import type { Script } from '#tests/support/fakeUpstream.ts';
import { batch, consoleWith, lost, making, payment } from '#tests/support/consoleWithPayments.ts';
import { batchId, serviceThat } from '#tests/support/consoleThatPaid.ts';
import { creditor } from '#tests/support/fixtures.ts';

const id = 'A1b2C3d4-0000-4000-8000-000000000001';
const iban = 'GB29 NWBK 6016 1331 9268 19';
const stored: Creditor = {
  ...creditor,
  creditorId: id,
  creditorname: 'Paper & Sons',
  subscriptionId: 'subscription-1',
  creditorAccountidentification: iban,
  creditorAccountSecondaryIdentification: '',
};

const common = { instructedAmount: payment!.instructedAmount, remittanceInformation: { reference: 'INV-7' } };
const toId = (creditorId: string, name = 'Paper & Sons'): Payment => ({ ...common, creditor: { name, creditorId } });
const toAccount = (identification: string, name = 'P. and S.', secondaryIdentification?: string): Payment => ({
  ...common,
  creditor: { name },
  creditorAccount: { identification, ...(secondaryIdentification !== undefined && { secondaryIdentification }) },
});
const paying = (...payments: Payment[]): BatchRequest => ({ ...batch, payments });

/** Two spellings of the payee, one by the stored creditor's id, one by its account. */
const spellings: Record<string, [Payment, Payment]> = {
  'id and account': [toId(id), toAccount(iban)],
  'id in capitals and account without blanks': [toId(id.toUpperCase()), toAccount('GB29NWBK60161331926819')],
  'id between blanks and account in small letters': [toId(` ${id.toLowerCase()} `), toAccount(iban.toLowerCase())],
  'id and account with dashes': [toId(id), toAccount('GB29-NWBK-6016-1331-9268-19')],
  'id and account in full-width characters': [toId(id), toAccount('ＧＢ２９ＮＷＢＫ６０１６１３３１９２６８１９')],
  'id and account with a second number': [toId(id), toAccount(iban, 'P. and S.', '601613')],
  'id under another name and account under a third': [toId(id, 'x'), toAccount(iban, 'y')],
};
const bothWays = Object.entries(spellings).flatMap(([name, [one, other]]): [string, Payment, Payment][] => [
  [name, one, other],
  [`${name}, the other way round`, other, one],
]);

async function consoleWithCreditor(script: Script = making()) {
  const started = await consoleWith(script);
  await started.server.store.creditors.put(id, stored);
  return started;
}

describe('An invoice to a stored creditor', () => {
  it.each(bothWays)('is paid once by %s (threat 3.18)', async (_, one, other) => {
    const { server, sent } = await consoleWithCreditor();
    await server.done('createBatch', { body: paying(one) });
    const problem = await server.refused('createBatch', { body: paying(other) });
    expect(problem).toMatchObject({ status: 409, code: 'paid-already', outcome: 'not-sent' });
    await server.done('createBatch', { body: paying(other), query: { again: 'true' } });
    expect(sent()).toHaveLength(2);
  });

  it.each(bothWays)(
    'is refused in one batch by %s, unless the user wants it twice (threat 3.18)',
    async (_, one, other) => {
      const { server, sent } = await consoleWithCreditor();
      const problem = await server.refused('createBatch', { body: paying(one, other) });
      expect(problem).toMatchObject({ status: 400, code: 'invalid-request', outcome: 'not-sent' });
      expect(problem.errors).toEqual([{ path: 'payments.1', message: 'INV-7 is for the same invoice as payments.0' }]);
      await server.done('createBatch', { body: paying(one, other), query: { again: 'true' } });
      expect(sent()).toHaveLength(1);
    },
  );

  it.each(bothWays)(
    'is not paid by the second of %s while the first is undecided, with or without its reference',
    async (_, one, other) => {
      const { server, service, sent } = await consoleWithCreditor(lost);
      await server.refused('createBatch', { body: paying(one) });
      service.scripts[endpoints.batches] = making();
      const { remittanceInformation: __, ...bare } = other;
      for (const body of [paying(other), paying(bare)])
        expect(await server.refused('createBatch', { body })).toMatchObject({ code: 'paid-already' });
      expect(sent()).toHaveLength(1);
    },
  );

  it('is paid once by its id, and by the account that it had before or has since', async () => {
    const { server, sent } = await consoleWithCreditor();
    await server.done('createBatch', { body: paying(toId(id)) });
    await server.store.creditors.put(id, { ...stored, creditorAccountidentification: '55779911' });
    for (const account of [iban, '55779911'])
      expect(await server.refused('createBatch', { body: paying(toAccount(account)) })).toMatchObject({
        code: 'paid-already',
      });
    expect(sent()).toHaveLength(1);
  });

  it('is paid once by its account and, once that has changed, by its id', async () => {
    const { server, sent } = await consoleWithCreditor();
    await server.done('createBatch', { body: paying(toAccount(iban)) });
    await server.store.creditors.put(id, { ...stored, creditorAccountidentification: '55779911' });
    expect(await server.refused('createBatch', { body: paying(toId(id)) })).toMatchObject({ code: 'paid-already' });
    expect(sent()).toHaveLength(1);
  });

  it('whose payment by its id failed can be paid by its account, and by its id', async () => {
    for (const next of [toAccount(iban), toId(id)]) {
      const { script, says } = serviceThat();
      const { server, sent } = await consoleWithCreditor(script);
      await server.done('createBatch', { body: paying(toId(id)) });
      says({ status: 'Failed', payments: [{ ...toId(id), status: 'Failed' }] });
      await server.done('getBatch', { params: { batchId } });
      await server.done('createBatch', { body: paying(next) });
      expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(2);
    }
  });

  it('is not that of another creditor with another account', async () => {
    const { server, sent } = await consoleWithCreditor();
    await server.store.creditors.put('other', {
      ...stored,
      creditorId: 'other',
      creditorAccountidentification: '55779911',
    });
    await server.done('createBatch', { body: paying(toId(id), toAccount('55779911', 'Paper & Sons')) });
    await server.done('createBatch', { body: paying(toId('third', 'Third'), toAccount('1', 'Other')) });
    expect(sent()).toHaveLength(2);
  });
});

describe('An invoice to a creditor that is not stored', () => {
  it.each([
    ['id and then by an account', toId('unknown'), toAccount(iban, ' PAPER & SONS ')],
    ['account and then by an id', toAccount(iban, 'Paper & Sons'), toId('unknown')],
  ])('counts as the same if one name is paid by an %s: that cannot be told', async (_, one, other) => {
    const { server, sent } = await consoleWith(making());
    await server.done('createBatch', { body: paying(one) });
    expect(await server.refused('createBatch', { body: paying(other) })).toMatchObject({ code: 'paid-already' });
    expect(
      await server.refused('createBatch', { body: { ...paying(toId('u2'), toAccount('2', 'Paper & Sons')) } }),
    ).toMatchObject({ code: expect.stringMatching(/paid-already|invalid-request/) as string });
    expect(sent()).toHaveLength(1);
  });
});

/** Two writings of an account whose name is the same, of which nothing tells whether they are one account. */
const writings: Record<string, [Payment, Payment]> = {
  'IBAN and national number': [toAccount(iban), toAccount('31926819')],
  'IBAN in small letters and sort code with number': [toAccount(iban.toLowerCase()), toAccount('60-16-13 31926819')],
  'IBAN and number with a second one': [toAccount(iban), toAccount('31926819', 'p. and s.', '7')],
  'IBAN of another country and its number': [toAccount('DE89 3704 0044 0532 0130 00'), toAccount('0532013000')],
  'IBAN with an id and number without': [
    { ...toAccount(iban), creditor: { name: 'P. and S.', creditorId: 'unknown' } },
    toAccount('31926819'),
  ],
  'number with an id and IBAN without': [
    { ...toAccount('0532013000'), creditor: { name: 'P. and S.', creditorId: 'unknown' } },
    toAccount('DE89 3704 0044 0532 0130 00'),
  ],
  "stored creditor's id and number": [toId(id), toAccount('31926819', 'Paper & Sons')],
};

describe('An invoice to an account that is written in two ways', () => {
  const bothOrders = Object.entries(writings).flatMap(([name, [one, other]]): [string, Payment, Payment][] => [
    [name, one, other],
    [`${name}, the other way round`, other, one],
  ]);

  it.each(bothOrders)('is paid once by %s (threat 3.18)', async (_, one, other) => {
    const { server, sent } = await consoleWithCreditor();
    expect(await server.refused('createBatch', { body: paying(one, other) })).toMatchObject({
      code: 'invalid-request',
    });
    await server.done('createBatch', { body: paying(one) });
    const problem = await server.refused('createBatch', { body: paying(other) });
    expect(problem).toMatchObject({ status: 409, code: 'paid-already', outcome: 'not-sent' });
    expect(sent()).toHaveLength(1);
  });

  it.each<[string, Payment, Payment]>([
    ['another name', toAccount(iban), toAccount('31926819', 'Somebody else')],
    ['another IBAN', toAccount(iban), toAccount('DE89 3704 0044 0532 0130 00')],
    ['another national number', toAccount('31926819'), toAccount('55779911')],
    [
      'another id besides both',
      { ...toAccount(iban), creditor: { name: 'P. and S.', creditorId: 'one' } },
      { ...toAccount('31926819'), creditor: { name: 'P. and S.', creditorId: 'other' } },
    ],
  ])('is not that of an account with %s', async (_, one, other) => {
    const { server, sent } = await consoleWithCreditor();
    await server.done('createBatch', { body: paying(one, other) });
    expect(sent()).toHaveLength(1);
  });
});
