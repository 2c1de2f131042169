import { describe, expect, it } from 'vitest';
import { webhookPollInterval } from '#contract/constants.ts';
import { debtorMachine } from '#machines/party/party.machine.ts';
import { creditorQueryMachine } from '#machines/party/query.machine.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { live } from '#tests/support/live.ts';
import { creditor, failure, rules } from '#tests/support/material.ts';
import { listOf, messageOf } from '#tests/support/messages.ts';

const facts = factsAfter('authorisation');

async function putDebtor() {
  const running = live(debtorMachine);
  await running.answer('loadRules', { facts, rules, pending: [] });
  await running.send({ type: 'form.change', field: 'debtorAccount.name', value: 'Example Trading Ltd' });
  await running.send({ type: 'form.change', field: 'debtorAgent.identification', value: '200000' });
  await running.send({ type: 'form.submit' });
  return running;
}

describe('creating a debtor', () => {
  it('puts nested values for the current subscription', async () => {
    const { pending, actor } = await putDebtor();
    expect(pending('putParty').input).toEqual({
      subscriptionId: 'subscription-1',
      body: { debtorAccount: { name: 'Example Trading Ltd' }, debtorAgent: { identification: '200000' } },
      again: false,
    });
    expect(actor.getSnapshot().context.errors).toEqual([]);
  });

  it("is done only when the provider's webhook has said so", async () => {
    const { answer, pass, pending, actor } = await putDebtor();
    await answer('putParty', { messageId: 'message-9', pending: false });
    await pass(webhookPollInterval);
    expect(pending('askOutcome').input).toEqual({ messageId: 'message-9' });
    await answer('askOutcome', { state: 'waiting', detail: '' });
    expect(actor.getSnapshot().value).toEqual({ answering: 'waiting' });
    await pass(webhookPollInterval);
    await answer('askOutcome', { state: 'accepted', detail: '' });
    expect(actor.getSnapshot().value).toBe('succeeded');
  });

  it("shows the provider's own words when it refuses", async () => {
    const { answer, pass, actor } = await putDebtor();
    await answer('putParty', { messageId: 'message-9', pending: false });
    await pass(webhookPollInterval);
    await answer('askOutcome', { state: 'refused', detail: 'The account is closed' });
    expect(actor.getSnapshot()).toMatchObject({
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
  });
});

async function askCreditors() {
  const running = live(creditorQueryMachine);
  await running.answer('loadQuery', { facts, pending: [], asked: null });
  await running.send({ type: 'query.send' });
  return running;
}

async function listCreditors() {
  const running = await askCreditors();
  await running.answer('sendQuery', { messageId: 'query-1' });
  await running.pass(webhookPollInterval);
  await running.answer('askOutcome', listOf({ creditors: [creditor] }, 'webhook-7'));
  await running.answer('clearAnswer');
  return running;
}

describe('asking for creditors', () => {
  it('sends nothing until the user asks', async () => {
    const { answer, calls } = live(creditorQueryMachine);
    await answer('loadQuery', { facts, pending: [], asked: null });
    expect(calls.map(({ port }) => port)).toEqual(['loadQuery']);
  });

  it('looks every 1000 ms, and not again while a look is under way', async () => {
    const { answer, pass, calls, actor } = await askCreditors();
    const looks = () => calls.filter(({ port }) => port === 'askOutcome').length;
    await answer('sendQuery', { messageId: 'query-1' });
    await pass(999);
    expect(looks()).toBe(0);
    await pass(1);
    await pass(10_000);
    expect(looks()).toBe(1);
    await answer('askOutcome', { state: 'waiting', detail: '' });
    await pass(1000);
    expect(looks()).toBe(2);
    expect(actor.getSnapshot().context.looks).toBe(1);
  });

  it('stops and clears just the webhook that it read', async () => {
    const { answer, pass, pending, calls, actor } = await askCreditors();
    await answer('sendQuery', { messageId: 'query-1' });
    await pass(webhookPollInterval);
    await answer('askOutcome', listOf({ creditors: [creditor] }, 'webhook-7'));
    expect(pending('clearAnswer').input).toEqual({ webhookId: 'webhook-7' });
    await answer('clearAnswer');
    await pass(10 * webhookPollInterval);
    expect(calls.filter(({ port }) => port === 'askOutcome')).toHaveLength(1);
    expect(actor.getSnapshot()).toMatchObject({ value: 'listing', context: { parties: [creditor] } });
  });

  it('stops when the page is left', async () => {
    const { answer, send, pass, calls } = await askCreditors();
    await answer('sendQuery', { messageId: 'query-1' });
    await send({ type: 'form.cancel' });
    await pass(10 * webhookPollInterval);
    expect(calls.map(({ port }) => port)).toEqual(['loadQuery', 'sendQuery']);
  });
});

describe('deleting a creditor', () => {
  it('is asked for once it is confirmed, and keeps the row until the provider has accepted', async () => {
    const { answer, send, pass, pending, calls, actor } = await listCreditors();
    const rows = () => actor.getSnapshot().context.parties.length;
    await send({ type: 'party.delete', id: creditor.creditorId });
    expect(calls.map(({ port }) => port)).not.toContain('deleteParty');
    await send({ type: 'delete.confirm' });
    expect(pending('deleteParty').input).toEqual({ subscriptionId: 'subscription-1', id: 'creditor-1' });
    await answer('deleteParty', { messageId: 'deletion-1', pending: false });
    expect(rows()).toBe(1);
    await pass(webhookPollInterval);
    await answer('askOutcome', { state: 'accepted', detail: '' });
    expect(actor.getSnapshot().value).toBe('listing');
    expect(rows()).toBe(0);
  });

  it('keeps the row when the provider refuses', async () => {
    const { answer, send, pass, actor } = await listCreditors();
    await send({ type: 'party.delete', id: creditor.creditorId });
    await send({ type: 'delete.confirm' });
    await answer('deleteParty', { messageId: 'deletion-1', pending: false });
    await pass(webhookPollInterval);
    await answer('askOutcome', { state: 'refused', detail: 'It is paid today' });
    expect(actor.getSnapshot()).toMatchObject({
      value: 'refused',
      context: { parties: [creditor], failure: { detail: 'It is paid today' } },
    });
  });

  it('of a row that is not there is not asked for', async () => {
    const { send, actor } = await listCreditors();
    await send({ type: 'party.delete', id: 'unknown' });
    expect(actor.getSnapshot().value).toBe('listing');
  });
});

describe('trying again to query or delete creditors', () => {
  const ports = (calls: readonly { port: string }[]) => calls.map(({ port }) => port).slice(1);

  it('sends a query again that could not be sent', async () => {
    const { refuse, send, pending, actor } = await askCreditors();
    await refuse('sendQuery', failure);
    await send({ type: 'retry' });
    expect(pending('sendQuery').input).toEqual({ subscriptionId: 'subscription-1', lostQuery: '' });
    expect(actor.getSnapshot().context.failure).toBeNull();
  });

  it('sends a query again whose answer was lost, and another one only once nobody can send that', async () => {
    const { refuse, send, pending, answer } = await askCreditors();
    const lost = { ...failure, outcome: 'unknown' as const, messageId: 'query-1' };
    for (const type of ['retry', 'query.send'] as const) {
      await refuse('sendQuery', lost);
      await send({ type });
      expect(pending('sendQuery').input).toMatchObject({ lostQuery: 'query-1' });
    }
    await refuse('sendQuery', { ...lost, code: 'outcome-unknown' });
    await send({ type: 'query.send' });
    expect(pending('sendQuery').input).toMatchObject({ lostQuery: '' });
    await refuse('sendQuery', lost);
    await send({ type: 'retry' });
    await answer('sendQuery', { messageId: 'query-1' });
    await send({ type: 'form.cancel' });
  });

  it('reads the webhook data again and sends no second query', async () => {
    const { answer, refuse, pass, send, calls, actor } = await askCreditors();
    await answer('sendQuery', { messageId: 'query-1' });
    await pass(webhookPollInterval);
    await answer('askOutcome', { state: 'waiting', detail: '' });
    await pass(webhookPollInterval);
    await refuse('askOutcome', failure);
    expect(actor.getSnapshot()).toMatchObject({ value: 'unread', context: { failure } });
    await send({ type: 'retry' });
    expect(actor.getSnapshot()).toMatchObject({ value: { polling: 'waiting' }, context: { failure: null, looks: 1 } });
    await pass(webhookPollInterval);
    expect(ports(calls)).toEqual(['sendQuery', 'askOutcome', 'askOutcome', 'askOutcome']);
  });

  it('clears again what was read, which stays listed', async () => {
    const { answer, refuse, pass, send, pending, actor } = await askCreditors();
    await answer('sendQuery', { messageId: 'query-1' });
    await pass(webhookPollInterval);
    await answer('askOutcome', listOf({ creditors: [creditor] }, 'webhook-7'));
    await refuse('clearAnswer', failure);
    expect(actor.getSnapshot()).toMatchObject({
      value: 'uncleared',
      context: { parties: [creditor], failure },
    });
    await send({ type: 'retry' });
    expect(pending('clearAnswer').input).toEqual({ webhookId: 'webhook-7' });
    await answer('clearAnswer');
    expect(actor.getSnapshot()).toMatchObject({
      value: 'listing',
      context: { parties: [creditor], failure: null },
    });
  });

  it('asks once more for the outcome of a deletion and deletes nothing twice', async () => {
    const { answer, refuse, pass, send, calls, actor } = await listCreditors();
    await send({ type: 'party.delete', id: creditor.creditorId });
    await send({ type: 'delete.confirm' });
    await answer('deleteParty', { messageId: 'deletion-1', pending: false });
    await pass(webhookPollInterval);
    await refuse('askOutcome', failure);
    expect(actor.getSnapshot()).toMatchObject({
      value: 'unanswered',
      context: { parties: [creditor], failure },
    });
    await send({ type: 'retry' });
    expect(actor.getSnapshot()).toMatchObject({ value: { answering: 'waiting' }, context: { failure: null } });
    await pass(webhookPollInterval);
    await answer('askOutcome', { state: 'accepted', detail: '' });
    expect(actor.getSnapshot()).toMatchObject({ value: 'listing', context: { parties: [] } });
    expect(ports(calls).filter((port) => port === 'deleteParty')).toHaveLength(1);
  });

  it('has a refused deletion confirmed anew', async () => {
    const { refuse, send, pending, actor } = await listCreditors();
    await send({ type: 'party.delete', id: creditor.creditorId });
    await send({ type: 'delete.confirm' });
    await refuse('deleteParty', failure);
    await send({ type: 'retry' });
    expect(actor.getSnapshot()).toMatchObject({ value: 'confirming', context: { resourceId: creditor.creditorId } });
    await send({ type: 'delete.confirm' });
    expect(pending('deleteParty').input).toMatchObject({ id: creditor.creditorId });
  });
});

describe('the list that a provider gave', () => {
  const other = { ...creditor, creditorId: 'creditor-2' };
  const refusal = { state: 'refused', detail: 'The account is closed' };

  async function list() {
    const running = live(creditorQueryMachine);
    await running.answer('loadQuery', { facts, pending: [], asked: null });
    await running.send({ type: 'query.send' });
    const query = running.pending('sendQuery').input;
    await running.answer('sendQuery', { messageId: 'query-1' });
    await running.pass(webhookPollInterval);
    expect(query).toEqual({ subscriptionId: facts.settings.subscriptionId, lostQuery: '' });
    expect(running.pending('askOutcome').input).toEqual({ messageId: 'query-1' });
    await running.answer('askOutcome', listOf({ creditors: [creditor, other] }));
    await running.answer('clearAnswer');
    const now = () => running.actor.getSnapshot();
    const remove = (id: string) => running.send({ type: 'party.delete', id });
    const outcome = async (outcome: object) => {
      await running.send({ type: 'delete.confirm' });
      await running.answer('deleteParty', { messageId: 'deletion-1', pending: false });
      await running.pass(webhookPollInterval);
      await running.answer('askOutcome', outcome);
    };
    return { ...running, now, remove, outcome };
  }

  it('loses the row that was deleted, and no other', async () => {
    const { now, remove, outcome } = await list();
    await remove(other.creditorId);
    await outcome({ state: 'accepted', detail: '' });
    expect(now()).toMatchObject({ value: 'listing', context: { parties: [creditor] } });
  });

  it('keeps all rows where the provider refuses, and then takes another deletion', async () => {
    const { now, remove, outcome, send, pending } = await list();
    await remove(creditor.creditorId);
    await outcome(refusal);
    expect(now()).toMatchObject({ value: 'refused', context: { parties: [creditor, other] } });
    expect(now().context.failure).toMatchObject({ code: 'upstream-refused', detail: refusal.detail });
    await remove('unknown');
    expect(now().value).toBe('refused');
    await remove(other.creditorId);
    expect(now().value).toBe('confirming');
    await send({ type: 'delete.confirm' });
    expect(now().context.failure).toBeNull();
    expect(pending('deleteParty').input).toMatchObject({ id: other.creditorId });
  });
});

describe('a message whose answer was lost', () => {
  const kept = (id: string) => messageOf({ messageId: id, forwarded: false });
  const again = (id: string) => ({ type: 'message.sendAgain' as const, id });

  it('is sent again from the list by its own id; what was typed stays', async () => {
    const { answer, send, refuse, pending, actor } = live(debtorMachine);
    await answer('loadRules', { facts, rules, pending: [kept('latest'), kept('older')] });
    await send({ type: 'party.another' });
    await send({ type: 'form.change', field: 'debtorAccount.name', value: 'Typed' });
    await send(again('older'));
    expect(pending('sendAgain').input).toEqual({ messageId: 'older' });
    await refuse('sendAgain', failure);
    expect(actor.getSnapshot()).toMatchObject({ value: 'unrepeated', context: { failure } });
    await send({ type: 'retry' });
    await answer('sendAgain', { ...kept('older'), forwarded: true });
    const { value, context } = actor.getSnapshot();
    expect([value, context.values['debtorAccount.name']]).toEqual(['editing', 'Typed']);
    expect(context.pending.map(({ messageId, forwarded }) => [messageId, forwarded])).toEqual([
      ['latest', false],
      ['older', true],
    ]);
    expect([actor.getSnapshot().can(again('older')), actor.getSnapshot().can(again('latest'))]).toEqual([false, true]);
  });

  it('is sent again while it is followed, once at a time, and then awaited', async () => {
    const { answer, send, calls, actor } = live(debtorMachine);
    await answer('loadRules', { facts, rules, pending: [kept('latest'), kept('older')] });
    await send(again('older')); // another one is followed
    await send(again('latest'));
    await send(again('latest'));
    expect(calls.filter(({ port }) => port === 'sendAgain').map(({ input }) => input)).toEqual([
      { messageId: 'latest' },
    ]);
    await answer('sendAgain', { ...kept('latest'), forwarded: true });
    expect(actor.getSnapshot()).toMatchObject({
      value: { answering: 'waiting' },
      context: { outcome: { forwarded: true }, pending: [{ forwarded: true }, { forwarded: false }] },
    });
  });

  it('is not sent again where the service has it, or the provider has decided', async () => {
    const { answer, send, calls } = live(creditorQueryMachine);
    const pending = [
      { ...kept('had'), forwarded: true },
      { ...kept('decided'), state: 'accepted' as const },
    ];
    await answer('loadQuery', { facts, pending });
    for (const id of ['had', 'decided', 'unknown']) await send(again(id));
    expect(calls.map(({ port }) => port)).toEqual(['loadQuery']);
  });
});

describe('the fields of a debtor', () => {
  it('are told when they are in error', async () => {
    const running = live(debtorMachine);
    await running.answer('loadRules', { facts, rules, pending: [] });
    await running.send({ type: 'form.submit' });
    expect(running.actor.getSnapshot().context.errors.map(({ id }) => id)).toEqual([
      'debtorAccount.name',
      'debtorAgent.identification',
    ]);
  });
});
