import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import type { Message } from '#contract/message.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { creditorQueryMachine } from '#machines/party/query.machine.ts';
import { factsAfter, withFacts } from '#tests/support/facts.ts';
import { live } from '#tests/support/live.ts';
import { creditor, failure, rules } from '#tests/support/material.ts';
import { listOf, messageOf } from '#tests/support/messages.ts';

const facts = factsAfter('authorisation');
const elsewhere = withFacts(facts, { settings: { ...facts.settings, subscriptionId: 'subscription-2' } });
const sent = (messageId: string) => ({ messageId, pending: false });
const accepted = { state: 'accepted', detail: '' };
const refused = { state: 'refused', detail: 'The account is closed' };
const waits = { state: 'waiting', detail: '' };

/** A running journey with short names for what the tests do and ask again and again. */
function begun<M extends typeof debtorMachine | typeof creditorQueryMachine>(machine: M, given = facts) {
  const running = live(machine, { input: { facts: given } as never }); // all journeys of the area begin so
  let told = 0;
  running.actor.on('facts.changed', () => (told += 1));
  return {
    ...running,
    told: () => told,
    now: () => running.actor.getSnapshot() as ReturnType<M['getInitialSnapshot']>, // of this machine
    asked: (name: string) => running.calls.filter(({ port }) => port === name).map(({ input }) => input),
    /** The provider's answer to the message that is followed. */
    hear: async (outcome: object) => {
      await running.pass(webhookPollInterval);
      await running.answer('askOutcome', outcome);
    },
  };
}

async function openDebtor(pending: Message[] = []) {
  const running = begun(debtorMachine);
  await running.answer('loadRules', { rules, pending });
  return running;
}

async function putDebtor(running = openDebtor()) {
  const { send } = await running;
  await send({ type: 'form.change', field: 'debtorAccount.name', value: 'Example Trading Ltd' });
  await send({ type: 'form.change', field: 'debtorAgent.identification', value: '200000' });
  await send({ type: 'form.submit' });
  return running;
}

async function openQuery(pending: Message[] = []) {
  const running = begun(creditorQueryMachine);
  await running.answer('loadQuery', { pending, asked: null });
  return running;
}

async function askCreditors() {
  const running = await openQuery();
  await running.send({ type: 'query.send' });
  return running;
}

const other = { ...creditor, creditorId: 'creditor-2' };
const list = listOf({ creditors: [creditor, other] }, 'webhook-7');

async function listCreditors() {
  const running = await askCreditors();
  await running.answer('sendQuery', { messageId: 'query-1' });
  await running.hear(list);
  await running.answer('clearAnswer');
  const remove = async (id: string) => {
    await running.send({ type: 'party.delete', id });
    await running.send({ type: 'delete.confirm' });
  };
  return { ...running, remove };
}

describe('creating a debtor', () => {
  it('puts nested values, and tells the fields in error', async () => {
    const { now, asked, send } = await openDebtor();
    await send({ type: 'form.submit' });
    expect(now().context.errors.map(({ id }) => id)).toEqual(['debtorAccount.name', 'debtorAgent.identification']);
    expect(asked('putParty')).toEqual([]);
    const put = await putDebtor();
    expect(put.asked('putParty')).toEqual([
      {
        subscriptionId: 'subscription-1',
        body: { debtorAccount: { name: 'Example Trading Ltd' }, debtorAgent: { identification: '200000' } },
        again: false,
      },
    ]);
    expect(put.now().context.errors).toEqual([]);
  });

  it("ends only when the provider's webhook has accepted, with the message, and tells no change before", async () => {
    const { answer, hear, asked, now, told } = await putDebtor();
    await answer('putParty', sent('message-9'));
    await hear(waits);
    expect(now().value).toEqual({ answering: 'waiting' });
    await hear(accepted);
    expect(now()).toMatchObject({
      status: 'done',
      value: 'succeeded',
      output: { type: 'succeeded', result: { messageId: 'message-9' } },
    });
    expect(asked('askOutcome')).toEqual([{ messageId: 'message-9' }, { messageId: 'message-9' }]);
    expect(told()).toBe(0);
  });

  it("shows the provider's own words when it refuses, and has the facts read again", async () => {
    const { answer, hear, now, told } = await putDebtor();
    await answer('putParty', sent('message-9'));
    await hear(refused);
    expect(now()).toMatchObject({
      value: 'refused',
      context: {
        failure: {
          type: 'about:blank',
          title: 'The provider refused',
          code: 'upstream-refused',
          detail: 'The account is closed',
        },
      },
    });
    expect(told()).toBe(1);
  });

  it('is for the subscription whose rules the form was made of, whichever becomes the current one', async () => {
    const opened = openDebtor();
    await (await opened).send({ type: 'facts.arrived', facts: elsewhere });
    const { asked, now } = await putDebtor(opened);
    expect(now().context.facts).toBe(elsewhere);
    expect(asked('putParty')).toMatchObject([{ subscriptionId: 'subscription-1' }]);
  });

  it('reads nothing in a gate, which opens by itself, and then for the facts that opened it', async () => {
    const { asked, send, now } = begun(debtorMachine, factsAfter('dataset'));
    expect([now().value, asked('loadRules')]).toEqual(['noUsableSubscription', []]);
    await send({ type: 'facts.arrived', facts });
    expect([now().value, asked('loadRules')]).toEqual(['loading', [{ facts }]]);
  });
});

describe('asking for creditors', () => {
  it('sends nothing until the user asks', async () => {
    const { calls } = await openQuery();
    expect(calls.map(({ port }) => port)).toEqual(['loadQuery']);
  });

  it('looks every 1000 ms, and not again while a look is under way', async () => {
    const { answer, pass, asked, now } = await askCreditors();
    await answer('sendQuery', { messageId: 'query-1' });
    await pass(999);
    expect(asked('askOutcome')).toEqual([]);
    await pass(1);
    await pass(10_000);
    expect(asked('askOutcome')).toEqual([{ messageId: 'query-1' }]);
    await answer('askOutcome', waits);
    await pass(1000);
    expect(asked('askOutcome')).toHaveLength(2);
    expect(now().context.looks).toBe(1);
  });

  it('stops and clears just the webhook that it read, which changes the facts', async () => {
    const { pass, asked, now, told } = await listCreditors();
    await pass(10 * webhookPollInterval);
    expect([asked('clearAnswer'), asked('askOutcome').length, told()]).toEqual([[{ webhookId: 'webhook-7' }], 1, 1]);
    expect(now()).toMatchObject({ value: 'listing', context: { parties: [creditor, other] } });
  });

  it('stops when the page is left', async () => {
    const { answer, send, pass, calls, now } = await askCreditors();
    await answer('sendQuery', { messageId: 'query-1' });
    await send({ type: 'form.cancel' });
    await pass(10 * webhookPollInterval);
    expect(calls.map(({ port }) => port)).toEqual(['loadQuery', 'sendQuery']);
    expect(now()).toMatchObject({ status: 'done', output: { type: 'cancelled' } });
  });

  it('is for the subscription that the page was opened for, and so is a deletion', async () => {
    const { send, asked, remove } = await listCreditors();
    await send({ type: 'facts.arrived', facts: elsewhere });
    await remove(creditor.creditorId);
    expect(asked('deleteParty')).toEqual([{ subscriptionId: 'subscription-1', id: 'creditor-1' }]);
  });
});

describe('deleting a creditor', () => {
  it('is asked for once it is confirmed, and takes its row away once the provider has accepted', async () => {
    const { answer, send, hear, asked, now, told } = await listCreditors();
    await send({ type: 'party.delete', id: other.creditorId });
    expect(asked('deleteParty')).toEqual([]);
    await send({ type: 'delete.confirm' });
    await answer('deleteParty', sent('deletion-1'));
    expect(now().context.parties).toHaveLength(2);
    await hear(accepted);
    expect(now()).toMatchObject({ value: 'listing', context: { parties: [creditor] } });
    expect(told()).toBe(2);
  });

  it('keeps all rows where the provider refuses, and then takes another deletion of a row that is there', async () => {
    const { answer, send, hear, now, remove, pending } = await listCreditors();
    await remove(creditor.creditorId);
    await answer('deleteParty', sent('deletion-1'));
    await hear(refused);
    expect(now()).toMatchObject({ value: 'refused', context: { parties: [creditor, other] } });
    expect(now().context.failure).toMatchObject({ code: 'upstream-refused', detail: refused.detail });
    await send({ type: 'party.delete', id: 'unknown' });
    expect(now().value).toBe('refused');
    await remove(other.creditorId);
    expect(now().context.failure).toBeNull();
    expect(pending('deleteParty').input).toMatchObject({ id: other.creditorId });
  });
});

describe('trying again to query or delete creditors', () => {
  it('sends a query again whose answer was lost, and another one only once nobody can send that', async () => {
    const { refuse, send, pending, answer, now } = await askCreditors();
    const lost = { ...failure, outcome: 'unknown' as const, messageId: 'query-1' };
    const sends = async (type: 'retry' | 'query.send', lostQuery: string) => {
      await send({ type });
      expect(pending('sendQuery').input).toEqual({ subscriptionId: 'subscription-1', lostQuery });
      expect(now().context.failure).toBeNull();
    };
    await refuse('sendQuery', failure);
    await sends('retry', '');
    await refuse('sendQuery', lost);
    await sends('retry', 'query-1');
    await refuse('sendQuery', lost);
    await sends('query.send', 'query-1');
    await refuse('sendQuery', { ...lost, code: 'outcome-unknown' });
    await sends('query.send', '');
    await refuse('sendQuery', lost);
    await sends('retry', 'query-1');
    await answer('sendQuery', { messageId: 'query-1' });
    expect(now().context).toMatchObject({ messageId: 'query-1', lostQuery: '' });
  });

  it('reads the webhook data again and sends no second query', async () => {
    const { answer, refuse, pass, send, hear, asked, now } = await askCreditors();
    await answer('sendQuery', { messageId: 'query-1' });
    await hear(waits);
    await pass(webhookPollInterval);
    await refuse('askOutcome', failure);
    expect(now()).toMatchObject({ value: 'unread', context: { failure } });
    await send({ type: 'retry' });
    expect(now()).toMatchObject({ value: { polling: 'waiting' }, context: { failure: null, looks: 1 } });
    await hear(list);
    expect(now().value).toBe('clearing');
    expect(asked('sendQuery')).toHaveLength(1);
  });

  it('clears again what was read, which stays listed', async () => {
    const { answer, refuse, hear, send, asked, now } = await askCreditors();
    await answer('sendQuery', { messageId: 'query-1' });
    await hear(list);
    await refuse('clearAnswer', failure);
    expect(now()).toMatchObject({ value: 'uncleared', context: { parties: [creditor, other], failure } });
    await send({ type: 'retry' });
    await answer('clearAnswer');
    expect(now()).toMatchObject({ value: 'listing', context: { parties: [creditor, other], failure: null } });
    expect(asked('clearAnswer')).toEqual([{ webhookId: 'webhook-7' }, { webhookId: 'webhook-7' }]);
  });

  it('asks once more for the outcome of a deletion and deletes nothing twice', async () => {
    const { answer, refuse, pass, send, hear, remove, asked, now } = await listCreditors();
    await remove(creditor.creditorId);
    await answer('deleteParty', sent('deletion-1'));
    await pass(webhookPollInterval);
    await refuse('askOutcome', failure);
    expect(now()).toMatchObject({ value: 'unanswered', context: { parties: [creditor, other], failure } });
    await send({ type: 'retry' });
    expect(now()).toMatchObject({ value: { answering: 'waiting' }, context: { failure: null } });
    await hear(accepted);
    expect(now()).toMatchObject({ value: 'listing', context: { parties: [other] } });
    expect(asked('deleteParty')).toHaveLength(1);
  });

  it('has a refused deletion confirmed anew', async () => {
    const { refuse, send, remove, pending, now } = await listCreditors();
    await remove(creditor.creditorId);
    await refuse('deleteParty', failure);
    await send({ type: 'retry' });
    expect(now()).toMatchObject({ value: 'confirming', context: { resourceId: creditor.creditorId } });
    await send({ type: 'delete.confirm' });
    expect(pending('deleteParty').input).toMatchObject({ id: creditor.creditorId });
  });
});

describe('a message whose answer was lost', () => {
  const kept = (id: string) => messageOf({ messageId: id, forwarded: false });
  const again = (id: string) => ({ type: 'message.sendAgain' as const, id });

  it('is sent again from the list by its own id; what was typed stays', async () => {
    const { answer, send, refuse, pending, now } = await openDebtor([kept('latest'), kept('older')]);
    await send({ type: 'party.another' });
    await send({ type: 'form.change', field: 'debtorAccount.name', value: 'Typed' });
    await send(again('older'));
    expect(pending('sendAgain').input).toEqual({ messageId: 'older' });
    await refuse('sendAgain', failure);
    expect(now()).toMatchObject({ value: 'unrepeated', context: { failure } });
    await send({ type: 'retry' });
    await answer('sendAgain', { ...kept('older'), forwarded: true });
    const { value, context } = now();
    expect([value, context.values['debtorAccount.name']]).toEqual(['editing', 'Typed']);
    expect(context.pending.map(({ messageId, forwarded }) => [messageId, forwarded])).toEqual([
      ['latest', false],
      ['older', true],
    ]);
    expect([now().can(again('older')), now().can(again('latest'))]).toEqual([false, true]);
  });

  it('is sent again while it is followed, once at a time, and then awaited', async () => {
    const { answer, send, asked, now } = await openDebtor([kept('latest'), kept('older')]);
    await send(again('older')); // another one is followed
    await send(again('latest'));
    await send(again('latest'));
    expect(asked('sendAgain')).toEqual([{ messageId: 'latest' }]);
    await answer('sendAgain', { ...kept('latest'), forwarded: true });
    expect(now()).toMatchObject({
      value: { answering: 'waiting' },
      context: { outcome: { forwarded: true }, pending: [{ forwarded: true }, { forwarded: false }] },
    });
  });

  it('is not sent again where the service has it, or the provider has decided', async () => {
    const { send, calls } = await openQuery([
      { ...kept('had'), forwarded: true },
      { ...kept('decided'), state: 'accepted' },
    ]);
    for (const id of ['had', 'decided', 'unknown']) await send(again(id));
    expect(calls.map(({ port }) => port)).toEqual(['loadQuery']);
  });
});
