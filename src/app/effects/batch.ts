import type { BatchRecord } from '#contract/batch.ts';
import { parseAsWritten } from '#contract/json.ts';
import { batchApproval, batchMachine } from '#machines/batch/batch.machine.ts';
import type { BatchView } from '#machines/batch/batch.ts';
import { provideApproval } from '#machines/lib/approval.machine.ts';
import { batchListMachine } from '#machines/batch/batchList.machine.ts';
import { withWakeups, provideEffects } from '#machines/lib/effect.ts';
import { outcomeTotals } from '#rules/batch.ts';
import { textAt } from '#rules/path.ts';
import { serverTime } from '#ui/clock.ts';
import { call } from '../client/client.ts';
import { subscribeToRecord } from '../client/recordEvents.ts';
import type { JourneyCode } from '#machines/console.ts';

/** The stored records of the posted batches, latest last. */
async function postedBatches(signal: AbortSignal): Promise<BatchRecord[]> {
  const { data } = await call('getPostedBatches', { signal });
  return JSON.parse(data) as BatchRecord[]; // the server assembles the list by the contract's shape
}

async function readBatch(params: { batchId: string }, signal: AbortSignal): Promise<BatchView> {
  const answer = await call('getBatch', { params, query: { raw: 'true' }, signal });
  const link = answer.links?.authorise ?? '';
  return {
    batch: answer.data,
    paymentFile: answer.links?.paymentFile ?? '',
    errors: answer.error?.detail ?? [],
    references: answer.references ?? [],
    ended: answer.ended ?? '',
    waits: answer.waits ?? [],
    staysPaid: answer.staysPaid ?? [],
    authorise: {
      link: answer.followed ? link : '',
      elsewhere: answer.followed ? '' : link,
      expiresAt: textAt(answer.links, 'authoriseExpiresAt'),
    },
    raw: parseAsWritten(answer.raw ?? 'null'),
    readAt: serverTime(),
  };
}

const followBatch = withWakeups(readBatch, ({ batchId }, wake) => subscribeToRecord(batchId, wake));

/** The batch id in the address; '' stands for the latest batch. */
const batchInput = (query: URLSearchParams) => ({ batchId: query.get('batchId') ?? '' });

export const batch = {
  machine: provideEffects(batchMachine, {
    findBatch: async ({ batchId }, signal) => {
      const records = await postedBatches(signal);
      return { record: records.find((record) => record.batchId === batchId) ?? null };
    },
    readBatch,
    followBatch,
    hearBatch: followBatch,
    approval: provideApproval(batchApproval, followBatch),
    downloadFile: async ({ batchId, link }, signal) => ({
      // The link may have expired: the server reads the batch and follows a new one (wire, section 5.4).
      file: await call('downloadPaymentFile', { params: { link }, query: { batchId }, signal }),
    }),
  }),
  input: batchInput,
} satisfies JourneyCode;

export const batchList = {
  machine: provideEffects(batchListMachine, {
    loadBatches: async (_, signal) => ({ batches: (await postedBatches(signal)).toReversed() }),
    pollBatch: async (params, signal) => {
      const { data, ended } = await call('getBatch', { params, signal });
      const totals = outcomeTotals(data.payments, data.status);
      return {
        status: data.status,
        readAt: serverTime(),
        ...(ended !== undefined && { ended }),
        ...(totals && { totals }),
      };
    },
  }),
} satisfies JourneyCode;
