import { describe, expect, it } from 'vitest';
import type { SettingKey } from '#contract/settings.ts';
import { answering } from '#tests/support/fakeUpstream.ts';
import { batch, consoleWith, lost, making } from '#tests/support/consoleWithPayments.ts';
import { endpoints } from '#tests/support/endpoints.ts';

/** A console whose company a program calls by other ids; each request that reaches the service makes another batch. */
async function renaming() {
  const made = await consoleWith(making());
  const { done } = made.server;
  const set = (key: SettingKey, value: string) => done('setSetting', { body: { key, value } });
  return { ...made, ...made.server, set, body: (externalId: string) => ({ ...batch, externalId }) };
}

describe('An invoice that a company has paid', () => {
  it.each([
    ['companyId', 'c'],
    ['organisationId', 'o'],
  ] as const)(
    'stays paid by it while a program changes %s and back, and is paid once by each payer (behaviour 4.45)',
    async (key, own) => {
      const { done, refused, set, sent, body } = await renaming();
      await done('createBatch', { body: body('1') });
      await set(key, 'other');
      await done('createBatch', { body: body('2') });
      for (const [n, id] of [own, own.toUpperCase(), 'other', 'OTHER', own].entries()) {
        await set(key, id);
        expect(await refused('createBatch', { body: body(`again-${n}`) }), id).toMatchObject({ code: 'paid-already' });
        const { covered } = (await done('preparePayment', { body: body(`again-${n}`) })).data;
        const batchId = id.toLowerCase() === own ? 'batch-1' : 'batch-2';
        expect(covered).toMatchObject([{ state: 'paid', batchId }]);
      }
      expect(sent()).toHaveLength(2);
    },
  );

  it('stays paid while the service says of a batch with its id, asked for another company, that it failed (behaviour 4.45)', async () => {
    const { done, refused, set, service, sent, body } = await renaming();
    await done('createBatch', { body: body('1') });
    service.scripts[endpoints.batches] = answering({
      data: { batchId: 'batch-1', externalId: '1', status: 'Failed' },
    });
    await set('companyId', 'other');
    await done('getBatch', { params: { batchId: 'batch-1' } });
    await set('companyId', 'c');
    expect(await refused('createBatch', { body: body('2') })).toMatchObject({ code: 'paid-already' });
    // The same answer, asked for the company that has paid, frees it.
    await done('getBatch', { params: { batchId: 'batch-1' } });
    expect((await done('preparePayment', { body: body('2') })).data.covered).toEqual([]);
    expect(sent().filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});

describe('A payment whose outcome is unknown', () => {
  it('is not repeated for another company that its own is called since, and is for its own (behaviour 4.45)', async () => {
    const { done, refused, set, service, sent, body } = await renaming();
    service.scripts[endpoints.batches] = lost;
    await refused('createBatch', { body: body('1'), key: 'key-1' });
    service.scripts[endpoints.batches] = making();
    const before = sent().length;
    for (const [key, id] of [
      ['companyId', 'other'],
      ['organisationId', 'another'],
    ] as const) {
      const own = (await done('getSettings'))[key];
      await set(key, id);
      const problem = await refused('createBatch', { body: body('1'), key: 'key-1' });
      expect(problem).toMatchObject({ code: 'outcome-unknown', outcome: 'unknown' });
      expect(problem.detail).toContain('for a company that had other ids');
      await set(key, own);
    }
    expect(sent()).toHaveLength(before);
    await set('companyId', 'C');
    const { data } = await done('createBatch', { body: body('1'), key: 'key-1' });
    expect(data.batchId).toBe('batch-1');
    const keys = new Set(sent().map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
  });

  it('is not settled by a batch with its externalId that is read for another company (behaviour 4.37)', async () => {
    const { done, refused, set, service, body } = await renaming();
    service.scripts[endpoints.batches] = lost;
    await refused('createBatch', { body: body('1'), key: 'key-1' });
    service.scripts[endpoints.batches] = answering({
      data: { batchId: 'of-other', externalId: '1', status: 'Received' },
    });
    await set('companyId', 'other');
    await done('getBatch', { params: { batchId: 'of-other' } });
    await set('companyId', 'c');
    expect((await done('preparePayment', { body: body('1') })).data).toMatchObject({
      key: 'key-1',
      covered: [],
    });
    expect((await done('getPaymentAttempt', { params: { key: 'key-1' } })).data.externalId).toBe('1');
  });
});
