import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { creditor, failure } from '#tests/support/fixtures.ts';
import { listOf, messageOf } from '#tests/support/messages.ts';
import { accepted, openCreditorQuery, refused, sent, waits } from '#tests/support/party.ts';

const other = { ...creditor, creditorId: 'creditor-2' };
const query = messageOf({ messageId: 'query-1', kind: 'creditorlistqueries' });
const deletion = messageOf({ messageId: 'deletion-1', kind: 'creditordeletes', resourceId: creditor.creditorId });
const retry = { type: 'retry' } as const;
const asks = { type: 'query.send' } as const;
const deletes = (id: string) => ({ type: 'party.delete', id }) as const;

type Running = Awaited<ReturnType<typeof openCreditorQuery>>;

/** What of these ways is offered. */
const offered = ({ now }: Running, id = other.creditorId) =>
  [asks, deletes(id), retry, { type: 'answer.leave' } as const, { type: 'form.cancel' } as const]
    .filter((event) => now().can(event))
    .map(({ type }) => type);

const unanswered = async (running: Running) => {
  await running.pass(webhookPollInterval);
  await running.refuse('askOutcome', failure);
  return running;
};

const known = [creditor, other];

describe('a query that is under way', () => {
  it('is not left before the service has it, and not repeated before it is overdue', async () => {
    const running = await openCreditorQuery([], null, known);
    await running.send(asks);
    expect([running.at(), offered(running)]).toEqual(['querying.sending', []]);
    await running.answer('send', sent('query-1'));
    expect([running.at(), offered(running)]).toEqual(['querying.waiting', ['form.cancel']]);
    await unanswered(running);
    expect(offered(running)).toEqual(['query.send', 'party.delete', 'retry', 'form.cancel']);
    expect(offered(running, 'unknown')).not.toContain('party.delete');
  });

  it('of which only the end is known is read again for its list', async () => {
    const { at, hear, now, message } = await openCreditorQuery([], { ...query, state: 'accepted' });
    expect([at(), message()]).toMatchObject(['querying.waiting', { messageId: 'query-1', outcome: null }]);
    await hear(listOf({ creditors: [creditor] }));
    expect(now()).toMatchObject({ value: 'clearing', context: { parties: [creditor] } });
  });
});

describe('a deletion that is under way', () => {
  it('that is unanswered gives way to a new query, not to the one that was under way before', async () => {
    const running = await openCreditorQuery([deletion], query, known);
    await unanswered(running);
    await running.send(asks);
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
    await running.send(retry);
    expect([running.at(), running.asked('loadQuery')]).toMatchObject(['loading', [{}, {}]]);
  });
});
