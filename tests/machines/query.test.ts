import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { creditor, failure } from '#tests/support/fixtures.ts';
import { listOf, messageOf } from '#tests/support/messages.ts';
import { accepted, elsewhere, openCreditorQuery, refused, sent, waits } from '#tests/support/party.ts';

const other = { ...creditor, creditorId: 'creditor-2' };
const known = [creditor, other];
const query = messageOf({ messageId: 'query-1', kind: 'creditorlistqueries' });
const deletion = messageOf({ messageId: 'deletion-1', kind: 'creditordeletes', resourceId: creditor.creditorId });
const lost = (messageId: string) => messageOf({ messageId, kind: 'creditorputs', forwarded: false });

async function openList() {
  const running = await openCreditorQuery([], null, known);
  const remove = async (id: string) => {
    await running.send({ type: 'party.delete', id });
    await running.send({ type: 'delete.confirm' });
  };
  return { ...running, remove };
}

/** The page when the answer to its message could not be read. */
async function unanswered(...given: Parameters<typeof openCreditorQuery>) {
  const running = await openCreditorQuery(...given);
  await running.pass(webhookPollInterval);
  await running.refuse('askOutcome', failure);
  return running;
}

describe('the query of creditors', () => {
  it('and a deletion are for the subscription for which the page was opened', async () => {
    const { send, asked, remove } = await openList();
    await send({ type: 'facts.arrived', facts: elsewhere });
    await remove(creditor.creditorId);
    expect(asked('send').at(-1)).toEqual({
      request: 'delete',
      party: 'creditor',
      subscriptionId: 'subscription-1',
      id: 'creditor-1',
    });
  });

  it('is resent if its response was lost, and sent anew if that is impossible', async () => {
    const { refuse, send, pending, answer, message, now } = await openList();
    const lost = { ...failure, outcome: 'unknown' as const, messageId: 'query-1' };
    const sends = async (type: 'retry' | 'query.send', lostQuery: string) => {
      await send({ type });
      expect(pending('send').input).toMatchObject({ request: 'query', subscriptionId: 'subscription-1', lostQuery });
      expect(now().context.failure).toBeNull();
    };
    await send({ type: 'query.send' });
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

  it('of which only the end is known is read again for its list', async () => {
    const { at, hear, now, message } = await openCreditorQuery([], { ...query, state: 'accepted' });
    expect([at(), message()]).toMatchObject(['querying.waiting', { messageId: 'query-1', outcome: null }]);
    await hear(listOf({ creditors: [creditor] }));
    expect(now()).toMatchObject({ value: 'clearing', context: { parties: [creditor] } });
  });

  it('that was pending is not asked for again once the user has gone on to a deletion', async () => {
    const { send, at } = await unanswered([], query, [creditor]);
    await send({ type: 'party.delete', id: creditor.creditorId });
    await send({ type: 'delete.dismiss' });
    expect(at()).toBe('list.ready');
    await send({ type: 'query.send' });
    expect(at()).toBe('querying.sending');
  });
});

describe('the deletion of a creditor', () => {
  it('is sent after a confirmation, and removes the row once the provider has accepted', async () => {
    const { answer, send, hear, asked, now, told } = await openList();
    await send({ type: 'party.delete', id: other.creditorId });
    expect(asked('send')).toEqual([]);
    await send({ type: 'delete.confirm' });
    await answer('send', sent('deletion-1'));
    expect(now().context.parties).toHaveLength(2);
    await hear(accepted);
    expect(now()).toMatchObject({ value: { list: 'ready' }, context: { parties: [creditor] } });
    expect(told()).toBe(1);
  });

  it('keeps all rows if the provider refuses, and another existing row can be deleted', async () => {
    const { answer, send, hear, at, now, remove, pending } = await openList();
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

  it('that is unanswered gives way to a new query, not to the one that was under way before', async () => {
    const running = await unanswered([deletion], query, known);
    await running.send({ type: 'query.send' });
    expect([running.at(), running.pending('send').input]).toMatchObject(['querying.sending', { request: 'query' }]);
    expect(running.now().context.failure).toBe(null);
  });

  it('updates its message in the list, and removes it once accepted', async () => {
    const running = await openCreditorQuery([deletion], null, known);
    await running.hear({ ...waits, status: 'Pending' });
    expect(running.now().context.pending).toMatchObject([{ messageId: 'deletion-1', status: 'Pending' }]);
    await running.hear(accepted);
    expect(running.now().context).toMatchObject({ pending: [], parties: [other] });
  });

  it('whose row is no longer listed reads the page again on a retry', async () => {
    const running = await openCreditorQuery([deletion]);
    await running.hear(refused);
    expect([running.at(), running.now().hasTag('failed')]).toEqual(['list.refused', true]);
    await running.send({ type: 'retry' });
    expect([running.at(), running.asked('loadQuery')]).toMatchObject(['loading', [{}, {}]]);
  });
});

it('a creditor’s message whose response was lost is resent under its own id, of several the chosen one, until the service has it', async () => {
  const { send, refuse, answer, asked, at, now, told } = await openCreditorQuery([lost('put-1'), lost('put-2')]);
  await send({ type: 'message.sendAgain', id: 'put-2' });
  await refuse('sendAgain', failure);
  expect([at(), now().context.failure]).toEqual(['list.unresent', failure]);
  await send({ type: 'retry' });
  expect([at(), now().context.failure]).toEqual(['resending.resending', null]);
  await answer('sendAgain', { ...lost('put-2'), forwarded: true });
  expect(asked('sendAgain')).toEqual([{ messageId: 'put-2' }, { messageId: 'put-2' }]);
  expect(now().context.pending).toMatchObject([
    { messageId: 'put-1', forwarded: false },
    { messageId: 'put-2', forwarded: true },
  ]);
  expect([at(), now().context.invoked, told()]).toEqual(['list.ready', null, 1]);
});
