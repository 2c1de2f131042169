import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { deliver, type Delivery } from '#tests/support/deliverWebhook.ts';
import { answering } from '#tests/support/fakeUpstream.ts';
import { timelineOf } from '#tests/support/knownRecords.ts';
import { currentStore, temporaryFolder } from '#tests/support/store.ts';
import { notified, record, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';

const updated = { type: 'subscriptionUpdated', subscriptionId, resource: { id: subscriptionId, type: 'Subscription' } };
const listed = { type: 'creditorlistqueryresponses', subscriptionId, data: { creditors: [] } };

describe('A webhook', () => {
  it('without the right signature, timestamp or agreed header is refused and has no effect (threat 5.1; wire 6.3.2)', async () => {
    const { server, notify } = await notified();
    expect(await notify(updated, { secret: 'whsec_c29tZWJvZHkgZWxzZQ==' })).toBe(403);
    expect(await notify(updated, { headers: { 'webhook-signature': '' } })).toBe(403);
    expect(await notify(updated, { headers: { 'webhook-id': 'another' } })).toBe(403);
    expect(await notify(updated, { at: new Date(Date.now() - 3_600_000) })).toBe(403);
    expect(await notify(updated, { headers: { 'x-webhook-key': 'guessed' } })).toBe(403);
    expect(await server.store.subscriptions.get(subscriptionId)).toEqual(record);
  });

  it('with an invalid signature is recorded at most once a second (threat 6.32)', async () => {
    let ahead = 0;
    const clock = { ...systemClock, steady: () => systemClock.steady() + ahead };
    const { server, notify } = await notified(temporaryFolder(), clock);
    const forged = () => notify(updated, { secret: 'whsec_c29tZWJvZHkgZWxzZQ==' });
    const refused = async () =>
      [...(await timelineOf(server)).values()].filter(({ kind, status }) => kind === 'webhook' && status === 403);
    expect([await forged(), await forged(), await forged()]).toEqual([403, 403, 403]);
    expect(await refused()).toHaveLength(1);
    ahead = 1000;
    expect(await forged()).toBe(403);
    expect(await refused()).toHaveLength(2);
  });

  const at = (seconds: number) => ({ at: new Date(Date.now() + seconds * 1000) });
  const headers = (value: Record<string, string>) => ({ headers: value });
  const seconds = () => String(Math.floor(Date.now() / 1000));
  it.each<[string, () => Delivery, string, RegExp]>([
    ['a clock 2 h slow', () => at(-7300), 'valid', /signed 2 h 01 min before .*signed at 20.*this server’s time is 20/],
    ['a clock 3 d slow', () => at(-3 * 86_400 - 60), 'valid', /signed 3 d 00 h before this server’s time/],
    ['ms', () => headers({ 'webhook-timestamp': `${seconds()}000` }), 'invalid', /is in milliseconds: give seconds/],
    ['another secret', () => ({ secret: 'whsec_c29tZWJvZHkgZWxzZQ==' }), 'invalid', /or with another secret\.$/],
    [
      'no signature',
      () => ({ secret: '' }),
      'invalid',
      /webhook-id: .* missing\. webhook-timestamp: .* missing\. webhook-/,
    ],
    [
      'other names',
      () => ({ secret: '', headers: { 'svix-id': 'a', 'svix-signature': 'b' } }),
      'invalid',
      /missing\. It has svix-id, svix-signature instead/,
    ],
    ['no agreed header', () => ({ agreed: {} }), 'valid', /: the agreed header x-webhook-key is missing\.$/],
    [
      'another agreed header',
      () => ({ agreed: { 'x-webhook-key': 'no' } }),
      'valid',
      /: the agreed header x-webhook-key has another/,
    ],
  ])('is refused with the reason, also in the timeline: %s (behaviour 7.20)', async (_, changes, signature, reason) => {
    const { server } = await notified();
    const answer = await deliver(server.url, JSON.stringify(updated), changes());
    const { detail } = (await answer.json()) as { detail: string };
    expect(answer.status).toBe(403);
    expect(detail).toMatch(reason);
    const entries = [...(await timelineOf(server)).values()].filter(({ kind }) => kind === 'webhook');
    expect(entries).toMatchObject([{ status: 403, signature, reason: detail }]);
  });

  it.each(['"text"', 'null', '5'])('that is no object is refused with a sentence about its type: %s', async (body) => {
    const { server } = await notified();
    const { detail } = (await (await deliver(server.url, body)).json()) as { detail: string };
    expect(detail).toMatch(/^The webhook cannot be understood: its body is [^:]+, an object was expected\.$/);
  });

  it('from another origin is accepted (wire 1.4)', async () => {
    const { notify } = await notified();
    expect(await notify(updated, { headers: { origin: 'http://elsewhere.example' } })).toBe(204);
  });

  it('delivered several times takes effect once, also concurrently (threat 5.3)', async () => {
    const { notify, unread, service } = await notified();
    await Promise.all(Array.from({ length: 5 }, () => notify(listed, { id: 'same' })));
    expect(await notify(updated, { id: 'hint' })).toBe(204);
    expect(await notify(updated, { id: 'hint' })).toBe(204);
    expect((await unread()).map(({ id }) => id)).toEqual(['same']);
    expect(service.askedFor(endpoints.subscriptions)).toHaveLength(1);
  });

  it('without a resource makes the console read its subscription, but no batch', async () => {
    const { server, service, notify } = await notified();
    expect(await notify({ type: 'subscriptionUpdated', subscriptionId }, { id: 'hint' })).toBe(204);
    expect(await server.store.subscriptions.get(subscriptionId)).toMatchObject({ status: 'Authorised' });
    expect(service.askedFor(endpoints.subscriptions).map(({ path }) => path)).toEqual([
      `${endpoints.subscriptions}/${subscriptionId}`,
    ]);
    expect(await notify({ type: 'batchUpdated', subscriptionId }, { id: 'nameless' })).toBe(204);
    expect(service.askedFor(endpoints.batches)).toEqual([]);
  });

  it('about a subscription or a batch updates the record, and is not listed as unread (wire 6.3.1)', async () => {
    const { server, notify, unread } = await notified();
    const batch = { batchId: 'b', status: 'Received', amount: '1.00 GBP', kind: 'file', postedAt: '' } as const;
    await server.store.batches.put('b', batch);
    await notify(updated);
    await notify({ type: 'batchUpdated', resource: { id: 'b', type: 'BatchPayment' } });
    expect(await server.store.subscriptions.get(subscriptionId)).toEqual({ ...record, status: 'Authorised' });
    expect(await server.store.batches.get('b')).toMatchObject({ ...batch, status: 'Completed' });
    expect(await unread()).toEqual([]);
  });

  it('about an unknown record is stored as unread', async () => {
    const { notify, unread } = await notified();
    await notify({ ...listed, subscriptionId: 'another' }, { id: 'answer' });
    await notify({ type: 'batchUpdated', resource: { id: 'unknown', type: 'BatchPayment' } }, { id: 'hint' });
    expect((await unread()).map(({ id }) => id)).toEqual(['answer', 'hint']);
  });

  it.each([401, 403, 409, 429, 500])(
    'is answered with 502, to be redelivered, if its reading ends with %i',
    async (status) => {
      const { server, notify, service } = await notified();
      const working = service.scripts[endpoints.subscriptions]!;
      service.scripts[endpoints.subscriptions] = answering({}, status);
      expect(await notify(updated, { id: 'again' })).toBe(502);
      service.scripts[endpoints.subscriptions] = working;
      expect(await notify(updated, { id: 'again' })).toBe(204);
      expect(await server.store.subscriptions.get(subscriptionId)).toMatchObject({ status: 'Authorised' });
    },
  );

  it('takes effect only in the workspace that has its subscription or batch (threat 5.5)', async () => {
    const { server, notify, unread } = await notified();
    const other = currentStore(server.storage, 'other');
    await other.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
    await other.subscriptions.put('subscription-2', { ...record, subscriptionId: 'subscription-2' });
    const batch = { batchId: 'b', status: 'Received', amount: '1.00 GBP', kind: 'file', postedAt: '' } as const;
    await other.batches.put('b', batch);
    await notify({ ...listed, subscriptionId: 'subscription-2' }, { id: 'theirs' });
    await notify({ type: 'batchUpdated', resource: { id: 'b', type: 'BatchPayment' } }, { id: 'their-batch' });
    await notify({ ...listed, subscriptionId: 'nobodys' }, { id: 'kept' });
    expect((await other.webhooks.list()).map(({ id }) => id)).toEqual(['theirs']);
    expect(await other.batches.get('b')).toMatchObject({ ...batch, status: 'Completed' });
    expect((await unread()).map(({ id }) => id)).toEqual(['kept']);
  });

  it('stays unread until it is marked as read, by its id or with all others (behaviour 4.20)', async () => {
    const { server, notify, unread } = await notified();
    for (const id of ['a', 'b', 'c']) await notify(listed, { id });
    await server.done('setSetting', { body: { key: 'webhookData', value: '["b"]' } });
    expect((await unread()).map(({ id }) => id)).toEqual(['a', 'c']);
    await server.done('setSetting', { body: { key: 'webhookData', value: '' } });
    expect((await server.done('getSettings')).webhookData).toBe('');
    expect(await server.refused('setSetting', { body: { key: 'webhookData', value: 'x' } })).toMatchObject({
      status: 400,
    });
  });
});

describe('A debtor put', () => {
  const debtorId = randomUUID();
  const data = {
    debtorId,
    subscriptionId,
    debtorAccount: { name: 'Example & Co', identification: '12345678' },
    debtorAgent: { identification: '112233' },
    currency: 'GBP',
  };
  const decided = (status: string, errors?: object[]) => ({
    type: 'debtoraccountputs',
    subscriptionId,
    resource: { id: debtorId, type: 'DebtorAccount' },
    data: { debtorId, status, ...(errors && { errors }) },
  });

  it('is pending until its webhook; the accepted debtor is stored until its deletion is accepted (wire 11.1)', async () => {
    const { server, notify } = await notified();
    const state = async () => (await server.done('getMessage', { params: { resourceId: debtorId } })).data.state;
    await server.done('putDebtor', { body: { data } });
    expect(await state()).toBe('waiting');
    expect((await server.done('getDebtors')).data).toEqual([]);

    await notify(decided('Accepted'));
    expect(await state()).toBe('accepted');
    expect((await server.done('getDebtors')).data).toEqual([
      {
        debtorId,
        subscriptionId,
        debtorAccountname: 'Example & Co',
        debtorAgentidentification: '112233',
        debtorAccountidentification: '12345678',
        currency: 'GBP',
      },
    ]);

    await server.done('deleteDebtor', { body: { data: { subscriptionId, debtorId } } });
    expect(await state()).toBe('waiting');
    await notify({ ...decided('Accepted'), type: 'debtoraccountdeletes' });
    expect(await state()).toBe('accepted');
    expect((await server.done('getDebtors')).data).toEqual([]);
  });

  it('that is refused reports the reason and stores no debtor', async () => {
    const { server, notify } = await notified();
    await server.done('putDebtor', { body: { data } });
    await notify(decided('Rejected', [{ path: 'currency', message: 'must be EUR' }]));
    expect((await server.done('getMessage', { params: { resourceId: debtorId } })).data).toMatchObject({
      state: 'refused',
      detail: 'currency: must be EUR',
    });
    expect((await server.done('getDebtors')).data).toEqual([]);
  });

  it('stays decided if it is resent after a lost response', async () => {
    const { server, service, notify } = await notified();
    service.scripts[endpoints.messaging] = (response) => void response.destroy();
    await server.refused('putDebtor', { body: { data }, key: 'key' });
    await notify(decided('Accepted'));
    const state = async () => (await server.done('getMessage', { params: { resourceId: debtorId } })).data.state;
    service.scripts[endpoints.messaging] = answering({ title: 'Unauthorised', status: 401, code: 'No' }, 401);
    await server.refused('putDebtor', { body: { data }, key: 'key' });
    expect(await state()).toBe('accepted');
    service.scripts[endpoints.messaging] = (response) => void response.writeHead(202).end();
    await server.done('putDebtor', { body: { data }, key: 'key' });
    expect(await state()).toBe('accepted');
  });

  it('is not decided by a webhook about another kind of message (threat 5.4)', async () => {
    const { server, notify } = await notified();
    await server.done('putDebtor', { body: { data } });
    await notify({ ...decided('Accepted'), type: 'debtoraccountdeletes' });
    expect((await server.done('getMessage', { params: { resourceId: debtorId } })).data.state).toBe('waiting');
  });
});
