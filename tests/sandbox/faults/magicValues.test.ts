import { describe, expect, it } from 'vitest';
import { faultHeader } from '#contract/constants.ts';
import { faultKinds } from '#contract/faults.ts';
import { magicAmounts, magicNames, magicValues, type MagicName } from '#contract/magic.ts';
import { allRules } from '#rules/merge.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { subscriptionBody } from '#tests/support/guidedPath.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { testSandbox } from '../harness.ts';
import { testLab } from '../testLab.ts';
import { executionDate } from '#tests/support/executionDate.ts';

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
    externalId: 'b-1',
    requestedExecutionDateTime: executionDate,
    payments: [payment],
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
    subscriptionId,
    creditorId: '550e8400-e29b-41d4-a716-446655440000',
    creditor: { name },
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
  ])('of a creditor that is paid: %s, and the batch is %s (behaviour 10.20.9)', async (name, status, mark) => {
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
    ['authorise approves', ['AwaitingAuthorisation', 'Authorised'], 'approve; rule=name:approves'],
    [
      'authorise approves-twice',
      ['AwaitingAuthorisation', 'Authorised', 'Authorised'],
      'approveTwice; rule=name:approves-twice',
    ],
    ['authorise revokes', ['AwaitingAuthorisation', 'Authorised', 'Cancelled'], 'approveThenRevoke; rule=name:revokes'],
    ['webhook-other', ['Accepted'], 'otherSubscription; rule=name:webhook-other'],
    ['webhook-old', ['Accepted'], 'oldTimestamp; rule=name:webhook-old'],
    ['webhook-lost', [], null],
    ['webhook-twice', ['Accepted', 'Accepted'], 'duplicate; rule=name:webhook-twice'],
    ['webhook-forged', ['Accepted'], 'badSignature; rule=name:webhook-forged'],
  ])('of a creditor that is put: %s, and the webhooks tell %j', async (name, statuses, mark) => {
    const { lab, told } = await put(name);
    await pass(lab, 8000);
    await expect.poll(told).toEqual(statuses);
    if (mark) expect(lab.received.at(-1)?.headers[faultHeader]).toBe(mark);
  });

  it('is overridden by a rule', async () => {
    const { lab, post, read } = await posted('returns Ltd');
    const { ruleId } = await lab.set({ on: 'batch', fault: { kind: 'hold' } });
    const { batchId } = (await post()).body.data;
    await pass(lab, 2000);
    expect((await read(batchId)).headers.get(faultHeader)).toBe(`hold; rule=${ruleId}`);
  });
});

describe('a magic word in a property of a subscription', () => {
  async function subscribed(word: string, provider = 'provider-asks') {
    const lab = await testLab();
    const { organisationId, token } = lab.who;
    const additionalData = JSON.stringify({ account: '12345678', signatory: { name: `Ann ${word}` } });
    const { body } = await lab.call('POST', pathOf('createSubscription', organisationId), {
      body: { data: { providerId: provider, additionalData } },
      token,
    });
    const { subscriptionId } = body.data;
    const told = () => lab.received.map(({ webhook }) => (webhook.data as { status: string }).status);
    return { lab, subscriptionId, token, told };
  }

  it.each([
    ['approves', ['Authorised'], 'approve'],
    ['rejects', ['Rejected'], 'reject'],
    ['cancels', ['Cancelled'], 'cancel'],
    ['approves-twice', ['Authorised', 'Authorised'], 'approveTwice'],
    ['revokes', ['Authorised', 'Cancelled'], 'approveThenRevoke'],
    ['expires', [], null],
    ['rejections', [], null],
  ])('%s: once it awaits its user, the webhooks tell %j (behaviour 10.20.9)', async (word, statuses, kind) => {
    const { lab, told } = await subscribed(word);
    await pass(lab, 8000);
    await expect.poll(told).toEqual(['AwaitingAuthorisation', ...statuses]);
    if (kind) expect(lab.received.at(-1)?.headers[faultHeader]).toBe(`${kind}; rule=name:${word}`);
  });

  it('messages-refused: the provider refuses its messages, but no puts', async () => {
    const { lab, subscriptionId, token, told } = await subscribed('messages-refused', 'provider-authorises');
    await pass(lab, 1000);
    await expect.poll(told).toEqual(['Authorised']);
    lab.received.length = 0;
    const send = (kind: string, data: object = {}) =>
      lab.call('POST', `${endpoints.messaging}/${kind}`, { token, body: { data: { subscriptionId, ...data } } });
    const creditorId = '550e8400-e29b-41d4-a716-446655440000';
    await send('creditorputs', { creditorId, creditorAccount: { identification: '12345678' } });
    await send('creditordeletes', { creditorId });
    await pass(lab, 1000);
    await expect
      .poll(() => lab.received.map(({ webhook, headers }) => [webhook.type, webhook.data, headers[faultHeader]]))
      .toMatchObject([
        ['creditorputs', { status: 'Accepted' }, undefined],
        ['creditordeletes', { status: 'Rejected' }, 'refuse; rule=name:messages-refused'],
      ]);
  });
});

it.each([
  ['no-state', { kind: 'noState', status: 303, state: undefined }],
  ['wrong-state', { kind: 'wrongState', status: 303, state: expect.stringMatching(/^[\da-f-]{36}$/) as unknown }],
  ['never-returns', { kind: 'neverReturns', status: 200, state: undefined }],
])('%s in the name of a user: the login has this outcome', async (word, { kind, status, state }) => {
  const { call } = await testLab();
  const query = {
    response_type: 'token',
    scope: 'openid',
    client_id: sandboxCredentials.clientId,
    state: 'state-1',
    redirect_uri: 'http://localhost/callback',
  };
  const answer = await call('POST', `${endpoints.authorize}?${new URLSearchParams(query)}`, {
    body: new URLSearchParams({ ...query, outcome: 'login', name: `Ann ${word}`, email: 'user@example.com' }),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const returned = new URLSearchParams(answer.headers.get('location')?.split('#')[1]);
  expect([answer.status, returned.get('state') ?? undefined]).toEqual([status, state]);
  expect(answer.headers.get(faultHeader)).toBe(`${kind}; rule=name:${word}`);
});

describe('a magic word in the name of a company', () => {
  const provider = catalogue.providersFor('GB').find(({ name }) => name === 'Larkfield Bacs Bureau')!;
  const path = `${endpoints.providers}/${provider.providerId}`;
  const body = subscriptionBody(provider, allRules(provider, catalogue.localInstruments()));

  it.each([
    ['rule-added', 422, 'ruleAdded'],
    ['rule-dropped', 201, 'ruleDropped'],
    ['rule-required', 201, 'ruleRequired'],
    ['rule-regex', 422, 'ruleRegex'],
    ['text-null', 201, 'nullText'],
    ['optionality-unknown', 201, 'unknownOptionality'],
    ['capability-dropped', 422, 'capabilityDropped'],
    ['other-country', 201, 'otherCountry'],
  ])(
    '%s: what was read before is answered with %i, and its own definitions differ (behaviour 10.20.10)',
    async (word, status, kind) => {
      const { onboard, call } = await testSandbox({}, catalogue);
      const { organisationId, token } = await onboard({ name: `Ann & ${word}` });
      const answer = await call('POST', pathOf('createSubscription', organisationId), { body, token });
      expect([answer.status, answer.headers.get(faultHeader)]).toEqual([status, `${kind}; rule=name:${word}`]);
      const [common, own] = [await call('GET', path), await call('GET', path, { token })];
      expect(common.headers.get(faultHeader)).toBeNull();
      expect(common.body.data).toEqual(JSON.parse(JSON.stringify(catalogue.providerById(provider.providerId))));
      expect(own.headers.get(faultHeader)).toBe(`${kind}; rule=name:${word}`);
      expect(own.body.data).not.toEqual(common.body.data);
    },
  );

  it('does not apply to another company of the same organisation', async () => {
    const { onboard, call } = await testSandbox({}, catalogue);
    const { organisationId, token } = await onboard({ name: 'Rule-adding Ltd' });
    expect((await call('POST', pathOf('createSubscription', organisationId), { body, token })).status).toBe(201);
  });
});

describe('a magic amount', () => {
  it.each([
    ['9401', 401],
    ['9429.00', 429],
    ['9503', 503],
    ['9006', 502],
  ])(
    '%s: the call that creates the batch is answered with %i, and its repeat does it (behaviour 10.20.9)',
    async (amount, status) => {
      const { post } = await posted('Ann', amount);
      const refused = await post();
      expect([refused.status, refused.headers.get(faultHeader)]).toEqual([
        status,
        expect.stringContaining('rule=amount:'),
      ]);
      const done = await post();
      expect([done.status, (await post()).body]).toEqual([201, done.body]);
      expect((await post('key-2')).status, 'another key is another call').toBe(status);
    },
  );

  it.each([
    ['9001.00', 0],
    ['9002.00', 1],
    ['9004.00', 1],
  ])('%s: the call is not answered, and %i batch is made before it is repeated', async (amount, made) => {
    const { lab, post } = await posted('Ann', amount);
    await expect(post()).rejects.toThrow();
    const batches = async () => ((await lab.lab('GET', '/batches')).body.data as unknown as object[]).length; // the answer to this call
    expect(await batches()).toBe(made);
    expect((await post()).status).toBe(201);
    expect(await batches()).toBe(1);
  });
});

it('every fault that the lab knows is caused by a magic value as well (behaviour 10.20.9)', () => {
  const all = [...Object.values<MagicName>(magicNames), ...Object.values(magicAmounts)];
  const caused = new Set(all.map(({ on, kind }) => `${on} ${kind}`));
  const known = Object.entries(faultKinds).flatMap(([on, kinds]) => Object.keys(kinds).map((kind) => `${on} ${kind}`));
  expect([...caused].sort()).toEqual(known.sort());
  expect(magicValues).toHaveLength(all.length);
});
