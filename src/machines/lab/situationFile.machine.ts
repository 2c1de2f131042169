import { assign, emit, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import type { SituationOwner } from '#contract/situation.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import { actionTexts, effect, type EffectTexts } from '../lib/effect.ts';
import type { Meta, Tag } from '../lib/gate.ts';
import { assignsFailure, failsTo, journeyActions } from '../lib/journeyActions.ts';

/** What opening a file would do: the companies that it has, and those of the console that it would end. */
export interface CheckedSituation {
  /** An ISO time. */
  savedAt: string;
  opens: readonly SituationOwner[];
  ends: readonly SituationOwner[];
}

/** What an opened file leads to: its page, the companies that ended, and what could not be set again, one sentence each. */
export interface OpenedSituation {
  step: string;
  ended: readonly SituationOwner[];
  notes: readonly string[];
}

interface SituationContext {
  file: File | null;
  checked: CheckedSituation | null;
  opened: OpenedSituation | null;
  failure: Problem | null;
}

type SituationEvent =
  | { type: 'file.choose'; file: File }
  | { type: 'file.release' }
  | { type: 'confirm' }
  | { type: 'dismiss' }
  | { type: 'leave' };

const checkTexts: EffectTexts = { answers: 'It is a situation', fails: 'It is none, or cannot be checked' };

const chooses = { target: 'checking', actions: 'assignFile', description: 'Choose a situation file' } as const;
const choosesAgain = { target: 'resting', actions: 'clear', description: 'Open the choice of a file again' } as const;
const dismisses = { target: 'dismissed', description: pressLabel('Cancel') } as const;

const nothing: SituationContext = { file: null, checked: null, opened: null, failure: null };

const outputOf = ({ event }: { event: { output: OpenedSituation } }) => event.output;

/**
 * Opens a situation file in the sandbox once the user confirms. Effects: `check`, which refuses what is no situation and
 * says what opening would end, and `open`. Emits `situation.opened` with the page that the file names, at once or, if
 * companies ended or something could not be set again, once the user has read it; `situation.dismissed` where none is
 * opened. What was begun is not dismissed: the page would go on to show what the sandbox no longer has.
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
  actors: {
    check: effect<File | null, CheckedSituation>('reads', checkTexts),
    open: effect<File | null, OpenedSituation>('writes', actionTexts('It is opened')),
  },
  guards: {
    isComplete: describedGuard(
      'no company ended, and everything was set again',
      (_: object, { ended, notes }: OpenedSituation) => ended.length + notes.length === 0,
    ),
  },
  actions: {
    clear: assign(nothing),
    clearChecked: assign({ checked: null }),
    assignFile: assign(({ event }) =>
      event.type === 'file.choose' ? { file: event.file, checked: null, opened: null, failure: null } : {},
    ),
    assignChecked: assign((_, checked: CheckedSituation) => ({ checked })),
    assignOpened: assign((_, opened: OpenedSituation) => ({ opened, file: null })),
    emitOpened: emit(({ context }) => ({ type: 'situation.opened', step: context.opened?.step ?? '/' }) as const),
    emitDismissed: emit({ type: 'situation.dismissed' }),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'situationFile',
    context: nothing,
    initial: 'resting',
    states: {
      resting: {
        meta: { description: 'A situation file can be chosen' },
        on: { 'file.choose': chooses, dismiss: dismisses },
      },
      checking: {
        tags: ['busy'],
        meta: { description: 'The file is checked, and what opening it would end' },
        invoke: {
          id: 'check',
          src: 'check',
          input: ({ context }) => context.file,
          onDone: {
            target: 'asking',
            actions: { type: 'assignChecked', params: ({ event }) => event.output },
          },
          onError: failsTo('unfit'),
        },
        on: {
          'file.choose': {
            target: 'checking',
            reenter: true,
            actions: 'assignFile',
            description: 'Choose another file',
          },
          'file.release': choosesAgain,
          dismiss: dismisses,
        },
      },
      unfit: {
        tags: ['failed'],
        meta: { description: 'The file is no situation that this console can open' },
        on: { 'file.choose': chooses, 'file.release': choosesAgain, dismiss: dismisses },
      },
      asking: {
        meta: { description: 'Says what is replaced, and which companies end, and asks' },
        on: {
          confirm: { target: 'opening', description: pressLabel('Open situation') },
          'file.choose': chooses,
          'file.release': choosesAgain,
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
          onError: { target: 'refused', actions: [assignsFailure, 'clearChecked'] },
        },
      },
      incomplete: {
        meta: { description: 'It is opened, but companies ended, or something could not be set again' },
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
        on: { 'file.choose': chooses, 'file.release': choosesAgain, dismiss: dismisses },
      },
    },
  });
