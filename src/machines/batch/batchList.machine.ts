import { assign, setup } from 'xstate';
import type { BatchRecord } from '#contract/batch.ts';
import type { Facts } from '#contract/facts.ts';
import { checks, gates, lacks, noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from '../gate.ts';
import { arrive, arrives, failureOf, port } from '../port.ts';
import { batchList } from './journeys.ts';

/** A row of the list: what is kept here, and the status before it was last polled from this page. */
interface BatchRow extends BatchRecord {
  before?: string;
}

type Polled = Required<Pick<BatchRecord, 'status' | 'readAt'>>;

interface Context extends JourneyContext {
  batches: readonly BatchRow[];
  /** The batch polled last, '' if none was. */
  chosen: string;
}

/** What the last poll has brought, in a sentence; '' if there was none. */
export function newsOf({ batches, chosen }: Pick<Context, 'batches' | 'chosen'>): string {
  const { batchId, status, before } = batches.find((batch) => batch.batchId === chosen) ?? {};
  if (before === undefined) return '';
  return before === status
    ? `Batch ${batchId} is still ${status}`
    : `Batch ${batchId} was ${before}, and is ${status} now`;
}

/**
 * The posted batches; each can be polled for an update (behaviour, section 2). Ports: `loadBatches`, the newest first;
 * `pollBatch`, the batch's status now and when it was read (ISO time).
 */
export const batchListMachine = setup({
  types: {
    context: {} as Context,
    events: {} as JourneyEvent | { type: 'batch.poll'; id: string },
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: {
    loadBatches: port<void, { facts: Facts; batches: BatchRecord[] }>('reads', arrive('The batches')),
    pollBatch: port<{ batchId: string }, Polled>('reads', arrives('The status')),
  },
  guards: {
    lacks,
    exists: ({ context, event }) =>
      event.type === 'batch.poll' && context.batches.some(({ batchId }) => batchId === event.id),
  },
  actions: {
    choose: assign(({ event }) => (event.type === 'batch.poll' ? { chosen: event.id } : {})),
    keepStatus: assign(({ context }, polled: Polled) => ({
      batches: context.batches.map((batch) =>
        batch.batchId === context.chosen ? { ...batch, ...polled, before: batch.status } : batch,
      ),
    })),
    forgetFailure: assign({ failure: null }),
    fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
  },
}).createMachine({
  id: batchList.id,
  context: { ...noFacts, batches: [], chosen: '' },
  initial: 'loading',
  states: {
    loading: {
      tags: ['busy'],
      meta: { description: 'Reads the posted batches' },
      entry: 'forgetFailure',
      invoke: {
        id: 'loadBatches',
        src: 'loadBatches',
        onDone: { target: 'checking', actions: assign(({ event }) => event.output) },
        onError: { target: 'unavailable', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    unavailable: {
      tags: ['failed'],
      meta: { description: 'The batches could not be read' },
      on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    checking: { always: checks(batchList.requires, 'listing') },
    ...gates(batchList.requires),
    listing: {
      tags: ['list'],
      meta: { description: 'The batches are listed' },
      on: {
        'batch.poll': { guard: 'exists', target: 'polling', actions: 'choose' },
        'form.cancel': { target: 'cancelled' },
      },
    },
    polling: {
      tags: ['list', 'busy'],
      meta: { description: 'Asks for one batch' },
      entry: 'forgetFailure',
      invoke: {
        id: 'pollBatch',
        src: 'pollBatch',
        input: ({ context }) => ({ batchId: context.chosen }),
        onDone: { target: 'listing', actions: { type: 'keepStatus', params: ({ event }) => event.output } },
        onError: { target: 'stalled', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    stalled: {
      tags: ['list', 'failed'],
      meta: { description: 'Asking for a batch failed; the list is as it was' },
      on: {
        retry: { target: 'polling' },
        'batch.poll': { guard: 'exists', target: 'polling', actions: 'choose' },
        'form.cancel': { target: 'cancelled' },
      },
    },
    cancelled: { type: 'final', meta: { description: 'The journey is left' } },
  },
});
