import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { batchAnswers } from '#server/companies/records.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { batch } from '#tests/support/consoleWithPayments.ts';
import { eventually } from '#tests/support/eventually.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { heldReads } from '#tests/support/heldReads.ts';
import { severalConsoles } from '#tests/support/severalServers.ts';

const batchId = 'batch-1';
const says = (status: string) => ({ data: { batchId, status } });

/** Three servers on one PostgreSQL database, whose clocks differ by an hour each, and a batch that was paid. */
async function servers() {
  const reads = heldReads();
  const service = await fakeUpstream({
    [endpoints.batches]: (response, asked) =>
      asked.method === 'GET' ? reads.script(response, asked) : answering(says('Received'), 201)(response, asked),
  });
  const all = await severalConsoles((index) => ({
    upstreamUrl: service.url,
    clock: { ...systemClock, now: () => Date.now() + (1 - index) * 3_600_000 },
  }));
  const [{ store, done }] = all;
  await store.settings.writeAll({ organisationId: 'o', companyId: 'c', companySigningKey: 'k', subscriptionId: 's' });
  await done('createBatch', { body: { ...batch, requestedExecutionDateTime: executionDate } });
  const read = (index: 0 | 1 | 2) => all[index].done('getBatch', { params: { batchId } });
  const waiting = (number: number) => eventually(() => expect(reads.waiting()).toBe(number));
  return { store, reads, read, waiting };
}

describe('Answers to several servers on PostgreSQL', () => {
  it.each([
    [0, 1],
    [1, 0],
    [2, 2],
  ] as const)(
    'are stored in the order of their questions, of servers %i and %i (behaviour 4.47; threat 3.28)',
    async (one, other) => {
      const { store, reads, read, waiting } = await servers();
      const first = read(one);
      await waiting(1);
      const second = read(other);
      await waiting(2);
      reads.answer(1, says('Completed'));
      await second;
      reads.otherwise(says('Completed'));
      reads.answer(0, says('Received'));
      expect((await first).data.status).toBe('Completed');
      expect((await store.batches.get(batchId))?.status).toBe('Completed');
    },
  );

  it('are asked for again if another process has stored one since the question (behaviour 4.47; threat 3.28)', async () => {
    const { store, reads, read, waiting } = await servers();
    const first = read(0);
    await waiting(1);
    const other = { by: 'another process', turn: 1 };
    const answer = { asked: other, batchId, status: 'Processing', readAt: '', failed: [], staysPaid: [] };
    await store.records(batchAnswers).put(batchId, answer);
    reads.answer(0, says('Received'));
    await waiting(1);
    reads.answer(1, says('Completed'));
    expect((await first).data.status).toBe('Completed');
    expect(await store.records(batchAnswers).get(batchId)).toMatchObject({ status: 'Completed' });
  });
});
