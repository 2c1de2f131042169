import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { BatchRequest } from '#contract/payment.ts';
import { batches } from '#server/companies/records.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { answering, fakeUpstream, unsignedJwt, type Script } from '#tests/support/fakeUpstream.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { bare, batch, lost, payment } from '#tests/support/consoleWithPayments.ts';
import { creditor } from '#tests/support/fixtures.ts';
import { currentStore } from '#tests/support/store.ts';

const ids = { organisationId: 'Org-1', companyId: 'Comp-1' };

/** A service that makes a batch of each request that reaches it; `status` is that of the batches that are read. */
function serviceOf(made: BatchRequest[], standing: { status: string }): Script {
  return async (response, asked) => {
    if (asked.method === 'POST') {
      const { data } = JSON.parse(asked.body) as { data: BatchRequest };
      made.push(data);
      await wait(10);
      const { externalId } = data;
      const answer = { data: { batchId: `batch-${made.length}`, externalId, status: 'Received' } };
      return answering(answer, 201)(response, asked);
    }
    const batchId = asked.path.split('/').at(-1)!; // the path has parts
    const { status } = standing;
    const { payments = [], externalId } = made[Number(batchId.slice(6)) - 1] ?? {};
    const listed = payments.map((each) => ({ ...each, status }));
    return answering({ data: { batchId, externalId, status, payments: listed } })(response, asked);
  };
}

/** Two users who have added one company of one application, each by ids as they write them. */
async function twoUsers(ofBen = ids) {
  const [made, standing]: [BatchRequest[], { status: string }] = [[], { status: 'Received' }];
  const making = serviceOf(made, standing);
  const unknownToService = new Set<string>();
  let areTokensForbidden = false;
  const service = await fakeUpstream({
    [endpoints.batches]: making,
    [endpoints.localInstruments]: answering({ data: [] }), // the console's credentials are accepted
    [endpoints.accessToken]: (response, asked) =>
      (areTokensForbidden || unknownToService.has(String(asked.headers[header.company]))
        ? answering({ title: 'The organisation has no such company', status: 404, code: 'No' }, 404)
        : answering({ jwt: unsignedJwt() }, 201))(response, asked),
  });
  const shared = await sharedUse({ upstreamUrl: () => Promise.resolve(service.url) });
  const added = async (name: string, company: typeof ids) => {
    const user = await shared.signedIn(name);
    await user.done('useExisting', { body: { ...company, signingKey: 'k' } });
    return user;
  };
  const [ada, ben] = [await added('ada', ids), await added('ben', ofBen)];
  /** Lets the service answer by another script, until `making` is set again. */
  const scripted = (script: Script) => (service.scripts[endpoints.batches] = script);
  return {
    ...shared,
    ada,
    ben,
    made,
    standing,
    making,
    scripted,
    unknownToService,
    forbidTokens: () => (areTokensForbidden = true),
  };
}

const other: BatchRequest = {
  ...batch,
  payments: [{ ...payment!, remittanceInformation: { reference: 'other' } }],
};
const againQuery = { again: 'true' } as const;

/** What Ada's payment leaves in her own answers. */
const ofAda = ['batch-1', 'key-of-ada', new Date().toISOString().slice(0, 10)];

describe('An invoice that one user has paid', () => {
  it.each([['by ids in capitals', { organisationId: 'ORG-1', companyId: 'COMP-1' }]])(
    'is not paid by another user who added the company %s, unless that user confirms it (behaviour 4.49; threat 2.29)',
    async (_, ofBen) => {
      const { ada, ben, made } = await twoUsers(ofBen);
      await ada.done('createBatch', { body: batch, key: 'key-of-ada' });
      const body = { ...batch, externalId: 'of-ben' };
      const problem = await ben.refused('createBatch', { body });
      expect(problem).toMatchObject({
        status: 409,
        code: 'paid-already',
        outcome: 'not-sent',
        errors: [{ path: 'payments.0', message: 'invoice-1 was paid by another user of this console' }],
      });
      const { covered } = (await ben.done('preparePayment', { body })).data;
      expect(covered).toEqual([{ index: 0, state: 'paid' }]);
      for (const mark of ofAda) expect(JSON.stringify([problem.detail, problem.errors, covered])).not.toContain(mark);
      expect(made).toHaveLength(1);
      await ben.done('createBatch', { body, query: againQuery });
      expect(made).toHaveLength(2);
      expect((await ada.refused('createBatch', { body: { ...batch, externalId: 'third' } })).errors).toMatchObject([
        { message: expect.stringContaining('in batch batch-1') as string },
      ]);
    },
  );

  it('is listed to another user as paid, and nothing else is told of the payment (threat 2.29)', async () => {
    const { ada, ben, storage, standing } = await twoUsers();
    await ben.done('createBatch', { body: other });
    const [{ workspace } = { workspace: '' }] = await storage.collection(batches).locationsOf('batch-1');
    const creditors = currentStore(storage, workspace).creditors;
    await creditors.put('creditor-1', { ...creditor, creditorId: 'creditor-1', subscriptionId: '' });
    const listed = async () => (await ben.done('getInvoices', { query: { count: '1', paid: 'true' } })).data;
    const [{ invoiceId, creditor: creditorId }] = (await listed()) as [Awaited<ReturnType<typeof listed>>[0]];
    const paying: BatchRequest = {
      ...batch,
      payments: [{ ...payment!, creditor: { name: 'n', creditorId }, remittanceInformation: { reference: invoiceId } }],
    };
    await ada.done('createBatch', { body: paying, key: 'key-of-ada' });
    expect((await listed()).at(-1)).toMatchObject({ invoiceId, payment: { state: 'paid' } });
    expect(Object.keys((await listed()).at(-1)!.payment!)).toEqual(['state']); // it is paid
    // Nor is it told that her payment failed: the invoice is as if she had never paid it.
    standing.status = 'Failed';
    await ada.done('getBatch', { params: { batchId: 'batch-2' } });
    expect((await listed()).find((each) => each.invoiceId === invoiceId)).not.toHaveProperty('payment');
  });

  it('can be paid by another user once the service says that its payment failed, whoever has read that (behaviour 4.38)', async () => {
    const { ada, ben, made, standing } = await twoUsers();
    await ada.done('createBatch', { body: batch });
    const body = { ...batch, externalId: 'of-ben' };
    standing.status = 'Failed';
    expect(await ben.refused('createBatch', { body })).toMatchObject({ code: 'paid-already' });
    await ada.done('getBatch', { params: { batchId: 'batch-1' } });
    await ben.done('createBatch', { body });
    expect(made).toHaveLength(2);
    expect(await ada.refused('createBatch', { body: { ...batch, externalId: 'third' } })).toMatchObject({
      code: 'paid-already',
    });
  });

  it('is not told to a user who knows the ids of the company, but has no key for it (threat 2.29)', async () => {
    const { ada, signedIn, made, forbidTokens } = await twoUsers();
    await ada.done('createBatch', { body: batch });
    const carl = await signedIn('carl');
    forbidTokens();
    for (const key of ['organisationId', 'companyId'] as const)
      await carl.done('setSetting', { body: { key, value: ids[key] } });
    await carl.done('setSetting', { body: { key: 'companySigningKey', value: 'guessed' } });
    expect((await carl.done('preparePayment', { body: batch })).data.covered).toEqual([]);
    const [paid, unpaid] = [
      await carl.refused('createBatch', { body: batch }),
      await carl.refused('createBatch', { body: other }),
    ];
    const { requestId, traceparent } = paid;
    expect(paid).toEqual({ ...unpaid, requestId, traceparent, interactionId: paid.interactionId });
    expect(paid.code).not.toBe('paid-already');
    expect(made).toHaveLength(1);
  });

  it('is paid once if both users pay it at the same time, 10 times each (threat 2.29)', async () => {
    const { ada, ben, made } = await twoUsers();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? ada : ben).call('createBatch', { body: { ...batch, externalId: `e${index}` } }),
      ),
    );
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    for (const reply of replies) if (!reply.ok) expect(reply.problem).toMatchObject({ code: 'paid-already' });
    expect(made).toHaveLength(1);
  });
});

describe('An invoice that one user may have paid', () => {
  it('is not paid by another user, also without its reference (threat 2.29)', async () => {
    const { ada, ben, made, making, scripted } = await twoUsers();
    scripted(lost);
    await ada.refused('createBatch', { body: batch, key: 'key-of-ada' });
    scripted(making);
    const body = { ...batch, payments: [bare], externalId: 'of-ben' };
    const problem = await ben.refused('createBatch', { body });
    expect(problem).toMatchObject({ status: 409, code: 'paid-already', outcome: 'not-sent' });
    expect(problem.errors?.[0]?.message).toContain(
      'was sent by another user of this console, and its outcome is not known',
    );
    expect((await ben.done('preparePayment', { body })).data.covered).toEqual([{ index: 0, state: 'unknown' }]);
    for (const mark of ofAda) expect(JSON.stringify([problem.detail, problem.errors])).not.toContain(mark);
    // Ada alone can repeat it: under her key nothing is paid twice.
    expect(await ben.refused('getPaymentAttempt', { params: { key: 'key-of-ada' } })).toMatchObject({
      code: 'not-found',
    });
    await ada.done('createBatch', { body: batch, key: 'key-of-ada' });
    expect(made).toHaveLength(1);
  });
});

describe('An invoice that a company has paid', () => {
  const elsewhere = { ...batch, externalId: 'elsewhere' };

  it.each([
    ['paid', 'in capitals', { organisationId: 'ORG-1', companyId: 'COMP-1' }, undefined],
    ['unknown', 'in the same letters', ids, lost],
  ])(
    'stays %s after the company is removed and added again %s (behaviour 4.50; threat 3.18)',
    async (state, _, again, script) => {
      const { ada, made, making, scripted, unknownToService } = await twoUsers();
      if (script) scripted(script);
      await ada.call('createBatch', { body: batch });
      scripted(making);
      const sent = made.length;
      unknownToService.add('Comp-1');
      await ada.done('removeRecord', { body: { kind: 'company', id: 'Comp-1' } });
      unknownToService.clear();
      await ada.done('useExisting', { body: { ...again, signingKey: 'k' } });
      expect((await ada.done('getPostedBatches')).data).toBe('[]');
      expect(await ada.refused('createBatch', { body: elsewhere })).toMatchObject({ code: 'paid-already' });
      const { covered } = (await ada.done('preparePayment', { body: elsewhere })).data;
      expect(covered).toMatchObject([{ state, at: expect.any(String) as string }]);
      expect(made).toHaveLength(sent);
    },
  );

  it.each([['in small letters', { organisationId: 'org-1', companyId: 'comp-1' }]])(
    'stays paid when the settings select it by ids %s (behaviour 4.50; threat 3.18; wire 2.2.8)',
    async (_, written) => {
      const { ada, made } = await twoUsers();
      await ada.done('createBatch', { body: batch });
      for (const key of ['organisationId', 'companyId'] as const)
        await ada.done('setSetting', { body: { key, value: written[key] } });
      await ada.call('setSetting', { body: { key: 'companySigningKey', value: 'k' } });
      expect(await ada.refused('createBatch', { body: elsewhere })).toMatchObject({ code: 'paid-already' });
      expect(made).toHaveLength(1);
    },
  );
});
