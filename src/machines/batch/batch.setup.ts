import { assign, enqueueActions, sendTo, setup } from 'xstate';
import type { BatchRecord, PaymentFile } from '#contract/batch.ts';
import { approvalChart } from '../lib/approval.machine.ts';
import { describedGuard } from '../lib/describe.ts';
import { effect, readOneTexts } from '../lib/effect.ts';
import { isBlocked, type JourneyContext, journeyTypes } from '../lib/gate.ts';
import { invokingActions, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import type { AuthoriseEvent } from '../lib/messageOutcome.ts';
import { poll, type Reading } from '../lib/poll.ts';
import { isTaken, type Invoking } from '../lib/state.ts';
import { authoriseOf, hasEnded, latestOf, type BatchView } from './batch.ts';
import { isStatusNew } from './isStatusNew.ts';
import { batch } from './journeys.ts';

/** The effect that polls a batch. */
const followBatch = poll<{ batchId: string }, BatchView>(readOneTexts('The batch'));

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

export const idOf = ({ context }: Args) => ({ batchId: context.batchId });

/**
 * The types, effects, guards and actions of the page of one batch. Effects: `findBatch` (returns the stored record),
 * `readBatch`, `followBatch`, `downloadFile`; those of its approval.
 */
export const batchSetup = setup({
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
      if (view && isStatusNew(facts, { batchId, status: view.batch.status })) enqueue.emit({ type: 'facts.changed' });
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
  .extend({ actions: invokingActions });
