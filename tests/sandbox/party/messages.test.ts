import { Webhook } from 'standardwebhooks';
import { describe, it, expect } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { header, type MessageKind } from '#server/upstream/wire.ts';
import { testSandbox, type Call } from '../harness.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const debtorId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const creditorId = '550e8400-e29b-41d4-a716-446655440000';

async function ready(name?: string) {
  const sandbox = await testSandbox();
  const { token, subscriptionId } = await sandbox.authorised(name);
  const send = (kind: MessageKind, data: object, more: Call = {}) =>
    sandbox.call('POST', `${endpoints.messaging}/${kind}`, {
      token,
      body: { data: { subscriptionId, ...data } },
      ...more,
    });
  const debtor = { debtorId, debtorAccount: { identification: '12345678' } };
  const creditor = { creditorId, creditorAccount: { identification: '12345678' } };
  return { sandbox, token, subscriptionId, send, debtor, creditor };
}

describe('the messaging API', () => {
  it('accepts a debtor with an empty 202 and answers by a signed webhook (wire 6.1.1)', async () => {
    const { sandbox, send, debtor, subscriptionId } = await ready();
    const answer = await send('debtoraccountputs', debtor);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 202, text: '' });

    const { headers, text, webhook } = await sandbox.webhook('debtoraccountputs');
    expect(webhook).toEqual({
      type: 'debtoraccountputs',
      subscriptionId,
      interactionId: expect.stringMatching(/^[\da-f-]{36}$/) as unknown,
      resource: { id: debtorId, type: 'DebtorAccount' },
      data: { debtorId, status: 'Accepted' },
    });
    const signed = headers as Record<string, string>; // none of these headers repeats
    expect(new Webhook(sandboxCredentials.webhookSecret).verify(text, signed)).toEqual(webhook);
    expect(headers['x-webhook-key']).toBe(sandboxCredentials.webhookHeader.value);
  });

  it('lists what was put, unchanged, until it is deleted (wire 6.1.4)', async () => {
    const { sandbox, send, creditor, subscriptionId } = await ready();
    await send('creditorputs', creditor);
    await send('creditorlistqueries', {});
    const list = await sandbox.webhook('creditorlistqueryresponses');
    expect(list.webhook.data).toEqual({ creditors: [{ subscriptionId, ...creditor }] });

    await send('creditordeletes', { creditorId });
    await send('creditordeletes', { creditorId });
    await send('creditorlistqueries', {});
    const empty = await sandbox.webhook('creditorlistqueryresponses', 1);
    expect(empty.webhook.data).toEqual({ creditors: [] });
    const verdicts = sandbox.received.filter(({ webhook }) => webhook.type === 'creditordeletes');
    expect(verdicts.map(({ webhook }) => (webhook.data as { status: string }).status).sort()).toEqual([
      'Accepted',
      'Rejected',
    ]);
  });

  it('rejects, by webhook, a party that breaks a rule of the provider', async () => {
    const { sandbox, send } = await ready();
    await send('debtoraccountputs', { debtorId, debtorAccount: { identification: 'x' } });
    expect((await sandbox.webhook('debtoraccountputs')).webhook.data).toEqual({
      debtorId,
      status: 'Rejected',
      errors: [{ path: 'debtorAccount.identification', message: 'debtorAccount.identification is not valid' }],
    });
  });

  it('merges updates into the subscription and refuses properties that the provider does not have (wire 6.1.2)', async () => {
    const { sandbox, token, send, subscriptionId } = await ready();
    const update = (properties: object) =>
      send('updates', { resource: 'Subscription', id: subscriptionId, properties });
    await update({ colour: 'blue' });
    expect((await sandbox.webhook('updates')).webhook.data).toMatchObject({
      status: 'Rejected',
      errors: [{ path: 'properties.colour' }],
    });
    await update({ account: '87654321' });
    expect((await sandbox.webhook('updates', 1)).webhook.data).toEqual({ id: subscriptionId, status: 'Accepted' });
    await sandbox.webhook('subscriptionUpdated', 1);
    const { data } = (await sandbox.call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { token })).body;
    expect(JSON.parse(data.additionalData)).toEqual({ account: '87654321' });
  });

  it('refuses at once what it cannot forward (wire 2.1.3)', async () => {
    const { sandbox, token, send, debtor, subscriptionId } = await ready('authorises-quiet');
    for (const [kind, capability] of [
      ['debtoraccountputs', 'DebtorAccountRequired'],
      ['debtoraccountdeletes', 'DebtorAccountRequired'],
      ['creditorputs', 'DebtorAccountRequired'],
      ['creditordeletes', 'DebtorAccountRequired'],
      ['debtoraccountlistqueries', 'DebtorQueries'],
      ['creditorlistqueries', 'CreditorQueries'],
    ] as const)
      expect((await send(kind, { ...debtor, creditorId })).body).toMatchObject({
        status: 422,
        detail: expect.stringContaining(capability) as string, // vitest types its matchers as any
      });
    expect(await send('debtoraccountlistqueries', {}, { headers: { [header.interaction]: 'no uuid' } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'x-fapi-interaction-id' }] },
    });
    expect((await send('creditordeletes', { subscriptionId: 'none', creditorId })).status).toBe(404);
    const bare = { token, body: { data: { subscriptionId } }, headers: { [header.application]: '' } };
    expect((await sandbox.call('POST', `${endpoints.messaging}/creditorlistqueries`, bare)).status).toBe(401);
  });

  it('refuses messages for a suspended subscription', async () => {
    const { sandbox, token, send, debtor, subscriptionId } = await ready();
    const body = { data: { suspendedByConsumer: true } };
    await sandbox.call('PATCH', `${endpoints.subscriptions}/${subscriptionId}`, { token, body });
    expect((await send('debtoraccountputs', debtor)).body).toMatchObject({ status: 422 });
  });
});

describe('webhooks', () => {
  it('are repeated with growing pauses, under one id, until they are accepted (wire 6.3.6)', async () => {
    const { sandbox, send, debtor } = await ready();
    sandbox.receiverAnswer.status = 503;
    await send('debtoraccountputs', debtor);
    const puts = () => sandbox.received.filter(({ webhook }) => webhook.type === 'debtoraccountputs');
    await sandbox.webhook('debtoraccountputs', 0);
    await settle();
    sandbox.clock.increment(999);
    await settle();
    expect(puts()).toHaveLength(1);
    sandbox.clock.increment(1);
    await sandbox.webhook('debtoraccountputs', 1);
    await settle();
    sandbox.receiverAnswer.status = 204;
    sandbox.clock.increment(2000);
    await sandbox.webhook('debtoraccountputs', 2);
    await settle();
    sandbox.clock.increment(600_000);
    await settle();
    expect(puts()).toHaveLength(3);
    expect(new Set(puts().map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

/** Real time for what travels over HTTP. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 100));
