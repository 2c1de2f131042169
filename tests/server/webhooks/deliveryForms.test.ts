import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { authenticity } from '#server/webhooks/authentic.ts';
import { testConsole } from '#tests/support/console.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

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
