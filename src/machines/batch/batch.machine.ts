import { assign, enqueueActions, sendTo, setup } from 'xstate';
import type { BatchRecord, PaymentFile } from '#contract/batch.ts';
import { approvalChart } from '../lib/approval.machine.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import { effect, readOneTexts } from '../lib/effect.ts';
import {
  blockedState,
  cancelledState,
  finalOutput,
  isBlocked,
  journeyTypes,
  storesFacts,
  type JourneyContext,
} from '../lib/gate.ts';
import {
  assignsFailure,
  failsTo,
  invokingActions,
  journeyActions,
  journeyGuards,
  mirrored,
} from '../lib/journeyActions.ts';
import type { AuthoriseEvent } from '../lib/messageOutcome.ts';
import { poll, readingIn, type Reading } from '../lib/poll.ts';
import { isTaken, type Invoking } from '../lib/state.ts';
import { authoriseOf, hasEnded, latestOf, type BatchView, isNew } from './batch.ts';
import { outcomeTotals } from '#rules/batch.ts';
import { batch } from './journeys.ts';

/** The effect that polls a batch. */
const followBatch = poll<{ batchId: string }, BatchView>(readOneTexts('The batch'));

/** The effect that reads a batch on news of it after its end, and once a minute: payments may come back. */
const hearBatch = poll<{ batchId: string }, BatchView>(readOneTexts('The batch'), { interval: 60_000 });

/** The page on which a person approves a batch: open while the provider's link stands. */
export const batchApproval = approvalChart<{ batchId: string }, BatchView>((view) => authoriseOf(view).link === '');

interface BatchContext extends JourneyContext, Invoking {
  /** '' if no batch was posted. */
  batchId: string;
  /** The stored record of the batch; null if there is none. */
  record: BatchRecord | null;
  view: BatchView | null;
  file: PaymentFile | null;
  /** Whether the batch has been in progress for longer than expected since it was first read. */
  overdue: boolean;
}

interface Args {
  context: BatchContext;
}

const idOf = ({ context }: Args) => ({ batchId: context.batchId });

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
 * and 4). Each reading returns a fresh link when the old one has expired (wire, section 5.4). Effects: `findBatch`
 * (returns the stored record), `readBatch`, `followBatch`, `hearBatch`, `downloadFile`; those of its approval.
 */
export const batchMachine = setup({
  types: journeyTypes<{
    context: BatchContext;
    events: AuthoriseEvent | { type: 'batch.read' | 'file.download' };
    input: { batchId: string };
  }>(),
  actors: {
    findBatch: effect<{ batchId: string }, { record: BatchRecord | null }>('reads', {
      answers: 'The batch is looked up',
      fails: 'The batch cannot be looked up',
    }),
    readBatch: effect<{ batchId: string }, BatchView>('reads', readOneTexts('The batch')),
    followBatch,
    hearBatch,
    approval: batchApproval,
    downloadFile: effect<{ batchId: string; link: string }, { file: PaymentFile }>(
      'reads',
      readOneTexts('The bank file'),
    ),
  },
  guards: {
    isBlocked: isBlocked(batch.requires),
    isNamed: describedGuard('a batch is named', ({ context }: Args) => context.batchId !== ''),
    isKept: describedGuard('it is stored here', ({ context }: Args) => context.record !== null),
    hasEnded: describedGuard('it has ended', ({ context }: Args) => hasEnded(context.view)),
    isOpen: describedGuard(
      'it is in progress again',
      (_: object, { answer }: Reading<BatchView>) => answer !== null && !hasEnded(answer),
    ),
    isRead: describedGuard('it was read', (_: object, { answer }: Reading<BatchView>) => answer !== null),
    isEnd: describedGuard('it has ended', (_: object, { answer }: Reading<BatchView>) => hasEnded(answer)),
    mayAuthorise: describedGuard(
      'the batch requires authorisation',
      ({ context: { view } }: Args) => view !== null && authoriseOf(view).link !== '',
    ),
    isTaken,
    hasFile: describedGuard(
      'it has ended with a file',
      ({ context: { view } }: Args) => hasEnded(view) && (view?.paymentFile ?? '') !== '',
    ),
  },
  actions: {
    assignLatest: assign(({ context }) => ({ batchId: context.batchId || latestOf(context.facts) })),
    emitNews: enqueueActions(({ context: { facts, batchId, view }, enqueue }) => {
      if (!view) return;
      const { status, payments } = view.batch;
      if (isNew(facts, batchId, { status, totals: outcomeTotals(payments, status) }))
        enqueue.emit({ type: 'facts.changed' });
    }),
    passOnToApproval: sendTo('approval', ({ event }) => event),
    assignApproval: assign((_, view: BatchView) => ({ view })),
    assignReading: assign(({ context }, { answer, overdue }: Reading<BatchView>) => ({
      view: answer ?? context.view,
      overdue,
    })),
  },
})
  .extend({ guards: journeyGuards, actions: journeyActions })
  .extend({ actions: invokingActions })
  .createMachine({
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
          'authorise.close': {
            target: 'reading',
            actions: 'clearFailure',
            description: pressLabel('Close approval page'),
          },
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
        description: 'The batch has reached an end status; a payment of it may come back',
        on: { 'batch.read': readsAgain, 'file.download': downloads, 'form.cancel': { target: 'cancelled' } },
        invoke: {
          id: 'hearBatch',
          src: 'hearBatch',
          input: idOf,
          onSnapshot: [
            {
              guard: { type: 'isOpen', params: ({ event }) => readingIn(event) },
              target: 'following',
              actions: { type: 'assignReading', params: ({ event }) => readingIn(event) },
            },
            {
              guard: { type: 'isRead', params: ({ event }) => readingIn(event) },
              actions: [{ type: 'assignReading', params: ({ event }) => readingIn(event) }, 'emitNews'],
            },
          ],
          onError: failsTo('stalled'),
        },
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
