import { describe, expect, it } from 'vitest';
import { createHmac, randomUUID } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { systemClock } from '#server/clock.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { authenticity } from '#server/webhooks/authentic.ts';
import { testConsole } from '#tests/support/console.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { notified as consoleNotified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';
import { timelineOf } from '#tests/support/knownRecords.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const secret = 'whsec_c2VjcmV0';
const header = { name: 'x-agreed', value: 'agreed value' };
const ids = ['one', 'two', 'three'];
const hint = (id: string, more: object = {}) => ({
  type: 'subscriptionUpdated',
  resource: { id, type: 'Subscription' },
  ...more,
});
const news = (text: string) => ({ type: 'somethingElse', resource: null, data: { text } });

async function notified(webhook: UpstreamConfig['webhook']) {
  const service = await fakeUpstream(
    Object.fromEntries(
      ids.map((subscriptionId) => [
        `${endpoints.subscriptions}/${subscriptionId}`,
        answering({ data: { subscriptionId, providerId: 'p', status: 'Authorised' } }),
      ]),
    ),
  );
  const server = await testConsole({ upstreamUrl: service.url, changes: { webhook } });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k' });
  const record = { providerId: 'p', status: 'Received', suspended: false, useMock: 'true' };
  for (const subscriptionId of ids) await server.store.subscriptions.put(subscriptionId, { ...record, subscriptionId });

  async function notify(
    body: unknown,
    { signed = false, agreed = '', id }: { signed?: boolean; agreed?: string; id?: string } = {},
  ) {
    const { status } = await deliver(server.url, JSON.stringify(body), {
      secret: signed ? secret : '',
      agreed: agreed ? { [header.name]: agreed } : {},
      ...(id !== undefined && { id }),
    });
    return status;
  }
  const statuses = async () =>
    (await Promise.all(ids.map((id) => server.store.subscriptions.get(id)))).map((each) => each?.status);
  const unread = async () => (await server.store.webhooks.list()).map(({ data }) => data);
  return { server, service, notify, statuses, unread };
}

describe('A webhook is authentic', () => {
  it.each([
    ['by the agreed header alone', { header }, { agreed: header.value }],
    ['by its signature alone', { secret }, { signed: true }],
    ['by both', { secret, header }, { agreed: header.value, signed: true }],
  ])('%s', async (_, configured, right) => {
    const { notify, statuses } = await notified(configured);
    for (const wrong of [
      {},
      { agreed: 'guessed' },
      ...('secret' in configured ? [{ agreed: header.value }] : []),
      ...('header' in configured ? [{ signed: true }, { signed: true, agreed: 'guessed' }] : []),
    ])
      expect(await notify(hint('one'), wrong)).toBe(403);
    expect(await statuses()).toEqual(['Received', 'Received', 'Received']);
    expect(await notify(hint('one'), right)).toBe(204);
    expect(await statuses()).toEqual(['Authorised', 'Received', 'Received']);
  });

  it('under no circumstances without a configured secret or header (threat 5.1)', () => {
    expect(() => authenticity({}, systemClock)).toThrow('Webhooks need a secret or an agreed header.');
  });
});

describe('A delivery of several events', () => {
  it('is refused with 413 and without effect if it has more than 2,000 (threat 5.7)', async () => {
    const { notify, statuses } = await notified({ secret });
    const events = Array.from({ length: 2001 }, () => hint('one'));
    expect(await notify(events, { signed: true })).toBe(413);
    expect(await statuses()).toEqual(['Received', 'Received', 'Received']);
  });

  it.each([
    ['a list', (events: unknown[]) => events],
    ['the member events', (events: unknown[]) => ({ events })],
  ])('as %s has each event applied once, in any order (wire 6.3.3)', async (_, form) => {
    const { notify, statuses, unread, service } = await notified({ secret });
    const events = [news('first'), hint('three'), hint('one'), news('second'), hint('two')];
    expect(await notify(form(events), { signed: true, id: 'delivery' })).toBe(204);
    expect(await notify(form(events.toReversed()), { signed: true, id: 'delivery' })).toBe(204);
    expect(await statuses()).toEqual(['Authorised', 'Authorised', 'Authorised']);
    expect(await unread()).toEqual([{ text: 'first' }, { text: 'second' }]);
    expect(service.askedFor(endpoints.subscriptions)).toHaveLength(3);
  });

  it('has all other events applied if one fails, and that one when it is repeated', async () => {
    const { notify, statuses, service } = await notified({ header });
    const working = service.scripts[`${endpoints.subscriptions}/two`]!;
    service.scripts[`${endpoints.subscriptions}/two`] = answering({}, 500);
    const events = [hint('one'), hint('two'), hint('three')];
    expect(await notify(events, { agreed: header.value })).toBe(502);
    expect(await statuses()).toEqual(['Authorised', 'Received', 'Authorised']);
    service.scripts[`${endpoints.subscriptions}/two`] = working;
    expect(await notify(events, { agreed: header.value })).toBe(204);
    expect(await statuses()).toEqual(['Authorised', 'Authorised', 'Authorised']);
  });

  it('has unknown events stored, and the others applied', async () => {
    const { notify, statuses, unread } = await notified({ header });
    expect(
      await notify([7, hint('one', { subscriptionId: null, data: null }), { type: {} }], { agreed: header.value }),
    ).toBe(204);
    expect(await statuses()).toEqual(['Authorised', 'Received', 'Received']);
    expect(await unread()).toEqual([7, { type: {} }]);
    expect(await notify([], { agreed: header.value })).toBe(204);
    expect(await notify({ type: null }, { agreed: header.value })).toBe(400);
  });
});

it('A repeated delivery without an id changes nothing', async () => {
  const { notify, unread } = await notified({ header });
  for (let turn = 0; turn < 3; turn += 1) await notify(news('same'), { agreed: header.value });
  await notify([news('same'), news('other')], { agreed: header.value });
  expect(await unread()).toEqual([{ text: 'same' }, { text: 'other' }]);
});

it.each([
  ['resourceUpdated', { id: 'one', type: 'Subscription' }],
  ['subscription.updated', { id: 'one' }],
])('A webhook of an unknown type is applied by its resource: %s', async (type, resource) => {
  const { notify, statuses } = await notified({ header });
  expect(await notify({ type, resource, additionalData: {} }, { agreed: header.value })).toBe(204);
  expect(await statuses()).toEqual(['Authorised', 'Received', 'Received']);
});

it.each([[[]], [0], ['text'], [[{}]]])(
  'A webhook about a message with data that are no object is accepted: %j',
  async (data) => {
    const { notify } = await notified({ header });
    for (const type of ['creditorputs', 'updates', 'creditordeletes'])
      for (let turn = 0; turn < 2; turn += 1)
        expect(await notify({ type, data }, { agreed: header.value }), type).toBe(204);
  },
);

const { webhookSecret, webhookHeader } = sandboxCredentials;
const text = JSON.stringify({ type: 'creditorlistqueryresponses', subscriptionId, data: { name: 'Zoë' } });
const marked = Buffer.from(`\ufeff${text}`);
const key = Buffer.from(webhookSecret.replace('whsec_', ''), 'base64');

/** A console, and how to send it bytes; `over`: the bytes that are signed, by default those that are sent. */
async function receiving() {
  const { server, unread } = await consoleNotified();
  const send = async (bytes: Buffer, headers: Record<string, string> = {}, over = bytes) => {
    const [id, timestamp] = [randomUUID(), String(Math.floor(Date.now() / 1000))];
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(over).digest('base64');
    const signed = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
    const answer = await fetch(server.url + notificationsPath, {
      method: 'POST',
      body: Uint8Array.from(bytes),
      headers: { 'content-type': 'application/json', ...signed, [webhookHeader.name]: webhookHeader.value, ...headers },
    });
    const { detail = '' } = (answer.status === 204 ? {} : await answer.json()) as { detail?: string };
    return { status: answer.status, detail, headers: answer.headers };
  };
  const refused = async () =>
    [...(await timelineOf(server)).values()].filter(({ kind, status }) => kind === 'webhook' && status !== 204);
  return { send, unread, refused };
}

describe('the signature of a webhook', () => {
  it.each<[string, Buffer, Record<string, string>]>([
    ['gzip', gzipSync(text), { 'content-encoding': 'gzip' }],
    ['two codings', brotliCompressSync(gzipSync(text)), { 'content-encoding': 'gzip, br' }],
    ['a byte order mark', marked, {}],
    ['Latin-1', Buffer.from(text, 'latin1'), { 'content-type': 'application/json; charset=iso-8859-1' }],
    ['an event type of its own', Buffer.from(text), { 'content-type': 'application/cloudevents+json' }],
  ])('is checked over the bytes as received, which are then decoded: %s (wire 6.3.7)', async (_, bytes, headers) => {
    const { send, unread } = await receiving();
    expect(await send(bytes, headers)).toMatchObject({ status: 204, detail: '' });
    expect(await unread()).toMatchObject([{ data: { name: 'Zoë' } }]);
  });

  it('over other bytes is refused with the difference', async () => {
    const { send, unread } = await receiving();
    const { status, detail } = await send(gzipSync(text), { 'content-encoding': 'gzip' }, Buffer.from(text));
    expect([status, detail]).toEqual([403, expect.stringContaining('before it was compressed')]);
    expect(await unread()).toEqual([]);
  });

  it.each<[string, Buffer, Record<string, string>, number]>([
    ['no gzip', Buffer.from(text), { 'content-encoding': 'gzip' }, 400],
    ['zstd', Buffer.from(text), { 'content-encoding': 'zstd' }, 415],
    ['a bomb', gzipSync(Buffer.alloc(6_000_000)), { 'content-encoding': 'gzip' }, 413],
  ])('of a body that cannot be decoded is valid, and the reason is recorded: %s', async (_, bytes, headers, status) => {
    const { send, refused } = await receiving();
    const answer = await send(bytes, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('accept-encoding')).toBe(status === 415 ? 'gzip, deflate, br' : null);
    const reason = expect.stringMatching(/^The body cannot be read: it/) as string;
    expect(await refused()).toMatchObject([{ status, signature: 'valid', reason }]);
  });

  it('is checked before the body is decompressed (threat 5.1)', async () => {
    const { send } = await receiving();
    const bomb = gzipSync(Buffer.alloc(6_000_000));
    expect((await send(bomb, { 'content-encoding': 'gzip' }, Buffer.from('other'))).status).toBe(403);
  });
});
