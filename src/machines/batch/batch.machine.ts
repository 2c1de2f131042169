import { assign, setup } from 'xstate';
import { batchEndStatuses } from '#contract/constants.ts';
import type { Batch, BatchError, BatchRecord } from '#contract/batch.ts';
import { noFacts, type JourneyContext, type JourneyEvent, type Meta, type Tag } from '../gate.ts';
import { poll, type PollEvent } from '../poll.ts';
import { arrives, failureOf, port } from '../port.ts';

/** `link` may be followed; `elsewhere` does not lead to a provider's pages. '' for what there is not; an ISO time. */
export interface AuthoriseLink {
  link: string;
  elsewhere: string;
  expiresAt: string;
}

/** A batch as it was read: status, errors, the link to its file; `raw` is the whole answer (behaviour, section 2). */
export interface BatchView {
  batch: Batch;
  paymentFile: string;
  errors: BatchError[];
  /** Where a person has to approve it, if the service says so. */
  authorise: AuthoriseLink;
  raw: unknown;
  /** When it was read, an ISO time. */
  readAt: string;
}

const hasEnded = (view: BatchView | null): boolean => batchEndStatuses.includes(view?.batch.status ?? '');

/** The port that reads a batch until it has ended. */
const followBatch = poll<{ batchId: string }, BatchView>(arrives('The batch'), { isEnough: hasEnded });

/** What the batch waits for: nothing, once it has ended. */
export const authoriseOf = (view: BatchView): AuthoriseLink =>
  hasEnded(view) ? { link: '', elsewhere: '', expiresAt: '' } : view.authorise;

/**
 * Following one batch to an end status, and downloading its file (behaviour, sections 2 and 4). Reading gives a fresh link
 * when the old one has died (wire, section 5.4). Ports: `findBatch` (the batch named, else the current one, ''
 * if none was posted; and what is kept here of it, null if nothing), `readBatch`, `downloadFile`.
 */
export const batchMachine = setup({
  types: {
    context: {} as JourneyContext & {
      batchId: string;
      record: BatchRecord | null;
      view: BatchView | null;
      file: string;
      /** It has been under way for long since it was read first. */
      overdue: boolean;
    },
    events: {} as
      JourneyEvent | PollEvent<'followBatch', BatchView> | { type: 'batch.read' } | { type: 'file.download' },
    input: {} as { batchId: string },
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: {
    findBatch: port<{ batchId: string }, { batchId: string; record: BatchRecord | null }>('reads', {
      answers: 'The batch is looked up',
      fails: 'The batch cannot be looked up',
    }),
    readBatch: port<{ batchId: string }, BatchView>('reads', arrives('The batch')),
    followBatch,
    downloadFile: port<{ batchId: string }, { file: string }>('reads', arrives('The bank file')),
  },
  guards: {
    isNone: ({ context }) => context.batchId === '',
    isKept: ({ context }) => context.record !== null,
    hasEnded: ({ context }) => hasEnded(context.view),
    hasFile: ({ context }) => (context.view?.paymentFile ?? '') !== '',
  },
  actions: {
    forgetFailure: assign({ failure: null }),
    see: assign(({ context, event }) =>
      event.type === 'poll.told.followBatch' ? { view: event.answer ?? context.view, overdue: event.overdue } : {},
    ),
    fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
  },
}).createMachine({
  id: 'batch',
  context: ({ input }) => ({ ...noFacts, batchId: input.batchId, record: null, view: null, file: '', overdue: false }),
  initial: 'loading',
  states: {
    loading: {
      tags: ['busy'],
      meta: { description: 'Finds the batch to follow' },
      entry: 'forgetFailure',
      invoke: {
        id: 'findBatch',
        src: 'findBatch',
        input: ({ context }) => ({ batchId: context.batchId }),
        onDone: { target: 'finding', actions: assign(({ event }) => event.output) },
        onError: { target: 'unavailable', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    unavailable: {
      tags: ['failed'],
      meta: { description: 'The batch could not be read' },
      on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    finding: { always: [{ guard: 'isNone', target: 'empty' }, { target: 'opening' }] },
    empty: {
      tags: ['list'],
      meta: { description: 'No batch was posted yet' },
      on: { 'form.cancel': { target: 'cancelled' } },
    },
    opening: {
      tags: ['busy'],
      meta: { description: 'Reads the batch for the first time' },
      invoke: {
        id: 'readBatch',
        src: 'readBatch',
        input: ({ context }) => ({ batchId: context.batchId }),
        onDone: { target: 'deciding', actions: assign({ view: ({ event }) => event.output }) },
        onError: [
          {
            guard: 'isKept',
            target: 'stalled',
            actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) },
          },
          { target: 'unavailable', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
        ],
      },
    },
    deciding: { always: [{ guard: 'hasEnded', target: 'settled' }, { target: 'following' }] },
    following: {
      tags: ['list'],
      meta: { description: 'The batch is under way and is asked for again and again' },
      on: {
        'poll.told.followBatch': { actions: 'see' },
        'batch.read': { target: 'reading' },
        'form.cancel': { target: 'cancelled' },
      },
      invoke: {
        id: 'followBatch',
        src: 'followBatch',
        input: ({ context }) => ({ batchId: context.batchId }),
        onDone: { target: 'settled', actions: assign({ view: ({ event }) => event.output }) },
        onError: { target: 'stalled', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    reading: {
      tags: ['list'],
      meta: { description: 'Asks for the batch at once' },
      on: { 'form.cancel': { target: 'cancelled' } },
      invoke: {
        id: 'readBatch',
        src: 'readBatch',
        input: ({ context }) => ({ batchId: context.batchId }),
        onDone: { target: 'deciding', actions: assign({ view: ({ event }) => event.output }) },
        onError: { target: 'stalled', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    stalled: {
      tags: ['list', 'failed'],
      meta: { description: 'Asking failed; the batch is shown as last seen' },
      on: { retry: { target: 'reading', actions: 'forgetFailure' }, 'form.cancel': { target: 'cancelled' } },
    },
    settled: {
      tags: ['list'],
      meta: { description: 'The batch has reached an end status' },
      on: {
        'batch.read': { target: 'reading' },
        'file.download': { guard: 'hasFile', target: 'downloading' },
        'form.cancel': { target: 'cancelled' },
      },
    },
    downloading: {
      tags: ['list', 'busy'],
      meta: { description: 'Downloads the bank file through a fresh link' },
      invoke: {
        id: 'downloadFile',
        src: 'downloadFile',
        input: ({ context }) => ({ batchId: context.batchId }),
        onDone: { target: 'settled', actions: assign(({ event }) => event.output) },
        onError: { target: 'undelivered', actions: { type: 'fail', params: ({ event }) => ({ error: event.error }) } },
      },
    },
    undelivered: {
      tags: ['list', 'failed'],
      meta: { description: 'The bank file could not be downloaded' },
      on: {
        retry: { target: 'downloading', actions: 'forgetFailure' },
        'file.download': { target: 'downloading', actions: 'forgetFailure' },
        'form.cancel': { target: 'cancelled' },
      },
    },
    cancelled: { type: 'final', meta: { description: 'The journey is left' } },
  },
});
