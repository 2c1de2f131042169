import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { usersEvents } from '#machines/lib/chartOf.ts';
import { descriptionOf } from '#machines/lib/state.ts';
import { creditorQueryMachine, debtorQueryMachine } from '#machines/party/query.machine.ts';
import { creditor, debtor, failure } from '#tests/support/fixtures.ts';
import { listOf, messageOf } from '#tests/support/messages.ts';
import {
  accepted,
  elsewhere,
  beginCreditorQuery,
  openCreditorQuery,
  openDebtorQuery,
  refused,
  sent,
  waits,
} from '#tests/support/party.ts';

const other = { ...creditor, creditorId: 'creditor-2' };
const query = messageOf({ messageId: 'query-1', kind: 'creditorlistqueries' });
const deletion = messageOf({ messageId: 'deletion-1', kind: 'creditordeletes', resourceId: creditor.creditorId });
const lost = messageOf({ messageId: 'put-1', kind: 'creditorputs', forwarded: false });
const retry = { type: 'retry' } as const;
const asks = { type: 'query.send' } as const;
const deletes = (id: string) => ({ type: 'party.delete', id }) as const;

type Running = Awaited<ReturnType<typeof openCreditorQuery>>;

/** What of these ways is offered. */
const offered = ({ now }: Running, id = other.creditorId) =>
  [asks, deletes(id), retry, { type: 'answer.leave' } as const, { type: 'form.cancel' } as const]
    .filter((event) => now().can(event))
    .map(({ type }) => type);

const deleting = async (running: Running, id = creditor.creditorId) => {
  await running.send(deletes(id));
  await running.send({ type: 'delete.confirm' });
  return running;
};

const unanswered = async (running: Running) => {
  await running.pass(webhookPollInterval);
  await running.refuse('askOutcome', failure);
  return running;
};

const known = [creditor, other];

/** Each state of the page in which something has failed. */
const reached = {
  unavailable: async (problem = failure) => {
    const running = beginCreditorQuery();
    await running.refuse('loadQuery', problem);
    return running;
  },
  'list.uncleared': async (problem = failure) => {
    const running = await openCreditorQuery([], query);
    await running.hear(listOf({ creditors: known }));
    await running.refuse('clearAnswer', problem);
    return running;
  },
  'list.unresent': async (problem = failure) => {
    const running = await openCreditorQuery([lost]);
    await running.send({ type: 'message.sendAgain', id: 'put-1' });
    await running.refuse('sendAgain', problem);
    return running;
  },
};

describe.each(['unavailable', 'list.uncleared', 'list.unresent'] as const)('creditors in the state %s', (state) => {
  it.each([
    ['offer a retry of what failed on the way', failure, true],
    ['offer no retry of what was forbidden', { ...failure, code: 'forbidden' as const }, false],
  ])('%s (behaviour 10.2.5)', async (_, problem, isOffered) => {
    const { at, now } = await reached[state](problem);
    expect([at(), now().can(retry), now().hasTag('failed')]).toEqual([state, isOffered, true]);
  });
});

it('creditors that could not be read can be left or read again', async () => {
  const { send, at, asked, now } = await reached.unavailable();
  await send(retry);
  expect([at(), asked('loadQuery').length, now().context.failure]).toEqual(['loading', 2, null]);
  const left = await reached.unavailable();
  await left.send({ type: 'form.cancel' });
  expect(left.now().output).toEqual({ type: 'cancelled' });
});

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

  it.each([asks, retry])('that was not sent shows that until %o begins another one', async (event) => {
    const { send, refuse, at, now, actor } = await openCreditorQuery([], null, known);
    await send(asks);
    await refuse('send', failure);
    expect([at(), now().context.failure, now().hasTag('failed')]).toEqual(['list.unlisted', failure, true]);
    const shown: unknown[] = [];
    actor.subscribe(({ value, context }) => value === 'querying' && shown.push(context.failure));
    await send(event);
    expect([at(), new Set(shown)]).toEqual(['querying.sending', new Set([null])]);
  });

  it('says why it was not sent, also after an earlier failure', async () => {
    const { send, refuse, at, now, answer, hear } = await openCreditorQuery([], null, known);
    await send(asks);
    await refuse('send', failure);
    expect([at(), now().context.failure]).toEqual(['list.unlisted', failure]);
    await send(asks);
    await answer('send', sent('query-2'));
    await hear(refused);
    expect(now().context.failure).toMatchObject({ code: 'upstream-refused', detail: refused.detail });
  });

  it('is sent anew when it is unanswered, without the failure in any moment', async () => {
    const running = await openCreditorQuery([], query, known);
    await unanswered(running);
    const shown: unknown[] = [];
    running.actor.subscribe(({ value, context }) => value === 'querying' && shown.push(context.failure));
    await running.send(asks);
    expect([running.at(), new Set(shown)]).toEqual(['querying.sending', new Set([null])]);
  });
});

it('creditors keep the newest facts', async () => {
  const { send, now } = await openCreditorQuery();
  await send({ type: 'facts.arrived', facts: elsewhere });
  expect(now().context.facts).toBe(elsewhere);
});

describe('a deletion that is under way', () => {
  it('is not left before the service has it, and makes way for others once its answer cannot be read', async () => {
    const running = await deleting(await openCreditorQuery([], null, known));
    expect([running.at(), offered(running)]).toEqual(['deleting.sending', []]);
    await running.answer('send', sent('deletion-1'));
    expect([running.at(), offered(running)]).toEqual(['deleting.waiting', ['answer.leave', 'form.cancel']]);
    await unanswered(running);
    expect(offered(running)).toEqual(['query.send', 'party.delete', 'retry', 'form.cancel']);
    expect(offered(running, 'unknown')).not.toContain('party.delete');
  });

  it('can be left for the list, and the whole page with it', async () => {
    const running = await deleting(await openCreditorQuery([], null, known));
    await running.answer('send', sent('deletion-1'));
    await running.send({ type: 'answer.leave' });
    expect(running.at()).toBe('list.ready');
    const other = await deleting(await openCreditorQuery([], null, known));
    await other.answer('send', sent('deletion-1'));
    await other.send({ type: 'form.cancel' });
    expect(other.now().output).toEqual({ type: 'cancelled' });
  });

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

  it('may be confirmed or dismissed', async () => {
    const { send, at, asked } = await openCreditorQuery([], null, known);
    await send(deletes(other.creditorId));
    expect(at()).toBe('confirming');
    await send({ type: 'delete.dismiss' });
    expect([at(), asked('send')]).toEqual(['list.ready', []]);
  });
});

describe('a lost message that is resent from the list', () => {
  it('is named while it is resent, without an earlier failure in any moment', async () => {
    const { send, actor, message, now } = await reached['list.unresent']();
    const shown: unknown[] = [];
    actor.subscribe(({ value, context }) => value === 'resending' && shown.push(context.failure));
    await send(retry);
    expect([message().messageId, now().context.invoked?.value, new Set(shown)]).toEqual([
      'put-1',
      'resending',
      new Set([null]),
    ]);
  });

  it('is resent only while its outcome is unknown', async () => {
    const { now } = await openCreditorQuery([lost, { ...lost, messageId: 'put-2', forwarded: true }]);
    const again = (id: string) => now().can({ type: 'message.sendAgain', id });
    expect(['put-1', 'put-2', 'put-3'].map(again)).toEqual([true, false, false]);
  });
});

describe('the query and deletion of debtors', () => {
  it('name debtors in the request, and find the row by its own id', async () => {
    const { send, asked, at, answer, hear, now } = await openDebtorQuery([debtor, { ...debtor, debtorId: 'debtor-2' }]);
    await send(deletes('unknown'));
    expect(at()).toBe('list.ready');
    await send(deletes(debtor.debtorId));
    await send({ type: 'delete.confirm' });
    const party = { party: 'debtor', subscriptionId: 'subscription-1' };
    expect(asked('send')).toEqual([{ request: 'delete', ...party, id: debtor.debtorId }]);
    await answer('send', sent('deletion-1'));
    await hear(accepted);
    expect(now().context.parties).toMatchObject([{ debtorId: 'debtor-2' }]);
    await send(asks);
    expect(asked('send').at(-1)).toEqual({ request: 'query', ...party, lostQuery: '' });
    await answer('send', sent('query-1'));
    await hear(listOf({ debtors: [debtor] }));
    expect(now().context.parties).toEqual([debtor]);
  });

  it.each([
    [debtorQueryMachine, 'debtors'],
    [creditorQueryMachine, 'creditors'],
  ])('%# are told in the words of their records', (machine, many) => {
    expect(usersEvents(machine).get('query.send')).toContain(`Press “Query ${many}”`);
    const told = (value: object | string) =>
      descriptionOf(machine.resolveState({ value, context: { invoked: null } } as never)); // a description depends on the state only
    expect([told('loading'), told('unavailable'), told({ list: 'ready' })]).toEqual([
      `Reads the known ${many} and the pending messages`,
      `The known ${many} could not be read`,
      `The known ${many} are shown; the provider can be asked`,
    ]);
  });
});
