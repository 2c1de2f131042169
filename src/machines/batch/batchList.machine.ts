import { assign, enqueueActions, setup } from 'xstate';
import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import type { SaidStatus } from '#contract/status.ts';
import {
  blockedState,
  isBlocked,
  storesFacts,
  cancelledState,
  checkingState,
  finalOutput,
  type JourneyContext,
  type JourneyEvent,
  journeyTypes,
} from '../lib/gate.ts';
import { readTexts, readOneTexts, effect } from '../lib/effect.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import { standingOf } from '#rules/batch.ts';
import { batchList } from './journeys.ts';
import { isNew } from './batch.ts';

/** A row of the list: the stored record; `before` is how it stood before this page last polled it. */
interface BatchRow extends BatchRecord {
  before?: string;
}

type Polled = SaidStatus & Required<Pick<BatchRecord, 'readAt'>> & Pick<BatchRecord, 'totals'>;

/** A row with what was read last: a member that this has no more, the row has no more either. */
const withLatest = ({ ended: _, ...row }: BatchRow, latest: BatchRecord | Polled): BatchRow => ({ ...row, ...latest });

interface Context extends JourneyContext {
  batches: readonly BatchRow[];
  /** The id of the batch polled last; '' if there was none. */
  chosen: string;
}

/** The result of the last poll in a sentence; '' if there was none. */
export function newsOf({ batches, chosen }: Pick<Context, 'batches' | 'chosen'>): string {
  const row = batches.find((batch) => batch.batchId === chosen);
  if (row?.before === undefined) return '';
  const { batchId, before } = row;
  const { status } = standingOf(row.status, row.totals);
  return before === status
    ? `Batch ${batchId} is still ${status}`
    : `Batch ${batchId} was ${before}, and is ${status} now`;
}

/** The rows with the records that the facts hold: new ones, and new statuses. */
function withRecords({ batches }: Pick<Context, 'batches'>, { settings }: Facts): BatchRow[] {
  const latest = new Map(
    (JSON.parse(settings.postedBatches) as BatchRecord[]).map((record) => [record.batchId, record]), // the server assembles the list
  );
  const known = batches.map((row) => withLatest(row, latest.get(row.batchId) ?? row));
  const ids = new Set(batches.map(({ batchId }) => batchId));
  return [...[...latest.values()].filter(({ batchId }) => !ids.has(batchId)).reverse(), ...known];
}

type ListEvent = JourneyEvent | { type: 'batch.poll'; id: string };

const polls = {
  guard: 'exists',
  target: 'polling',
  actions: 'chooseBatch',
  description: pressLabel('Poll For Update'),
} as const;

/**
 * Lists the posted batches; each can be polled for an update (behaviour, section 2). Effects: `loadBatches` returns them
 * newest first; `pollBatch` returns the batch's current status, the totals of its payments, and the time of reading (ISO time).
 */
export const batchListMachine = setup({
  types: journeyTypes<{ context: Context; events: ListEvent }>(),
  actors: {
    loadBatches: effect<void, { batches: BatchRecord[] }>('reads', readTexts('The batches')),
    pollBatch: effect<{ batchId: string }, Polled>('reads', readOneTexts('The status')),
  },
  guards: {
    isBlocked: isBlocked(batchList.requires),
    exists: describedGuard(
      'the row is there',
      ({ context, event }: { context: Context; event: ListEvent }) =>
        event.type === 'batch.poll' && context.batches.some(({ batchId }) => batchId === event.id),
    ),
  },
  actions: {
    assignRecords: assign(({ context }) => ({ batches: withRecords(context, context.facts) })),
    emitNews: enqueueActions(({ context: { facts, chosen }, enqueue }, polled: Polled) => {
      if (isNew(facts, chosen, polled)) enqueue.emit({ type: 'facts.changed' });
    }),
    chooseBatch: assign(({ event }) => (event.type === 'batch.poll' ? { chosen: event.id } : {})),
    assignStatus: assign(({ context }, polled: Polled) => ({
      batches: context.batches.map((batch) =>
        batch.batchId === context.chosen
          ? { ...withLatest(batch, polled), before: standingOf(batch.status, batch.totals).status }
          : batch,
      ),
    })),
  },
})
  .extend({ guards: journeyGuards, actions: journeyActions })
  .createMachine({
    id: batchList.id,
    context: ({ input }) => ({ facts: input.facts, failure: null, batches: [], chosen: '' }),
    initial: 'checking',
    on: { 'facts.arrived': { actions: [storesFacts.actions, 'assignRecords'] } },
    output: finalOutput,
    states: {
      checking: checkingState('loading'),
      blocked: blockedState(batchList.requires),
      loading: {
        tags: ['busy'],
        description: 'Reads the posted batches',
        entry: 'clearFailure',
        invoke: {
          id: 'loadBatches',
          src: 'loadBatches',
          onDone: { target: 'listing', actions: assign(({ event }) => event.output) },
          onError: failsTo('unavailable'),
        },
      },
      unavailable: {
        tags: ['failed'],
        description: 'The batches could not be read',
        on: { retry: { guard: 'canHelp', target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
      },
      listing: {
        tags: ['list'],
        description: 'The batches are listed',
        on: { 'batch.poll': polls, 'form.cancel': { target: 'cancelled' } },
      },
      polling: {
        tags: ['list', 'busy'],
        description: 'Asks for one batch',
        entry: 'clearFailure',
        invoke: {
          id: 'pollBatch',
          src: 'pollBatch',
          input: ({ context }) => ({ batchId: context.chosen }),
          onDone: {
            target: 'listing',
            actions: [
              { type: 'assignStatus', params: ({ event }) => event.output },
              { type: 'emitNews', params: ({ event }) => event.output },
            ],
          },
          onError: failsTo('stalled'),
        },
      },
      stalled: {
        tags: ['list', 'failed'],
        description: 'Asking for a batch failed; the list is as it was',
        // A record that the batch depends on may have been deleted.
        entry: 'emitFactsChanged',
        on: {
          'batch.poll': polls,
          'form.cancel': { target: 'cancelled' },
          retry: { guard: 'canHelp', target: 'polling' },
        },
      },
      cancelled: cancelledState,
    },
  });
