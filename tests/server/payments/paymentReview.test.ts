import { describe, expect, it } from 'vitest';
import type { BatchRequest } from '#contract/payment.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { executionDate, executionDateAfter } from '#tests/support/executionDate.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { testConsole } from '#tests/support/console.ts';
import { creditor, debtor } from '#tests/support/fixtures.ts';
import { batch, consoleWith as consoleAt, lost, making, payment } from '#tests/support/consoleWithPayments.ts';

/** Two minutes before the last midnight. */
const consoleWith = (script: Script) => consoleAt(script, undefined, Date.parse(executionDate) - 2 * 60_000);

describe('POST /api/paymentattempts', () => {
  const { externalId: _none, ...body } = batch;

  it('returns a new key for each review, and the payments of its invoices once they are paid', async () => {
    const { server } = await consoleWith(making());
    const { key, covered } = (await server.done('preparePayment', { body })).data;
    expect(covered).toEqual([]);
    const { data } = await server.done('createBatch', { body: { ...body, externalId: key }, key });
    const next = (await server.done('preparePayment', { body })).data;
    expect(next.key).not.toBe(key);
    expect(next.covered).toMatchObject([{ index: 0, state: 'paid', batchId: data.batchId }]);
  });

  it('returns key and body of an attempt with an unknown outcome, also after a restart', async () => {
    const { server, open, time, service, sent } = await consoleWith(lost);
    const { key } = (await server.done('preparePayment', { body })).data;
    const sentAt = new Date(time.now).toISOString();
    await server.refused('createBatch', { body: { ...body, externalId: key }, key });
    time.now += 3 * 60_000;
    const restarted = await open();
    const tomorrow = { ...body, requestedExecutionDateTime: executionDateAfter(1) };
    const again = (await restarted.done('preparePayment', { body: tomorrow })).data;
    expect(again).toMatchObject({
      key,
      sentAt,
      first: { ...body, externalId: key },
      covered: [],
    });
    service.scripts[endpoints.batches] = making();
    await restarted.done('createBatch', { body: again.first!, key });
    expect(new Set(sent().map((each) => each.body)).size).toBe(1);
  });

  it('returns a key that can be paid if the server died before it reserved the payment under the key of before (behaviour 4.64)', async () => {
    const { server, open, sent } = await consoleWith(making());
    const { key } = (await server.done('preparePayment', { body })).data;
    const { workspace, companyKey, writes } = server.store;
    await writes.claim({
      workspace,
      companyKey,
      key,
      call: 'createBatch',
      fingerprint: 'of the day of before',
      serviceKey: 'any',
      body: { ...body, externalId: key },
      serviceTime: undefined,
    });
    const restarted = await open();
    const tomorrow = { ...body, requestedExecutionDateTime: executionDateAfter(1) };
    const next = (await restarted.done('preparePayment', { body: tomorrow })).data;
    await restarted.done('createBatch', { body: { ...tomorrow, externalId: next.key }, key: next.key });
    expect((await restarted.done('preparePayment', { body: tomorrow })).data.covered).toHaveLength(1);
    expect(sent()).toHaveLength(1);
  });

  it('returns another key and the covered invoices for another account or after the key retention', async () => {
    const { server, time } = await consoleWith(lost);
    const { key } = (await server.done('preparePayment', { body })).data;
    await server.refused('createBatch', { body: { ...body, externalId: key }, key });
    const other = (await server.done('preparePayment', { body: { ...body, debtor: { debtorId: 'x' } } })).data;
    expect(other).toMatchObject({ covered: [{ index: 0, state: 'unknown' }] });
    time.now += 15 * 24 * 60 * 60_000;
    const later = { ...body, requestedExecutionDateTime: executionDateAfter(16) };
    const late = (await server.done('preparePayment', { body: later })).data;
    expect(late).toMatchObject({ covered: [{ index: 0, state: 'unknown' }] });
    expect(new Set([key, other.key, late.key]).size).toBe(3);
  });

  it('a confirmation does not cover an invoice that another payment has covered since the review (behaviour 4.59)', async () => {
    const { server, sent } = await consoleWith(making());
    const two = (...references: string[]) => ({
      ...body,
      payments: references.map((reference) => ({ ...payment!, remittanceInformation: { reference } })),
    });
    const pays = (key: string, what: typeof body, shown?: string) =>
      server.call('createBatch', {
        key,
        body: { ...what, externalId: key },
        ...(shown !== undefined && { query: { again: 'true' as const, shown } }),
      });
    const review = async (what: typeof body) => (await server.done('preparePayment', { body: what })).data;
    expect((await pays('first', two('A'))).ok).toBe(true);
    const { key, covered, shown } = await review(two('A', 'B'));
    expect(covered).toMatchObject([{ index: 0, state: 'paid' }]);
    expect((await pays('second', two('B'))).ok).toBe(true);

    expect(await pays(key, two('A', 'B'), shown)).toMatchObject({
      ok: false,
      problem: { code: 'paid-already', outcome: 'not-sent', errors: [{ path: 'payments.0' }, { path: 'payments.1' }] },
    });
    expect(sent()).toHaveLength(2);
    const seen = await review(two('A', 'B'));
    expect(seen.covered.map(({ index }) => index)).toEqual([0, 1]);
    expect((await pays(seen.key, two('A', 'B'), seen.shown)).ok).toBe(true);
    // Now each of them has been paid twice, which a later confirmation has to know of.
    expect((await pays('third', two('A'), shown)).ok).toBe(false);
    expect((await pays('third', two('A'), (await review(two('A'))).shown)).ok).toBe(true);
    expect(sent()).toHaveLength(4);
  });
});

describe('The lost payment that a review sends again', () => {
  const { externalId: _none, ...body } = batch;
  const of = (...references: string[]) => ({
    ...body,
    payments: references.map((reference) => ({ ...payment!, remittanceInformation: { reference } })),
  });

  it.each<[string, readonly string[], readonly string[], boolean]>([
    ['the same invoices', ['A', 'B'], ['A', 'B'], true],
    ['the same invoices in another order', ['A', 'B'], ['B', 'A'], true],
    ['one of its invoices', ['A', 'B'], ['A'], false],
    ['one invoice more', ['A'], ['A', 'B'], false],
    ['another invoice instead of one', ['A', 'B'], ['A', 'C'], false],
    ['one of its invoices twice', ['A', 'B'], ['A', 'A'], false],
    ['an invoice once that it has twice', ['A', 'A'], ['A'], false],
    ['other invoices', ['A', 'B'], ['C', 'D'], false],
  ])('pays %s: %j, then %j (behaviour 4.64)', async (_, first, then, isRepeated) => {
    const { server } = await consoleWith(lost);
    const query = { again: 'true' } as const;
    await server.refused('createBatch', { body: { ...of(...first), externalId: 'e' }, key: 'first', query });
    const review = (await server.done('preparePayment', { body: of(...then) })).data;
    expect([review.key === 'first', review.first !== undefined, review.sentAt !== undefined]).toEqual([
      isRepeated,
      isRepeated,
      isRepeated,
    ]);
  });

  it('is the latest of two, of which the earlier one counts as covering its invoices', async () => {
    const { server, time } = await consoleWith(lost);
    for (const key of ['earlier', 'later']) {
      time.now += 1000;
      const query = { again: 'true' } as const;
      await server.refused('createBatch', { body: { ...of('A'), externalId: key }, key, query });
    }
    const review = (await server.done('preparePayment', { body: of('A') })).data;
    expect([review.key, review.first?.externalId, review.covered.length]).toEqual(['later', 'later', 0]);
  });

  it('is none before there is a company', async () => {
    const server = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
    const { key, ...review } = (await server.done('preparePayment', { body: of('A') })).data;
    expect([key, review]).toEqual([expect.stringMatching(/^[\w-]{36}$/), { covered: [], shown: '' }]);
  });
});

describe('What the service says of an invoice that is paid again', () => {
  const { externalId: _none, ...body } = batch;
  const answered =
    (payments: object[]): Script =>
    (response, asked) =>
      asked.method === 'POST'
        ? answering({ data: { batchId: 'b', status: 'Received' } }, 201)(response, asked)
        : answering({ data: { batchId: 'b', status: 'PartiallyCompleted', payments } })(response, asked);
  const named = (reference: string, more: object) => ({ remittanceInformation: { reference }, ...more });

  it.each<[string, object[], string | undefined]>([
    [
      'status and words of the payment with its reference',
      [named('A', { status: 'Held' }), named('INV-1', { status: 'Failed' })],
      'Failed',
    ],
    ['nothing, if it lists other payments', [named('A', { status: 'Failed' })], undefined],
    ['nothing, if it lists none', [], undefined],
  ])('is %s', async (_, payments, says) => {
    const { server } = await consoleWith(answered(payments));
    const paid = { ...body, payments: [{ ...payment!, remittanceInformation: { reference: 'INV-1' } }] };
    await server.done('createBatch', { body: { ...paid, externalId: 'e' }, key: 'first' });
    await server.done('getBatch', { params: { batchId: 'b' } });
    const { covered } = (await server.done('preparePayment', { body: paid })).data;
    expect(covered.map((each) => [each.index, each.says])).toEqual([[0, says]]);
  });

  it('is nothing of a payment without a reference', async () => {
    const { server } = await consoleWith(answered([named('INV-1', { status: 'Failed' }), { status: 'Failed' }]));
    const { remittanceInformation: _, ...bare } = payment!;
    const paid = { ...body, payments: [bare] };
    await server.done('createBatch', { body: { ...paid, externalId: 'e' }, key: 'first' });
    await server.done('getBatch', { params: { batchId: 'b' } });
    const { covered } = (await server.done('preparePayment', { body: paid })).data;
    expect(covered.map((each) => [each.index, each.says])).toEqual([[0, undefined]]);
  });
});

describe('An execution date', () => {
  const on = (requestedExecutionDateTime: string): BatchRequest => ({ ...batch, requestedExecutionDateTime });
  const beforeMidnight = (script = making()) => consoleAt(script, undefined, Date.parse('2026-11-20T23:58:00Z'));

  it.each([
    ['2026-11-19T00:00:00Z', 'is in the past: the first day that can be chosen is 2026-11-20'],
    ['2027-11-22T00:00:00Z', 'is more than a year away: the last day that can be chosen is 2027-11-21'],
  ])('is refused in a review and in a batch before anything is sent: %s (behaviour 9.13)', async (date, sentence) => {
    const { server, sent } = await beforeMidnight();
    for (const call of ['preparePayment', 'createBatch'] as const) {
      const problem = await server.refused(call, { body: on(date) });
      expect(problem).toMatchObject({ status: 400, code: 'invalid-request', outcome: 'not-sent' });
      expect(problem.errors).toMatchObject([{ path: 'requestedExecutionDateTime' }]);
      expect(problem.errors?.[0]?.message).toContain(sentence);
    }
    expect(sent()).toEqual([]);
  });

  it('may have passed when a payment with an unknown outcome is sent again under its key (behaviour 9.13)', async () => {
    const { server, service, sent, time } = await beforeMidnight(lost);
    const body = on('2026-11-20T00:00:00Z');
    await server.refused('createBatch', { body, key: 'key' });
    time.now += 3 * 24 * 60 * 60_000;
    service.scripts[endpoints.batches] = making();
    for (let turn = 0; turn < 2; turn += 1)
      expect((await server.done('createBatch', { body, key: 'key' })).data.batchId).toBe('batch-1');
    expect(await server.refused('createBatch', { body, key: 'other' })).toMatchObject({ code: 'invalid-request' });
    expect(sent()).toHaveLength(2);
  });
});

describe('GET /api/invoices', () => {
  const of = (creditorId: string) => ({ ...creditor, creditorId, creditorname: creditorId });

  it('keeps creditor and amount of an invoice id when creditors are added', async () => {
    const { server } = await consoleWith(making());
    await server.store.debtors.put('debtor-1', debtor);
    const seen = new Map<string, string>();
    for (const creditorId of ['a', 'b', 'c', 'd']) {
      await server.store.creditors.put(creditorId, of(creditorId));
      for (const invoice of (await server.done('getInvoices', { query: { count: '100' } })).data) {
        const { invoiceId, creditor: payee, amount, currency, description } = invoice;
        const text = [payee, amount, currency, description].join();
        expect(seen.get(invoiceId) ?? text).toBe(text);
        seen.set(invoiceId, text);
      }
    }
    expect(new Set(seen.values()).size).toBe(seen.size);
  });

  it('reports an unknown payment of an invoice, and replaces the invoice once it is paid', async () => {
    const { server, service } = await consoleWith(lost);
    await server.store.creditors.put('creditor-1', creditor);
    const list = async (paid: 'true' | 'false' = 'false') =>
      (await server.done('getInvoices', { query: { count: '3', paid } })).data;
    const [first] = await list();
    const { invoiceId: reference } = first!;
    const body = { ...batch, payments: [{ ...payment!, remittanceInformation: { reference } }] };
    await server.refused('createBatch', { body, key: 'key' });
    expect((await list())[0]).toMatchObject({ invoiceId: reference, payment: { state: 'unknown' } });
    service.scripts[endpoints.batches] = making();
    await server.done('createBatch', { body, key: 'key' });
    expect((await list()).map(({ invoiceId }) => invoiceId)).not.toContain(reference);
    const all = await list('true');
    expect(all).toHaveLength(4);
    expect(all.at(-1)).toMatchObject({ invoiceId: reference, payment: { state: 'paid', batchId: 'batch-1' } });
  });
});
