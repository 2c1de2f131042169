import { describe, expect, it } from 'vitest';
import { batchListMachine, newsOf } from '#machines/batch/batchList.machine.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { batchRecord } from '#tests/support/fixtures.ts';

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
