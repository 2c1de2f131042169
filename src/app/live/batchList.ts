import type { BatchRecord } from '#contract/entities.ts';
import { batchListMachine } from '#machines/batchList.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { factsFor } from './ports.ts';

export const machine = batchListMachine.provide({
  actors: {
    loadBatches: fulfil(port('loadBatches'), async (_, signal) => {
      const [facts, { data }] = await Promise.all([
        factsFor('batchList', signal),
        call('getPostedBatches', { signal }),
      ]);
      return { facts, batches: (JSON.parse(data) as BatchRecord[]).toReversed() }; // the server assembles the list by the contract's shape
    }),
    pollBatch: fulfil(port('pollBatch'), async (params, signal) => {
      const { data } = await call('getBatch', { params, signal });
      return { status: data.status, readAt: new Date().toISOString() };
    }),
  },
});
