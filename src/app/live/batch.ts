import type { BatchRecord } from '#contract/entities.ts';
import { batchMachine, type BatchView } from '#machines/batch.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { textAt } from '#rules/path.ts';
import { call } from '../client.ts';
import { masked } from '../mask.ts';

async function readBatch(params: { batchId: string }, signal: AbortSignal): Promise<BatchView> {
  const answer = await call('getBatch', { params, signal });
  const link = answer.links?.authorise ?? '';
  return {
    batch: answer.data,
    paymentFile: answer.links?.paymentFile ?? '',
    errors: answer.error?.detail ?? [],
    authorise: {
      link: answer.followed ? link : '',
      elsewhere: answer.followed ? '' : link,
      expiresAt: textAt(answer.links, 'authoriseExpiresAt'),
    },
    // The link to the file carries a token of its own.
    raw: masked(answer),
    readAt: new Date().toISOString(),
  };
}

/** The batch in the address, else the latest one. */
export const input = (query: URLSearchParams) => ({ batchId: query.get('batchId') ?? '' });

export const machine = batchMachine.provide({
  actors: {
    findBatch: fulfil(port('findBatch'), async (named, signal) => {
      const [settings, { data }] = await Promise.all([
        call('getSettings', { signal }),
        call('getPostedBatches', { signal }),
      ]);
      const batchId = named.batchId || settings.batchId;
      const records = JSON.parse(data) as BatchRecord[]; // the server assembles the list by the contract's shape
      return { batchId, record: records.find((record) => record.batchId === batchId) ?? null };
    }),
    readBatch: fulfil(port('readBatch'), readBatch),
    downloadFile: fulfil(port('downloadFile'), async ({ batchId }, signal) => {
      // The link that was seen may have died, each reading gives a fresh one (wire, section 5.4).
      const { paymentFile } = await readBatch({ batchId }, signal);
      return { file: await call('downloadPaymentFile', { params: { link: paymentFile }, signal }) };
    }),
  },
});
