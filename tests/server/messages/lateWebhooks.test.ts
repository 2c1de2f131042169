import { describe, expect, it } from 'vitest';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';

const type = 'debtoraccountlistqueryresponses';
const before = (seconds: number) => new Date(Date.now() - seconds * 1000);
const named = (name: string) => ({ debtors: [{ debtorId: 'd', debtorAccount: { name, identification: '1' } }] });

async function asking() {
  const { server, notify } = await notified();
  const ask = async () => (await server.done('queryDebtors', { body: { data: { subscriptionId } } })).messageId;
  const list = (name: string, at: Date, interactionId?: string) =>
    notify({ type, subscriptionId, data: named(name), ...(interactionId && { interactionId }) }, { at });
  const debtor = async () => (await server.done('getDebtors')).data.map(({ debtorAccountname }) => debtorAccountname);
  return { server, notify, ask, list, debtor };
}

describe('A list of debtors that arrives late', () => {
  it('replaces that of a query that was sent earlier, and none of one that was sent later (behaviour 4.48)', async () => {
    const { server, ask, list, debtor } = await asking();
    const [first, second, third] = [await ask(), await ask(), await ask()];
    await list('new', before(20), second);
    await list('old', before(10), first);
    expect(await debtor()).toEqual(['new']);
    await list('newest', before(5), third);
    expect(await debtor()).toEqual(['newest']);
    const { data } = await server.done('getMessage', { params: { resourceId: first } });
    expect([data.state, JSON.stringify(data.webhook?.data)]).toEqual(['accepted', expect.stringContaining('old')]);
  });

  it.each([
    [20, 10, 'second'],
    [10, 20, 'first'],
    [10, 10, 'second'],
  ])('without a query counts by its own time: %i s, then %i s ago (behaviour 4.48)', async (one, other, expected) => {
    const { list, debtor } = await asking();
    await list('first', before(one));
    await list('second', before(other));
    expect(await debtor()).toEqual([expected]);
  });
});

it('A list that was sent earlier and arrives later adds the debtors that no later list contained (behaviour 4.48)', async () => {
  const { server, notify } = await asking();
  const lists = (ids: string[], name: string, at: Date) =>
    notify(
      {
        type,
        subscriptionId,
        data: { debtors: ids.map((debtorId) => ({ debtorId, debtorAccount: { name, identification: debtorId } })) },
      },
      { at },
    );
  await lists(['b', 'c'], 'second page', before(10));
  await lists(['a', 'b'], 'first page', before(20));
  await lists(['__proto__', 'c'], 'third page', before(30));
  const { data } = await server.done('getDebtors');
  expect(data.map(({ debtorId, debtorAccountname }) => [debtorId, debtorAccountname]).sort()).toEqual([
    ['__proto__', 'third page'],
    ['a', 'first page'],
    ['b', 'second page'],
    ['c', 'second page'],
  ]);
});

const creditorId = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';

describe('A report that a creditor waits for authorisation', () => {
  const link = (path: string) => `http://provider.test/${path}`;
  it.each([
    [20, 10, 'second'],
    [10, 20, 'first'],
  ])('counts by its own time: %i s, then %i s ago (behaviour 4.48)', async (one, other, expected) => {
    const { server, notify } = await asking();
    const data = { creditorId, subscriptionId, creditor: { name: 'Paper' } };
    const { messageId } = await server.done('putCreditor', { body: { data } }); // enough of a creditor
    for (const [path, seconds] of [
      ['first', one],
      ['second', other],
    ] as const) {
      const report = { creditorId, status: `Awaiting ${path}`, links: { authorise: link(path) } };
      await notify({ type: 'creditorputs', subscriptionId, data: report }, { at: before(seconds) });
    }
    const message = (await server.done('getMessage', { params: { resourceId: messageId } })).data;
    expect([message.state, message.status, message.authorise]).toEqual([
      'waiting',
      `Awaiting ${expected}`,
      link(expected),
    ]);
    await notify(
      { type: 'creditorputs', subscriptionId, data: { creditorId, status: 'Completed' } },
      { at: before(30) },
    );
    expect((await server.done('getMessage', { params: { resourceId: messageId } })).data.state).toBe('accepted');
  });
});
