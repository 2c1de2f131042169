import { describe, expect, it } from 'vitest';
import type { JsonObject } from '#contract/json.ts';
import { applyAnswer } from '#server/messages/applyAnswer.ts';
import type { Message } from '#server/messages/records.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { silent, testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { testStore } from '#tests/support/store.ts';

const subscriptionId = 's';
const type = 'debtoraccountlistqueryresponses';
const party = (debtorId: string, more: object = {}) => ({
  debtorId,
  debtorAccount: { name: 'Payer', identification: '1' },
  ...more,
});

/** A console with a subscription, whose webhooks are authenticated by the agreed header alone and have no id. */
async function connected() {
  const header = { name: 'x-agreed', value: 'agreed value' };
  const service = await fakeUpstream({ [endpoints.messaging]: answering({}, 202) });
  const server = await testConsole({ upstreamUrl: service.url, changes: { webhook: { header } } });
  await server.store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k', subscriptionId });
  await server.store.subscriptions.put(subscriptionId, {
    subscriptionId,
    providerId: 'p',
    status: 'Authorised',
    suspended: false,
    useMock: 'true',
  });
  const notify = async (body: unknown) => {
    const headers = { 'content-type': 'application/json', [header.name]: header.value };
    return (await fetch(`${server.url}/notifications`, { method: 'POST', body: JSON.stringify(body), headers })).status;
  };
  const ask = async () => (await server.done('queryDebtors', { body: { data: { subscriptionId } } })).messageId;
  const answerTo = (resourceId: string) => server.done('getMessage', { params: { resourceId } });
  const debtors = async () => (await server.done('getDebtors')).data;
  const unread = async () => (await server.store.webhooks.list()).filter((each) => each.unread).map(({ data }) => data);
  return { ...server, notify, ask, answerTo, debtors, unread };
}

describe('The webhook that answers a debtor query', () => {
  it.each([
    ['debtors', { debtors: [party('d')] }],
    ['nothing', [party('d')]],
    ['debtorAccounts', { debtorAccounts: [party('d')], links: null, errors: [] }],
    ['the only list', { total: 1, items: [party('d')] }],
    ['data', { data: [party('d')] }],
    ['data.debtors', { status: 'Completed', data: { debtors: [party('d')] } }],
    ['debtors besides others', { creditors: [{ creditorId: 'c' }], debtors: [party('d')] }],
  ])('may have its list under %s', async (_, data) => {
    const { ask, answerTo, debtors, notify } = await connected();
    const id = await ask();
    expect(await notify({ type, subscriptionId, data })).toBe(204);
    const { data: answer, ...more } = await answerTo(id);
    expect(answer.state).toBe('accepted');
    expect(answer.webhook?.data).toMatchObject({ debtors: [party('d', { subscriptionId })] });
    expect(more).toEqual({});
    expect(await debtors()).toMatchObject([{ debtorId: 'd', debtorAccountname: 'Payer', subscriptionId }]);
  });

  it('is read without unreadable elements, which are reported; numbers become strings (wire 6.1.3)', async () => {
    const { ask, answerTo, debtors, notify } = await connected();
    const id = await ask();
    const odd = party('e', {
      debtorAccount: { identification: 12345678, name: null },
      debtorAgent: 'none',
      currency: null,
    });
    await notify({
      type,
      subscriptionId: null,
      resource: { id: subscriptionId },
      data: { list: [null, {}, party('d'), odd, party('d'), party('')] },
    });
    const { data, skipped } = await answerTo(id);
    expect(data.state).toBe('accepted');
    expect(skipped?.map(({ path }) => path)).toEqual([
      'data.list.0',
      'data.list.1',
      'data.list.3.debtorAccount.identification',
      'data.list.3.debtorAgent',
      'data.list.4',
    ]);
    expect(await debtors()).toMatchObject([
      { debtorId: 'd' },
      { debtorId: 'e', debtorAccountidentification: '12345678', debtorAccountname: '', currency: '' },
    ]);
  });

  it.each([[{}], [null], [[]], [{ debtors: null }], [{ debtors: [] }]])('may have no debtors: %j', async (data) => {
    const { ask, answerTo, notify } = await connected();
    const id = await ask();
    expect(await notify({ type, subscriptionId, data })).toBe(204);
    expect((await answerTo(id)).data).toMatchObject({ state: 'accepted', webhook: { type } });
  });

  it('leaves the query pending while its status is Pending', async () => {
    const { ask, answerTo, notify } = await connected();
    const id = await ask();
    await notify({ type, subscriptionId, data: { status: 'Pending' } });
    expect((await answerTo(id)).data).toMatchObject({ state: 'waiting', status: 'Pending' });
    await notify({ type, subscriptionId, data: [party('d')] });
    expect((await answerTo(id)).data.state).toBe('accepted');
  });
});

describe('A redelivered query result', () => {
  it('does not restore debtors deleted since (behaviour 4.22)', async () => {
    const store = await testStore();
    const tell = (id: string, told: string, data: unknown) =>
      applyAnswer({ store, log: silent }, { id, type: told, subscriptionId, data: data as JsonObject, receivedAt: '' }); // as JSON
    const send = (messageId: string, kind: Message['kind'], resourceId: string) =>
      store.messages.put(messageId, keptMessage({ messageId, kind, resourceId, subscriptionId }));
    const debtors = async () => (await store.debtors.list()).map(({ debtorId }) => debtorId);
    const list = { debtors: [party('d'), party('e')] };

    await send('query', 'debtoraccountlistqueries', subscriptionId);
    await tell('answer', type, list);
    expect(await debtors()).toEqual(['d', 'e']);
    await send('deletion', 'debtoraccountdeletes', 'd');
    await tell('deleted', 'debtoraccountdeletes', { debtorId: 'd', status: 'Accepted' });
    expect(await debtors()).toEqual(['e']);
    await tell('answer', type, list);
    expect(await debtors()).toEqual(['e']);
  });
});

describe('Debtor queries of two tabs', () => {
  const list = (debtorId: string, more: object = {}) => ({ type, subscriptionId, data: [party(debtorId)], ...more });
  const read = async (done: Awaited<ReturnType<typeof connected>>['done'], id: string) =>
    done('setSetting', { body: { key: 'webhookData', value: JSON.stringify([id]) } });
  const idsIn = (webhook?: { data?: unknown }) =>
    (webhook?.data as { debtors: { debtorId: string }[] } | undefined)?.debtors.map(({ debtorId }) => debtorId);

  it('get their own lists by interaction id, in whatever order the webhooks arrive', async () => {
    const { ask, answerTo, notify } = await connected();
    const [first, second] = [await ask(), await ask()];
    await notify(list('of the second', { interactionId: second }));
    expect((await answerTo(first)).data).toMatchObject({ state: 'waiting', unread: false });
    await notify(list('of the first', { interactionId: first }));
    expect(idsIn((await answerTo(first)).data.webhook)).toEqual(['of the first']);
    expect(idsIn((await answerTo(second)).data.webhook)).toEqual(['of the second']);
  });

  it('share a list without an interaction id, also after one of them has read it', async () => {
    const { ask, answerTo, done, notify, unread } = await connected();
    const ids = [await ask(), await ask()];
    await notify(list('d'));
    for (const id of ids) {
      const { data } = await answerTo(id);
      expect(idsIn(data.webhook)).toEqual(['d']);
      await read(done, data.webhook!.id); // listed above
    }
    expect(await unread()).toEqual([]);
  });

  it('ignore a list received before they were sent, even if it is unread', async () => {
    const { ask, answerTo, notify, unread } = await connected();
    const before = await ask();
    await notify(list('before'));
    const after = await ask();
    expect((await answerTo(after)).data).toMatchObject({ state: 'waiting', unread: false });
    expect((await answerTo(after)).data).not.toHaveProperty('webhook');
    expect((await answerTo(before)).data).toMatchObject({ state: 'accepted', unread: true });
    await notify(list('after', { interactionId: after }));
    expect(idsIn((await answerTo(after)).data.webhook)).toEqual(['after']);
    expect(idsIn((await answerTo(before)).data.webhook)).toEqual(['before']);
    expect(await unread()).toHaveLength(2);
  });

  it('are listed with whether their list is unread (behaviour 4.21)', async () => {
    const { ask, answerTo, done, notify } = await connected();
    const queries = async () =>
      (await done('listMessages', { query: { kind: 'debtoraccountlistqueries', subscriptionId } })).data;
    const id = await ask();
    expect(await queries()).toMatchObject([{ messageId: id, state: 'waiting', unread: false }]);
    await notify(list('d'));
    expect(await queries()).toMatchObject([{ messageId: id, state: 'accepted', unread: true }]);
    await read(done, (await answerTo(id)).data.webhook!.id); // it has come
    expect(await queries()).toMatchObject([{ messageId: id, state: 'accepted', unread: false }]);
  });
});

describe('A repeated webhook without an id', () => {
  it('takes effect again only for a query sent since (wire 6.3.5)', async () => {
    const { ask, answerTo, debtors, notify, unread, store } = await connected();
    const first = { type, subscriptionId, data: [party('d')] };
    await ask();
    await notify(first);
    await store.debtors.put('d', { ...(await store.debtors.get('d'))!, debtorAccountname: 'Changed' });
    await notify(first);
    await notify([first]);
    expect((await debtors())[0]?.debtorAccountname).toBe('Changed');
    expect(await unread()).toHaveLength(1);
    const again = await ask();
    await notify(first);
    expect((await answerTo(again)).data.state).toBe('accepted');
    expect((await debtors())[0]?.debtorAccountname).toBe('Payer');
  });
});
