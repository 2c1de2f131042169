import { describe, it, expect } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { testSandbox, type Call } from '../harness.ts';
import { executionDate } from '#tests/support/executionDate.ts';

const payment = (name = 'Example Ltd', more: object = {}) => ({
  instructedAmount: { amount: '120.50', currency: 'GBP' },
  creditor: { name },
  ...more,
});
const request = { externalId: 'b-1', requestedExecutionDateTime: executionDate, payments: [payment()] };
const file = { ...request, fileFormatId: 'lines' };

async function ready(name?: string) {
  const sandbox = await testSandbox();
  const { token, subscriptionId } = await sandbox.authorised(name);
  const post = (data: object, more: Call = {}) =>
    sandbox.call('POST', endpoints.batches, { token, body: { data }, ...more });
  const read = async (batchId: string) =>
    (await sandbox.call('GET', `${endpoints.batches}/${batchId}`, { token })).body;
  /** Posts a batch and advances it by some steps. */
  const after = async (steps: number, data: object) => {
    const { batchId } = (await post(data)).body.data;
    for (let step = 0; step < steps; step++) {
      sandbox.clock.increment(1000);
      await sandbox.settled();
    }
    return { batchId, ...(await read(batchId)) };
  };
  return { sandbox, token, subscriptionId, post, read, after, electronic: { ...request, subscriptionId } };
}

describe('an electronic batch', () => {
  it('is refused if its execution date is no date', async () => {
    const { post, electronic } = await ready();
    const { status, body } = await post({ ...electronic, requestedExecutionDateTime: '2026-02-30T00:00:00Z' });
    expect([status, body.errors]).toEqual([
      400,
      [{ path: 'data.requestedExecutionDateTime', message: 'a date and time in UTC such as 2026-11-20T00:00:00Z' }],
    ]);
  });

  it('is received, processed and completed, with a webhook at each change (wire 5.3.6)', async () => {
    const { sandbox, post, read, electronic } = await ready();
    const created = await post(electronic);
    const { batchId } = created.body.data;
    expect(created).toMatchObject({ status: 201, body: { data: { status: 'Received', externalId: 'b-1' } } });
    expect(created.body.links.self).toBe(`${sandbox.url()}${endpoints.batches}/${batchId}`);
    sandbox.clock.increment(1000);
    expect((await read(batchId)).data).toMatchObject({ status: 'Processing', payments: [{ status: 'Processing' }] });
    sandbox.clock.increment(1000);
    expect((await read(batchId)).data).toMatchObject({ status: 'Completed', payments: [{ status: 'Completed' }] });

    const first = await sandbox.webhook('batchUpdated');
    expect(first.webhook).toMatchObject({
      resource: { id: batchId, type: 'BatchPayment' },
      data: { status: 'Processing' },
    });
    expect((await sandbox.webhook('batchUpdated', 1)).webhook.data).toEqual({ status: 'Completed' });
  });

  it('ends by the outcome of its payments: some failed, all failed (wire 12.2)', async () => {
    const { after, electronic } = await ready();
    const some = await after(2, { ...electronic, payments: [payment(), payment('Ben fails')] });
    expect(some.data.status).toBe('PartiallyCompleted');
    expect(some.data.payments.map(({ status }) => status)).toEqual(['Completed', 'Failed']);
    expect(some.error.detail).toMatchObject([{ code: 'AccountClosed', index: 1, resourceId: some.data.payments[1]?.paymentId }]); // prettier-ignore
    const all = await after(2, { ...electronic, payments: [payment('Ben fails')] });
    expect(all.data.status).toBe('Failed');
  });

  it('is rejected later, with the place of each broken rule and unknown party (wire 5.4.3)', async () => {
    const { after, electronic } = await ready();
    const { batchId, data, error } = await after(1, {
      ...electronic,
      debtor: { debtorId: 'nobody' },
      payments: [payment(), payment('B', { remittanceInformation: { reference: '"' } })],
    });
    expect(data.status).toBe('Rejected');
    expect(error.detail).toEqual([
      {
        target: 'payments.remittanceInformation.reference',
        message: 'no quotes',
        code: 'RegexFailure',
        index: 1,
        resourceId: data.payments[1]?.paymentId,
        sourceId: 'reference-rule',
      },
      {
        target: 'debtor.debtorId',
        message: 'the provider does not know nobody',
        code: 'NotFound',
        resourceId: batchId,
      },
    ]);
  });

  it('needs a subscription that is its own, Authorised and not suspended (wire 10.1)', async () => {
    const { sandbox, token, subscriptionId, post, electronic } = await ready();
    expect((await post({ ...electronic, subscriptionId: 'none' })).status).toBe(404);
    const body = { data: { suspendedByConsumer: true } };
    await sandbox.call('PATCH', `${endpoints.subscriptions}/${subscriptionId}`, { token, body });
    expect((await post(electronic)).body).toMatchObject({ status: 422 });
  });
});

describe('a file batch', () => {
  it('has a file with its payments, behind a link that needs no credentials', async () => {
    const { after } = await ready();
    const { data, links } = await after(1, { ...file, payments: [payment(), payment('B')] });
    expect(data.status).toBe('PaymentFileAvailable');
    const answer = await fetch(links.paymentFile);
    expect(answer.headers.get('content-type')).toContain('text/plain');
    expect((await answer.text()).split('\n').slice(1)).toEqual(['120.50', '120.50']);
  });

  it('has links that expire after 5 minutes; reading the batch issues a new one (wire 5.4.1)', async () => {
    const { sandbox, after, read } = await ready();
    const { batchId, links } = await after(1, file);
    sandbox.clock.increment(5 * 60_000 + 1000);
    expect((await fetch(links.paymentFile)).status).toBe(410);
    expect((await fetch((await read(batchId)).links.paymentFile)).status).toBe(200);
  });

  it('has no file for a token that is missing, altered or of another batch', async () => {
    const { sandbox, after } = await ready();
    const one = await after(1, file);
    const other = await after(1, file);
    const get = async (token: string) => (await sandbox.call('GET', `/files/${one.batchId}${token}`)).status;
    expect(await get('')).toBe(400);
    expect(await get('?token=x')).toBe(401);
    expect(await get(new URL(other.links.paymentFile).search)).toBe(404);
  });

  it('honours its idempotency key for 10 minutes (wire 4.1)', async () => {
    const { sandbox, post } = await ready();
    const headers = { [header.idempotency]: 'k' };
    const first = await post(file, { headers });
    expect((await post(file, { headers })).body).toEqual(first.body);
    expect((await post({ ...file, externalId: 'b-2' }, { headers })).status).toBe(409);
    sandbox.clock.increment(10 * 60_000);
    expect((await post(file, { headers })).body.data.batchId).not.toBe(first.body.data.batchId);
  });
});

describe('a batch with too much or too little', () => {
  it('is refused with the invalid field (wire 5.3.1)', async () => {
    const { post, electronic } = await ready();
    const path = async (data: object) => {
      const { status, body } = await post(data);
      return [status, body.errors[0]?.path];
    };
    expect(await path(request)).toEqual([400, 'data.subscriptionId']);
    expect(await path({ ...request, fileFormatId: 'none' })).toEqual([422, 'data.fileFormatId']);
    expect(await path({ ...electronic, payments: [] })).toEqual([400, 'data.payments']);
    expect(await path({ ...electronic, payments: Array(4).fill(payment()) })).toEqual([422, 'data.payments']);
    const wrongAmount = payment('A', { instructedAmount: { amount: '1,5', currency: 'GBP' } });
    expect(await path({ ...electronic, payments: [wrongAmount] })).toEqual([
      400,
      'data.payments.0.instructedAmount.amount',
    ]);
  });

  it('may have 2,000 payments in a file and no more (wire 5.3.5)', async () => {
    const { post } = await ready();
    const status = async (count: number) => (await post({ ...file, payments: Array(count).fill(payment()) })).status;
    expect(await status(2000)).toBe(201);
    expect(await status(2001)).toBe(422);
  });

  it('is refused above 5 MB (wire 5.3.5)', async () => {
    const { post } = await ready();
    const long = { remittanceInformation: { unstructured: 'x'.repeat(5 * 1024 * 1024) } };
    expect(await post({ ...file, payments: [payment('A', long)] })).toMatchObject({
      status: 413,
      body: { status: 413 },
    });
  });
});
