import { assign, emit, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import { effect, type EffectTexts } from '../lib/effect.ts';
import type { Meta, Tag } from '../lib/gate.ts';
import { failsTo, journeyActions } from '../lib/journeyActions.ts';

/** What an opened file leads to: its page, and what of it could not be set again, one sentence each. */
interface OpenedSituation {
  step: string;
  notes: readonly string[];
}

interface SituationContext {
  file: File | null;
  opened: OpenedSituation | null;
  failure: Problem | null;
}

type SituationEvent =
  { type: 'file.choose'; file: File } | { type: 'confirm' } | { type: 'dismiss' } | { type: 'leave' };

const words: EffectTexts = { answers: 'It is opened', fails: 'It is refused, or no response arrives' };

const chooses = { target: 'asking', actions: 'assignFile', description: 'Choose a situation file' } as const;
const dismisses = { target: 'dismissed', description: pressLabel('Cancel') } as const;

const outputOf = ({ event }: { event: { output: OpenedSituation } }) => event.output;

/**
 * Opens a situation file in the sandbox once the user confirms. Effect: `open`. Emits `situation.opened` with the page
 * that the file names, at once or, if something could not be set again, once the user has read it; `situation.dismissed`
 * where none is opened. What was begun is not dismissed: the page would go on to show what the sandbox no longer has.
 */
export const situationFileMachine = setup({
  types: {
    context: {} as SituationContext,
    events: {} as SituationEvent,
    emitted: {} as
      { type: 'facts.changed' } | { type: 'situation.opened'; step: string } | { type: 'situation.dismissed' },
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: { open: effect<File | null, OpenedSituation>('writes', words) },
  guards: {
    isComplete: describedGuard(
      'everything was set again',
      (_: object, { notes }: OpenedSituation) => notes.length === 0,
    ),
  },
  actions: {
    assignFile: assign(({ event }) => (event.type === 'file.choose' ? { file: event.file, failure: null } : {})),
    assignOpened: assign((_, opened: OpenedSituation) => ({ opened, file: null })),
    emitOpened: emit(({ context }) => ({ type: 'situation.opened', step: context.opened?.step ?? '/' }) as const),
    emitDismissed: emit({ type: 'situation.dismissed' }),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'situationFile',
    context: { file: null, opened: null, failure: null },
    initial: 'resting',
    states: {
      resting: {
        meta: { description: 'A situation file can be opened' },
        on: { 'file.choose': chooses, dismiss: dismisses },
      },
      asking: {
        meta: { description: 'Asks before everything in the sandbox is replaced' },
        on: {
          confirm: { target: 'opening', description: pressLabel('Open situation') },
          'file.choose': chooses,
          dismiss: dismisses,
        },
      },
      opening: {
        tags: ['busy'],
        meta: { description: 'The situation is opened' },
        invoke: {
          id: 'open',
          src: 'open',
          input: ({ context }) => context.file,
          onDone: [
            {
              guard: { type: 'isComplete', params: outputOf },
              target: 'opened',
              actions: { type: 'assignOpened', params: outputOf },
            },
            { target: 'incomplete', actions: { type: 'assignOpened', params: outputOf } },
          ],
          onError: failsTo('refused'),
        },
      },
      incomplete: {
        meta: { description: 'It is opened, but something could not be set again' },
        on: {
          leave: { target: 'opened', description: pressLabel('Go to its page') },
          dismiss: { target: 'opened', description: 'Press Escape' },
        },
      },
      opened: { type: 'final', meta: { description: 'The page of the situation opens' }, entry: 'emitOpened' },
      dismissed: { type: 'final', meta: { description: 'No situation was opened' }, entry: 'emitDismissed' },
      refused: {
        tags: ['failed'],
        meta: { description: 'The situation was not opened, or the outcome is unknown' },
        entry: 'emitFactsChanged',
        on: { 'file.choose': chooses, dismiss: dismisses },
      },
    },
  });
