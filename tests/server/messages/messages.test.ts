import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { endpoints } from '#tests/support/endpoints.ts';
import { bodyOf, creditorsOf, decided, messageOf, put } from '#tests/support/creditorMessages.ts';
import { answering } from '#tests/support/fakeUpstream.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';
import { temporaryFolder } from '#tests/support/store.ts';

describe('A pending message', () => {
  it('is listed page by page, newest first, also after a restart, and its webhook is applied there (behaviour 4.16, 4.20)', async () => {
    const folder = temporaryFolder();
    const before = await notified(folder);
    const ids: string[] = [];
    for (const name of ['A', 'B', 'C']) ids.unshift(await put(before, name, randomUUID()));
    const mine = await put(before, 'D');
    await before.server.storage.close();

    const after = await notified(folder);
    const list = (query: object) =>
      after.server.done('listMessages', { query: { state: 'waiting', kind: 'creditorputs', ...query } });
    const first = await list({ limit: '2' });
    expect(first).toMatchObject({ total: 4, data: [{ messageId: mine, name: 'D' }, { messageId: ids[0] }] });
    const second = await list({ limit: '2', after: first.next });
    expect(second.data.map(({ messageId }) => messageId)).toEqual(ids.slice(1));
    expect(second).not.toHaveProperty('next');

    await after.notify(decided('Accepted'));
    expect(await list({})).toMatchObject({ total: 3 });
    expect(await messageOf(after, mine)).toMatchObject({ state: 'accepted', status: 'Accepted', forwarded: true });
    expect(await creditorsOf(after)).toEqual(['D']);
  });

  it('is not stored if the service refused it', async () => {
    const console = await notified();
    console.service.scripts[endpoints.messaging] = answering({ title: 'No', status: 422, code: 'No' }, 422);
    await console.server.refused('putCreditor', { body: { data: bodyOf('A') } });
    expect(await console.server.done('listMessages')).toMatchObject({ total: 0 });
  });

  it('blocks an identical message, also one under another id if the request says so', async () => {
    const console = await notified();
    const { server, service, notify } = console;
    const messageId = await put(console, 'A');
    const again = (data: ReturnType<typeof bodyOf>, whilePending?: 'refuse' | 'send') =>
      server.call('putCreditor', { body: { data, ...(whilePending && { whilePending }) } });
    const problem = { code: 'message-pending', status: 409, messageId };
    expect(await again(bodyOf('A'))).toMatchObject({ problem });
    expect(await again(bodyOf('A', randomUUID()), 'refuse')).toMatchObject({ problem });
    expect(service.askedFor(endpoints.messaging)).toHaveLength(1);
    for (const reply of [again(bodyOf('A', randomUUID()), 'send'), again(bodyOf('B', randomUUID()), 'refuse')])
      expect(await reply).toMatchObject({ ok: true });
    await notify(decided('Accepted'));
    expect(await again(bodyOf('A', randomUUID()))).toMatchObject({ ok: true });
  });

  it.each([
    ['creditor', 'putCreditor', endpoints.messaging],
    ['debtor', 'putDebtor', endpoints.messaging],
  ] as const)(
    'about a %s blocks another one of the same name and account, whatever else it says (behaviour 4.65)',
    async (one, call, path) => {
      const { server, service } = await notified();
      const agent = { identification: '20-00-00' };
      const put = (account: object, more: object = {}, id: string = randomUUID()) =>
        server.call(call, {
          body: {
            whilePending: 'refuse',
            data: {
              subscriptionId,
              [`${one}Id`]: id,
              [`${one}Agent`]: agent,
              ...more,
              ...(one === 'creditor' && { creditor: { name: 'A' } }),
              [`${one}Account`]: { identification: '12345678', ...(one === 'debtor' && { name: 'A' }), ...account },
            } as never, // of one of the two
          },
        });
      const id = randomUUID();
      const first = await put({}, {}, id);
      expect(first).toMatchObject({ ok: true });
      const problem = { code: 'message-pending', messageId: first.ok && first.answer.messageId };
      const spelled = { [`${one}Agent`]: { identification: '200000' }, reference: 'other' };
      expect(await put({ identification: '1234 5678' }, spelled)).toMatchObject({ problem });
      expect(service.askedFor(path)).toHaveLength(1);
      // A change of the same one, and another account.
      expect(await put({}, spelled, id)).toMatchObject({ ok: true });
      expect(await put({ identification: '12345679' })).toMatchObject({ ok: true });
    },
  );

  it('is sent once by concurrent requests (threat 6.1)', async () => {
    const { server, service } = await notified();
    const replies = await Promise.all(
      Array.from({ length: 8 }, () =>
        server.call('putCreditor', { body: { data: bodyOf('A', randomUUID()), whilePending: 'refuse' } }),
      ),
    );
    expect(replies.filter(({ ok }) => ok)).toHaveLength(1);
    expect(service.askedFor(endpoints.messaging)).toHaveLength(1);
  });
});

describe('A second update of a subscription while the first is pending', () => {
  it('is refused unless sent deliberately, also if it differs (behaviour 4.28)', async () => {
    const { server, service, notify } = await notified();
    const update = (value: string, whilePending?: 'refuse' | 'send', id = subscriptionId) =>
      server.call('sendUpdate', {
        body: {
          data: { resource: 'Subscription', id, subscriptionId: id, properties: { a: value } },
          ...(whilePending && { whilePending }),
        },
      });
    const first = await update('1', 'refuse');
    const messageId = first.ok ? first.answer.messageId : '';
    const pending = { code: 'message-pending', status: 409, messageId };
    const same = await update('1', 'refuse');
    expect(same).toMatchObject({ problem: pending });
    expect(same.ok ? {} : same.problem).not.toHaveProperty('errors');
    expect(await update('2', 'refuse')).toMatchObject({
      problem: { ...pending, errors: [{ path: 'data.properties' }] },
    });
    expect(service.askedFor(endpoints.messaging)).toHaveLength(1);
    expect(await update('1', 'refuse', 'subscription-2')).toMatchObject({ ok: true });
    expect(await update('2', 'send')).toMatchObject({ ok: true });
    // Without `whilePending`, messages that differ are sent.
    expect(await update('3')).toMatchObject({ ok: true });
    expect(await update('3')).toMatchObject({ problem: { code: 'message-pending' } });
    for (let turn = 0; turn < 3; turn += 1)
      await notify({ type: 'updates', subscriptionId, resource: { id: subscriptionId }, data: { status: 'Accepted' } });
    expect(await update('4', 'refuse')).toMatchObject({ ok: true });
  });
});

describe('A webhook about a pending message', () => {
  it.each(['Pending', 'Received', 'AwaitingAuthorisation', 'Something New'])(
    'with the status %s creates no creditor; a later "Authorised" does',
    async (status) => {
      const console = await notified();
      const messageId = await put(console, 'A');
      await console.notify(decided(status));
      expect(await messageOf(console, messageId)).toMatchObject({ state: 'waiting', status });
      expect(await creditorsOf(console)).toEqual([]);
      await console.notify(decided('Authorised'));
      expect(await messageOf(console, messageId)).toMatchObject({ state: 'accepted', status: 'Authorised' });
      expect(await creditorsOf(console)).toEqual(['A']);
      expect(await console.unread()).toEqual([]);
    },
  );

  it.each([
    ['its own pages', (url: string) => `${url}/authorise/1`, true],
    ['anywhere else', () => 'https://elsewhere.example/authorise/1', false],
    ['a script', () => 'javascript:alert(1)', false],
  ])(
    'with an authorisation link to %s shows it, and offers it only at a provider’s origin (wire 6.2.1)',
    async (_, linkTo, followed) => {
      const console = await notified();
      const messageId = await put(console, 'A');
      const authorise = linkTo(console.service.url);
      const links = {
        authorise,
        authoriseIssuedAt: '2026-01-01T00:00:00Z',
        authoriseExpiresAt: '2026-01-01T01:00:00Z',
      };
      await console.notify(decided(undefined, {}, { links }));
      expect(await messageOf(console, messageId)).toMatchObject({
        state: 'waiting',
        authorise,
        authoriseExpiresAt: '2026-01-01T01:00:00Z',
        followed,
      });
      await console.notify(decided('Cancelled'));
      expect(await messageOf(console, messageId)).toMatchObject({ state: 'refused', authorise: '', followed: false });
    },
  );
});

it('Unread webhooks are listed page by page, newest first', async () => {
  const { server, notify } = await notified();
  for (const id of ['a', 'b', 'c']) await notify({ type: 'creditorputs', subscriptionId, data: {} }, { id });
  const first = await server.done('listWebhooks', { query: { limit: '2' } });
  expect(first).toMatchObject({ total: 3, lost: 0, data: [{ id: 'c' }, { id: 'b' }], next: 'b' });
  const last = await server.done('listWebhooks', { query: { limit: '2', after: 'b' } });
  expect(last.data.map(({ id }) => id)).toEqual(['a']);
  expect(await server.refused('listWebhooks', { query: { after: 'gone' } })).toMatchObject({ status: 400 });
});
