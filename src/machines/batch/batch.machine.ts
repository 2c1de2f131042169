import { assign } from 'xstate';
import { pressLabel } from '../lib/describe.ts';
import { blockedState, cancelledState, finalOutput, storesFacts } from '../lib/gate.ts';
import { assignsFailure, failsTo, mirrored } from '../lib/journeyActions.ts';
import { readingIn } from '../lib/poll.ts';
import { latestOf, type BatchView } from './batch.ts';
import { batchSetup, idOf } from './batch.setup.ts';
import { batch } from './journeys.ts';

const authorises = { guard: 'mayAuthorise', target: 'approving', description: pressLabel('Authorise') } as const;
/** Transitions of a batch at rest; both discard the failure of the one before. */
const readsAgain = { target: 'reading', actions: 'clearFailure', description: pressLabel('Refresh') } as const;
const downloads = {
  guard: 'hasFile',
  target: 'downloading',
  actions: 'clearFailure',
  description: pressLabel('Download bank file'),
} as const;

/**
 * Follows one batch, given by id or the current one, to an end status, and downloads its file (behaviour, sections 2
 * and 4). Each reading returns a fresh link when the old one has expired (wire, section 5.4).
 */
export const batchMachine = batchSetup.createMachine({
  id: batch.id,
  context: ({ input: { facts, batchId } }) => ({
    facts,
    failure: null,
    batchId: batchId || latestOf(facts),
    record: null,
    view: null,
    invoked: null,
    file: null,
    overdue: false,
  }),
  initial: 'opened',
  on: { 'facts.arrived': { actions: [storesFacts.actions, 'assignLatest'] } },
  output: finalOutput,
  states: {
    // A batch named in the address can be followed, whatever was posted from here.
    opened: { always: [{ guard: 'isNamed', target: 'loading' }, { target: 'checking' }] },
    checking: {
      always: [
        { guard: 'isBlocked', target: 'blocked' },
        { target: 'loading', actions: 'assignLatest' },
      ],
    },
    blocked: blockedState(batch.requires),
    loading: {
      tags: ['busy'],
      description: 'Looks up the stored record of the batch',
      entry: 'clearFailure',
      invoke: {
        id: 'findBatch',
        src: 'findBatch',
        input: idOf,
        onDone: { target: 'opening', actions: assign(({ event }) => event.output) },
        onError: failsTo('unavailable'),
      },
    },
    unavailable: {
      tags: ['failed'],
      description: 'The batch could not be read',
      // A record that the batch depends on may have been deleted.
      entry: 'emitFactsChanged',
      on: { retry: { guard: 'canHelp', target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    opening: {
      tags: ['busy'],
      description: 'Reads the batch for the first time',
      invoke: {
        id: 'readBatch',
        src: 'readBatch',
        input: idOf,
        onDone: { target: 'deciding', actions: assign({ view: ({ event }) => event.output }) },
        onError: [{ guard: 'isKept', target: 'stalled', actions: assignsFailure }, failsTo('unavailable')],
      },
    },
    deciding: { always: [{ guard: 'hasEnded', target: 'settled', actions: 'emitNews' }, { target: 'following' }] },
    following: {
      tags: ['list'],
      description: 'The batch is in progress and is polled until it ends',
      on: { 'authorise.open': authorises, 'batch.read': readsAgain, 'form.cancel': { target: 'cancelled' } },
      invoke: {
        id: 'followBatch',
        src: 'followBatch',
        input: idOf,
        onSnapshot: [
          {
            guard: { type: 'isEnd', params: ({ event }) => readingIn(event) },
            target: 'settled',
            actions: [{ type: 'assignReading', params: ({ event }) => readingIn(event) }, 'emitNews'],
          },
          { actions: { type: 'assignReading', params: ({ event }) => readingIn(event) } },
        ],
        onError: failsTo('stalled'),
      },
    },
    reading: {
      tags: ['list'],
      description: 'Asks for the batch at once',
      on: { 'form.cancel': { target: 'cancelled' } },
      invoke: {
        id: 'readBatch',
        src: 'readBatch',
        input: idOf,
        onDone: { target: 'deciding', actions: assign({ view: ({ event }) => event.output }) },
        onError: failsTo('stalled'),
      },
    },
    stalled: {
      tags: ['list', 'failed'],
      description: 'Asking failed; the batch is shown as last seen',
      entry: 'emitFactsChanged',
      on: {
        retry: { guard: 'canHelp', target: 'reading', actions: 'clearFailure' },
        'authorise.open': authorises,
        'batch.read': readsAgain,
        'file.download': downloads,
        'form.cancel': { target: 'cancelled' },
      },
    },
    approving: {
      tags: ['list'],
      entry: 'clearFailure',
      exit: 'forgetInvoked',
      description: 'The provider’s page is open, on which the batch is approved',
      on: {
        retry: { guard: 'isTaken', actions: 'passOnToApproval' },
        'authorise.close': { target: 'reading', description: pressLabel('Close approval page') },
        'form.cancel': { target: 'cancelled' },
      },
      invoke: {
        id: 'approval',
        src: 'approval',
        // Entered only with a link, which its view has.
        input: ({ context }) => ({ asked: idOf({ context }), known: context.view as BatchView }),
        onSnapshot: {
          actions: [mirrored, { type: 'assignApproval', params: ({ event }) => event.snapshot.context.known }],
        },
        onDone: { target: 'deciding', actions: { type: 'assignApproval', params: ({ event }) => event.output } },
      },
    },
    settled: {
      tags: ['list'],
      description: 'The batch has reached an end status',
      on: { 'batch.read': readsAgain, 'file.download': downloads, 'form.cancel': { target: 'cancelled' } },
    },
    downloading: {
      tags: ['list', 'busy'],
      description: 'Downloads the bank file through a fresh link',
      invoke: {
        id: 'downloadFile',
        src: 'downloadFile',
        input: ({ context }) => ({ batchId: context.batchId, link: context.view?.paymentFile ?? '' }),
        onDone: { target: 'settled', actions: assign(({ event }) => event.output) },
        onError: failsTo('undelivered'),
      },
    },
    undelivered: {
      tags: ['list', 'failed'],
      description: 'The bank file could not be downloaded',
      on: {
        retry: { guard: 'canHelp', target: 'downloading', actions: 'clearFailure' },
        'batch.read': readsAgain,
        'file.download': downloads,
        'form.cancel': { target: 'cancelled' },
      },
    },
    cancelled: cancelledState,
  },
});
