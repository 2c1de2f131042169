import { describe, expect, it } from 'vitest';
import { batchEndStatuses, webhookPollInterval } from '#contract/constants.ts';
import { batchListMachine } from '#machines/batch/batchList.machine.ts';
import { batchMachine } from '#machines/batch/batch.machine.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/live.ts';
import { batchRecord, failure } from '#tests/support/material.ts';
import { viewOf } from './batch.models.ts';

async function follow(view = viewOf('Processing')) {
  const running = live(batchMachine, { input: { batchId: 'batch-1' } });
  await running.answer('findBatch', { batchId: 'batch-1', record: null });
  await running.answer('readBatch', view);
  return running;
}

describe('following a batch', () => {
  it('asks for the batch named in the address', async () => {
    const { pending, answer } = live(batchMachine, { input: { batchId: 'batch-2' } });
    expect(pending('findBatch').input).toEqual({ batchId: 'batch-2' });
    await answer('findBatch', { batchId: 'batch-2', record: null });
    expect(pending('readBatch').input).toEqual({ batchId: 'batch-2' });
  });

  it.each(batchEndStatuses)('ends at %s', async (status) => {
    const { pass, calls, actor } = await follow(viewOf(status));
    await pass(10 * webhookPollInterval);
    expect(actor.getSnapshot().value).toBe('settled');
    expect(calls.map(({ port }) => port)).toEqual(['findBatch', 'readBatch']);
  });

  it('goes on at a status that nobody has heard of', async () => {
    const { pass, calls, answer, actor } = await follow(viewOf('Thinking'));
    await pass(webhookPollInterval);
    await answer('followBatch', viewOf('Thinking again'));
    expect(actor.getSnapshot()).toMatchObject({ value: 'following', context: { view: viewOf('Thinking again') } });
    await pass(webhookPollInterval);
    expect(calls.filter(({ port }) => port === 'followBatch')).toHaveLength(2);
    await answer('followBatch', viewOf('Completed'));
    expect(actor.getSnapshot().value).toBe('settled');
  });

  it('asks at once when told to', async () => {
    const { send, pending } = await follow();
    await send({ type: 'batch.read' });
    expect(pending('readBatch').input).toEqual({ batchId: 'batch-1' });
  });

  it('keeps what was last seen when asking fails, and asks again at once on retry', async () => {
    const { pass, refuse, send, pending, actor } = await follow();
    await pass(webhookPollInterval);
    await refuse('followBatch', failure);
    expect(actor.getSnapshot()).toMatchObject({ value: 'stalled', context: { view: viewOf('Processing'), failure } });
    await send({ type: 'retry' });
    expect(pending('readBatch').input).toEqual({ batchId: 'batch-1' });
    expect(actor.getSnapshot().context.failure).toBeNull();
  });

  it.each([
    ['shows what is kept here', batchRecord, 'stalled'],
    ['shows the failure alone where nothing is kept', null, 'unavailable'],
  ] as const)('%s when the first look fails, and asks again on retry', async (_, record, state) => {
    const { answer, refuse, send, actor, calls } = live(batchMachine, { input: { batchId: '' } });
    await answer('findBatch', { batchId: 'batch-1', record });
    await refuse('readBatch', failure);
    expect(actor.getSnapshot()).toMatchObject({ value: state, context: { record, view: null, failure } });
    await send({ type: 'retry' });
    if (!record) await answer('findBatch', { batchId: 'batch-1', record });
    expect(calls.filter(({ port }) => port === 'readBatch')).toHaveLength(2);
    await answer('readBatch', viewOf('Completed'));
    expect(actor.getSnapshot()).toMatchObject({ value: 'settled', context: { failure: null } });
  });

  it('downloads a file only if there is one', async () => {
    const without = await follow(viewOf('Completed'));
    await without.send({ type: 'file.download' });
    expect(without.actor.getSnapshot().value).toBe('settled');
    const { send, answer, pending, actor } = await follow(
      viewOf('PaymentFileAvailable', 'http://provider.test/file/1'),
    );
    await send({ type: 'file.download' });
    expect(pending('downloadFile').input).toEqual({ batchId: 'batch-1' });
    await answer('downloadFile', { file: 'UHL1' });
    expect(actor.getSnapshot()).toMatchObject({ value: 'settled', context: { file: 'UHL1' } });
  });
});

describe('polling a batch of the list', () => {
  const other = { ...batchRecord, batchId: 'batch-2' };

  async function list() {
    const running = live(batchListMachine);
    await running.answer('loadBatches', { facts: everything, batches: [batchRecord, other] });
    return running;
  }

  it('changes the status of its row only', async () => {
    const { answer, send, pending, actor } = await list();
    await send({ type: 'batch.poll', id: 'batch-2' });
    expect(pending('pollBatch').input).toEqual({ batchId: 'batch-2' });
    await answer('pollBatch', { status: 'Completed' });
    expect(actor.getSnapshot()).toMatchObject({
      value: 'listing',
      context: { batches: [batchRecord, { ...other, status: 'Completed' }] },
    });
  });

  it('can be tried with another row after it failed', async () => {
    const { refuse, send, pending } = await list();
    await send({ type: 'batch.poll', id: 'batch-2' });
    await refuse('pollBatch', failure);
    await send({ type: 'batch.poll', id: 'batch-1' });
    expect(pending('pollBatch').input).toEqual({ batchId: 'batch-1' });
  });

  it('asks for no batch that is not listed', async () => {
    const { refuse, send, calls, actor } = await list();
    await send({ type: 'batch.poll', id: 'unknown' });
    expect(actor.getSnapshot().value).toBe('listing');
    await send({ type: 'batch.poll', id: 'batch-2' });
    await refuse('pollBatch', failure);
    await send({ type: 'batch.poll', id: 'unknown' });
    expect(calls.filter(({ port }) => port === 'pollBatch')).toHaveLength(1);
  });
});
