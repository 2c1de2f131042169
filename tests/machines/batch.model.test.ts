import type { AnyActor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { gateOf } from '#machines/lib/gate.ts';
import { batchEndStatuses, webhookPollInterval } from '#contract/constants.ts';
import { batchListMachine, newsOf } from '#machines/batch/batchList.machine.ts';
import { batchMachine } from '#machines/batch/batch.machine.ts';
import { authoriseOf } from '#machines/batch/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { live, type Live } from '#tests/support/deferredPorts.ts';
import { batchRecord } from '#tests/support/fixtures.ts';
import { viewOf } from './batch.models.ts';

/** The current batch is batch-1. */
const underWay = factsAfter('electronicPayment');

async function follow(view = viewOf('Processing')) {
  const running = live(batchMachine, { input: { facts: everything, batchId: 'batch-1' } });
  await running.answer('findBatch', { record: null });
  await running.answer('readBatch', view);
  return running;
}

describe('the page of a batch', () => {
  it('requests the batch that the address names', async () => {
    const { pending, answer } = live(batchMachine, { input: { facts: everything, batchId: 'batch-2' } });
    expect(pending('findBatch').input).toEqual({ batchId: 'batch-2' });
    await answer('findBatch', { record: null });
    expect(pending('readBatch').input).toEqual({ batchId: 'batch-2' });
  });

  it.each(batchEndStatuses)('stops polling at the status %s', async (status) => {
    const { pass, calls, actor } = await follow(viewOf(status));
    await pass(10 * webhookPollInterval);
    expect(actor.getSnapshot().value).toBe('settled');
    expect(calls.map(({ port }) => port)).toEqual(['findBatch', 'readBatch']);
  });

  it('shows what comes back after its end, and follows it if it is in progress again (behaviour 4.66)', async () => {
    const { answer, actor, pass } = await follow(viewOf('Completed'));
    await pass(60_000);
    await answer('hearBatch', viewOf('PartiallyReturned'));
    expect(actor.getSnapshot()).toMatchObject({ value: 'settled', context: { view: viewOf('PartiallyReturned') } });
    await pass(60_000);
    await answer('hearBatch', viewOf('Processing'));
    expect(actor.getSnapshot()).toMatchObject({ value: 'following', context: { view: viewOf('Processing') } });
  });

  it('continues polling at an unknown status (wire 12.1)', async () => {
    const { pass, calls, answer, actor } = await follow(viewOf('Thinking'));
    await pass(webhookPollInterval);
    await answer('followBatch', viewOf('Thinking again'));
    expect(actor.getSnapshot()).toMatchObject({ value: 'following', context: { view: viewOf('Thinking again') } });
    await pass(webhookPollInterval);
    expect(calls.filter(({ port }) => port === 'followBatch')).toHaveLength(2);
    await answer('followBatch', viewOf('Completed'));
    expect(actor.getSnapshot()).toMatchObject({ value: 'settled', context: { view: viewOf('Completed') } });
  });
});

describe('a batch id in the address', () => {
  it('is followed although the console posted no batch (behaviour 6.4)', () => {
    const { pending } = live(batchMachine, { input: { facts: factsAfter('creditor'), batchId: 'batch-5' } });
    expect(pending('findBatch').input).toEqual({ batchId: 'batch-5' });
  });
});

describe('the page of a batch without an id', () => {
  it('shows the current batch', () => {
    const { pending } = live(batchMachine, { input: { facts: underWay, batchId: '' } });
    expect(pending('findBatch').input).toEqual({ batchId: 'batch-1' });
  });

  it('shows the batch posted last if none is current', () => {
    const postedBatches = JSON.stringify([batchRecord, { ...batchRecord, batchId: 'batch-7' }]);
    const facts = withFacts(underWay, { settings: { batchId: '', postedBatches } });
    const { pending } = live(batchMachine, { input: { facts, batchId: '' } });
    expect(pending('findBatch').input).toEqual({ batchId: 'batch-7' });
  });

  it('shows a gate until a batch is posted, and keeps that batch when others are posted', async () => {
    const { send, actor, pending } = live(batchMachine, { input: { facts: factsAfter('creditor'), batchId: '' } });
    expect(gateOf(actor.getSnapshot())?.alert).toBe('noBatches');
    await send({ type: 'facts.arrived', facts: factsAfter('debtor') });
    expect(gateOf(actor.getSnapshot())?.alert).toBe('noBatches');
    await send({ type: 'facts.arrived', facts: underWay });
    expect(pending('findBatch').input).toEqual({ batchId: 'batch-1' });
    const later = withFacts(underWay, { settings: { batchId: 'batch-2' } });
    await send({ type: 'facts.arrived', facts: later });
    expect(actor.getSnapshot().context).toMatchObject({ batchId: 'batch-1', facts: later });
  });
});

describe('facts.changed', () => {
  /** How often a journey emits facts.changed after `happens`. */
  async function told<M extends typeof batchMachine | typeof batchListMachine>(
    running: Live<M>,
    happens: (running: Live<M>) => Promise<void>,
  ): Promise<number> {
    let times = 0;
    (running.actor as AnyActor).on('facts.changed', () => (times += 1));
    await happens(running);
    return times;
  }
  const opened = (facts: Facts, batchId = '') => live(batchMachine, { input: { facts, batchId } });
  const reads = (status: string) => async (running: Live<typeof batchMachine>) => {
    await running.answer('findBatch', { record: null });
    await running.answer('readBatch', viewOf(status));
  };

  it('is not emitted for a status that the facts have, or for another batch', async () => {
    expect(await told(opened(everything), reads('Completed'))).toBe(0);
    expect(await told(opened(underWay, 'batch-0'), reads('Completed'))).toBe(0);
  });

  it('is emitted for a list row whose status differs from the facts', async () => {
    const listed = async (facts: Facts) => {
      const running = live(batchListMachine, { input: { facts } });
      await running.answer('loadBatches', { batches: [batchRecord, { ...batchRecord, batchId: 'batch-0' }] });
      return running;
    };
    const polls = (id: string) => async (running: Live<typeof batchListMachine>) => {
      await running.send({ type: 'batch.poll', id });
      await running.answer('pollBatch', { status: 'Completed', readAt: batchRecord.postedAt });
    };
    expect(await told(await listed(underWay), polls('batch-1'))).toBe(1);
    expect(await told(await listed(underWay), polls('batch-0'))).toBe(0);
    expect(await told(await listed(everything), polls('batch-1'))).toBe(0);
  });
});

describe('a batch that requires authorisation', () => {
  const waiting = { link: 'https://bank.example/authorise', elsewhere: '', expiresAt: '' };

  it('offers no link once it has ended', () => {
    expect(authoriseOf({ ...viewOf('Processing'), authorise: waiting })).toEqual(waiting);
    expect(authoriseOf({ ...viewOf('Completed'), authorise: waiting })).toEqual({ ...waiting, link: '' });
  });
});

describe('the list of batches', () => {
  const other = { ...batchRecord, batchId: 'batch-2' };

  async function list() {
    const running = live(batchListMachine, { input: { facts: everything } });
    await running.answer('loadBatches', { batches: [batchRecord, other] });
    return running;
  }

  it('updates only the polled row’s status', async () => {
    const { answer, send, pending, actor } = await list();
    await send({ type: 'batch.poll', id: 'batch-2' });
    expect(pending('pollBatch').input).toEqual({ batchId: 'batch-2' });
    await answer('pollBatch', { status: 'Completed' });
    expect(actor.getSnapshot()).toMatchObject({
      value: 'listing',
      context: { batches: [batchRecord, { ...other, status: 'Completed' }] },
    });
  });

  it('reports the status before and after a poll', async () => {
    const running = await list();
    const told = () => newsOf(running.actor.getSnapshot().context);
    expect(told()).toBe('');
    const polls = async (status: string) => {
      await running.send({ type: 'batch.poll', id: 'batch-2' });
      await running.answer('pollBatch', { status });
    };
    await polls(batchRecord.status);
    expect(told()).toBe(`Batch batch-2 is still ${batchRecord.status}`);
    await polls('Completed');
    expect(told()).toBe(`Batch batch-2 was ${batchRecord.status}, and is Completed now`);
    await polls('Completed');
    expect(told()).toBe('Batch batch-2 is still Completed');
  });
});
