import { describe, expect, it } from 'vitest';
import { faultHeader } from '#contract/constants.ts';
import { faultKinds } from '#contract/lab.ts';
import { magicAmounts, magicNames, magicValues, type MagicName } from '#contract/magic.ts';
import { endpoints, header } from '#server/upstream/wire.ts';
import { testLab } from './lab.ts';

type Lab = Awaited<ReturnType<typeof testLab>>;

/** Lets time pass by steps, in which jobs follow each other. */
async function pass({ clock }: Lab, ms: number) {
  for (let passed = 0; passed < ms; passed += 200) {
    clock.increment(200);
    await new Promise(setImmediate);
  }
}

async function posted(name: string, amount = '1', key = 'key-1') {
  const lab = await testLab();
  const { subscriptionId, token } = lab.who;
  const payment = { instructedAmount: { amount, currency: 'GBP' }, creditor: { name } };
  const data = {
    ...{ externalId: 'b-1', requestedExecutionDateTime: '2025-01-01T00:00:00Z', payments: [payment] },
    subscriptionId,
  };
  const post = (under = key) =>
    lab.call('POST', endpoints.batches, { token, body: { data }, headers: { [header.idempotency]: under } });
  const read = (batchId: string) => lab.call('GET', `${endpoints.batches}/${batchId}`, { token });
  return { lab, post, read };
}

async function put(name: string) {
  const lab = await testLab();
  const { subscriptionId, token } = lab.who;
  const data = {
    ...{ subscriptionId, creditorId: '550e8400-e29b-41d4-a716-446655440000', creditor: { name } },
    creditorAccount: { identification: '12345678' },
  };
  await lab.call('POST', `${endpoints.messaging}/creditorputs`, { token, body: { data } });
  const told = () => lab.received.map(({ webhook }) => (webhook.data as { status: string }).status);
  return { lab, told };
}

describe('a magic name', () => {
  it.each([
    ['Ben fails', 'Failed', ''],
    ['returns Ltd', 'Returned', 'returned; rule=name:returns'],
    ['HOLDS & Co', 'Received', 'hold; rule=name:holds'],
    ['Any approval', 'AwaitingAuthorisation', ''],
    ['An approval rejects', 'Rejected', ''],
    ['An approval cancels', 'Cancelled', ''],
    ['Household Ltd', 'Completed', ''],
  ])('of a creditor that is paid: %s, and the batch is %s', async (name, status, mark) => {
    const { lab, post, read } = await posted(name);
    const { batchId } = (await post()).body.data;
    await pass(lab, 3000);
    const answer = await read(batchId);
    expect([answer.body.data.status, answer.headers.get(faultHeader) ?? '']).toEqual([status, mark]);
  });

  it.each([
    ['Ann', ['Accepted'], null],
    ['Ann refuses', ['Rejected'], 'refuse; rule=name:refuses'],
    ['Ann authorise', ['AwaitingAuthorisation'], 'authorise; rule=name:authorise'],
    ['Ann authorize', ['AwaitingAuthorisation'], 'authorise; rule=name:authorise'],
    ['authorise rejects', ['AwaitingAuthorisation', 'Rejected'], 'reject; rule=name:rejects'],
    ['authorise cancels', ['AwaitingAuthorisation', 'Cancelled'], 'cancel; rule=name:cancels'],
    ['authorise expires', ['AwaitingAuthorisation', 'Expired'], 'expire; rule=name:expires'],
    ['webhook-lost', [], null],
    ['webhook-twice', ['Accepted', 'Accepted'], 'duplicate; rule=name:webhook-twice'],
    ['webhook-forged', ['Accepted'], 'badSignature; rule=name:webhook-forged'],
  ])('of a creditor that is put: %s, and the webhooks tell %j', async (name, statuses, mark) => {
    const { lab, told } = await put(name);
    await pass(lab, 3000);
    await expect.poll(told).toEqual(statuses);
    if (mark) expect(lab.received.at(-1)?.headers[faultHeader]).toBe(mark);
  });

  it('webhook-late: the webhook comes 20 s later', async () => {
    const { lab, told } = await put('webhook-late');
    await pass(lab, 10_000);
    expect(told()).toEqual([]);
    await pass(lab, 12_000);
    await expect.poll(told).toEqual(['Accepted']);
  });

  it('gives way to a rule', async () => {
    const { lab, post, read } = await posted('returns Ltd');
    const { ruleId } = await lab.set({ on: 'batch', fault: { kind: 'hold' } });
    const { batchId } = (await post()).body.data;
    await pass(lab, 2000);
    expect((await read(batchId)).headers.get(faultHeader)).toBe(`hold; rule=${ruleId}`);
  });
});

describe('a magic amount', () => {
  it.each([
    ['9429.00', 429],
    ['9503', 503],
  ])('%s: the call that creates the batch is answered with %i, and its repeat does it', async (amount, status) => {
    const { post } = await posted('Ann', amount);
    const refused = await post();
    expect([refused.status, refused.headers.get(faultHeader)]).toEqual([
      status,
      expect.stringContaining('rule=amount:'),
    ]);
    const done = await post();
    expect([done.status, (await post()).body]).toEqual([201, done.body]);
    expect((await post('key-2')).status, 'another key is another call').toBe(status);
  });

  it.each([
    ['9001.00', 0],
    ['9002.00', 1],
  ])('%s: the call is not answered, and %i batch is made before it is repeated', async (amount, made) => {
    const { lab, post } = await posted('Ann', amount);
    await expect(post()).rejects.toThrow();
    const batches = async () => ((await lab.lab('GET', '/batches')).body.data as unknown as object[]).length; // the answer to this call
    expect(await batches()).toBe(made);
    expect((await post()).status).toBe(201);
    expect(await batches()).toBe(1);
  });

  it('9504.00: the call is never answered', async () => {
    const { lab, post } = await posted('Ann', '9504.00');
    const answer = post().then(
      () => 'answered',
      () => 'given up',
    );
    await new Promise((resume) => setTimeout(resume, 100));
    await lab.lab('DELETE', '/faults');
    expect(await answer).toBe('given up');
  });
});

it('every magic value causes a fault that the lab knows, and each group but definitions and logins has some', () => {
  const all = [...Object.values<MagicName>(magicNames), ...Object.values(magicAmounts)];
  for (const { on, kind } of all) expect(Object.keys(faultKinds[on])).toContain(kind);
  expect(new Set(magicValues.map(({ on }) => on))).toEqual(
    new Set(['batch', 'put', 'authorisation', 'webhook', 'call']),
  );
});
