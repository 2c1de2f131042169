import { describe, expect, it } from 'vitest';
import { creditor, failure } from '#tests/support/fixtures.ts';
import { listOf } from '#tests/support/messages.ts';
import { accepted, elsewhere, openCreditorQuery, refused, sent } from '#tests/support/party.ts';

async function askCreditors() {
  const running = await openCreditorQuery();
  await running.send({ type: 'query.send' });
  return running;
}

const other = { ...creditor, creditorId: 'creditor-2' };
const list = listOf({ creditors: [creditor, other] }, 'webhook-7');

async function listCreditors() {
  const running = await askCreditors();
  await running.answer('send', sent('query-1'));
  await running.hear(list);
  await running.answer('clearAnswer');
  const remove = async (id: string) => {
    await running.send({ type: 'party.delete', id });
    await running.send({ type: 'delete.confirm' });
  };
  return { ...running, remove };
}

describe('the query of creditors', () => {
  it('and a deletion are for the subscription for which the page was opened', async () => {
    const { send, asked, remove } = await listCreditors();
    await send({ type: 'facts.arrived', facts: elsewhere });
    await remove(creditor.creditorId);
    expect(asked('send').at(-1)).toEqual({
      request: 'delete',
      party: 'creditor',
      subscriptionId: 'subscription-1',
      id: 'creditor-1',
    });
  });
});

describe('the deletion of a creditor', () => {
  it('is sent after a confirmation, and removes the row once the provider has accepted', async () => {
    const { answer, send, hear, asked, now, told } = await listCreditors();
    await send({ type: 'party.delete', id: other.creditorId });
    expect(asked('send')).toHaveLength(1);
    await send({ type: 'delete.confirm' });
    await answer('send', sent('deletion-1'));
    expect(now().context.parties).toHaveLength(2);
    await hear(accepted);
    expect(now()).toMatchObject({ value: { list: 'listing' }, context: { parties: [creditor] } });
    expect(told()).toBe(2);
  });

  it('keeps all rows if the provider refuses, and another existing row can be deleted', async () => {
    const { answer, send, hear, at, now, remove, pending } = await listCreditors();
    await remove(creditor.creditorId);
    await answer('send', sent('deletion-1'));
    await hear(refused);
    expect(now()).toMatchObject({ value: { list: 'refused' }, context: { parties: [creditor, other] } });
    expect(now().context.failure).toMatchObject({ code: 'upstream-refused', detail: refused.detail });
    await send({ type: 'party.delete', id: 'unknown' });
    expect(at()).toBe('list.refused');
    await remove(other.creditorId);
    expect(now().context.failure).toBeNull();
    expect(pending('send').input).toMatchObject({ id: other.creditorId });
  });
});

describe('a retry on the creditors page', () => {
  it('resends a query with a lost response, and sends a new one if that is impossible', async () => {
    const { refuse, send, pending, answer, message, now } = await askCreditors();
    const lost = { ...failure, outcome: 'unknown' as const, messageId: 'query-1' };
    const sends = async (type: 'retry' | 'query.send', lostQuery: string) => {
      await send({ type });
      expect(pending('send').input).toMatchObject({ request: 'query', subscriptionId: 'subscription-1', lostQuery });
      expect(now().context.failure).toBeNull();
    };
    await refuse('send', failure);
    await sends('retry', '');
    await refuse('send', lost);
    await sends('retry', 'query-1');
    await refuse('send', lost);
    await sends('query.send', 'query-1');
    await refuse('send', { ...failure, outcome: 'not-sent' });
    await sends('retry', 'query-1');
    await refuse('send', { ...lost, code: 'outcome-unknown' });
    await sends('query.send', '');
    await refuse('send', lost);
    await sends('retry', 'query-1');
    await answer('send', sent('query-1'));
    expect([message().messageId, now().context.lostQuery]).toEqual(['query-1', '']);
  });
});
