import { assign, enqueueActions, setup } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { SettingKey, Settings } from '#contract/settings.ts';
import { cancelledState, finalOutput, storesFacts, type JourneyContext, journeyTypes } from '../lib/gate.ts';
import { effect, actionTexts } from '../lib/effect.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import type { FieldError } from '#rules/fieldError.ts';
import { requirement } from '../requirements.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';
import { missingExamples, shownSettings, type Change } from './changes.ts';

interface SettingsContext extends JourneyContext {
  /** What is missing to continue, by setting. */
  errors: readonly FieldError[];
  /** Whether the user has filled in the examples. */
  likesExamples: boolean;
  /** Unsaved changes; the first one is being saved. */
  queue: Change[];
}

/**
 * Whether a change may affect facts that are read from the service: true once both countries are chosen or a company
 * exists.
 */
const decides = (facts: Facts): boolean => requirement('settings').isMet(facts) || facts.settings.companyId !== '';

/** The settings without which no step can follow, each with what is said of it. */
const required: readonly (FieldError & { id: SettingKey })[] = [
  { id: 'providerCountry', message: 'Choose the provider country' },
  { id: 'fileFormatCountry', message: 'Choose the file format country' },
];

/** What is missing to continue. */
const missing = (context: Pick<SettingsContext, 'facts' | 'queue'>): readonly FieldError[] =>
  required.filter(({ id }) => shownSettings(context)[id] === '');

/** The queue with further changes, and the errors that remain after them. */
const withChanges = (context: SettingsContext, changes: readonly Change[]) => {
  const queue = [...context.queue, ...changes];
  const lacks = new Set(missing({ ...context, queue }).map(({ id }) => id));
  return { queue, errors: context.errors.filter(({ id }) => lacks.has(id)) };
};

const changeText = 'Change a setting';
const fillText = pressLabel('Fill with example');
const closes = { target: 'cancelled', description: pressLabel('Close') } as const;

/**
 * Saves settings one by one, immediately and in the order of the changes (behaviour, section 2). Queued changes are
 * already shown. Continue ends the journey, or says which country is missing. Effect: `saveSetting`, which returns the settings after the change.
 */
export const settingsMachine = setup({
  types: journeyTypes<{
    context: SettingsContext;
    events: ({ type: 'setting.change' } & Change) | { type: 'settings.fill' } | { type: 'form.submit' };
    result: null;
  }>(),
  actors: { saveSetting: effect<Change, Settings>('writes', actionTexts('The setting is saved')) },
  guards: {
    isComplete: describedGuard(
      'both countries are chosen',
      ({ context }: { context: SettingsContext }) => missing(context).length === 0,
    ),
    hasExamples: describedGuard(
      'a setting with an example is not set',
      ({ context }: { context: SettingsContext }) => missingExamples(context).length > 0,
    ),
    hasMore: describedGuard(
      'more changes wait',
      ({ context }: { context: SettingsContext }) => context.queue.length > 1,
    ),
  },
  actions: {
    enqueue: assign(({ context, event }) =>
      event.type === 'setting.change' ? withChanges(context, [{ key: event.key, value: event.value }]) : {},
    ),
    enqueueExamples: assign(({ context }) => withChanges(context, missingExamples(context))),
    showErrors: assign(({ context }) => ({ errors: missing(context) })),
    assignSaved: assign(({ context: { facts, queue } }, { settings }: { settings: Settings }) => ({
      facts: { ...facts, settings },
      queue: queue.slice(1),
    })),
    likeExamples: assign({ likesExamples: true }),
    dropFirst: assign({ queue: ({ context }) => context.queue.slice(1) }),
    emitSaved: enqueueActions(({ context: { facts }, enqueue }) => {
      if (decides(facts)) enqueue.emit({ type: 'facts.changed' });
      else enqueue.emit({ type: 'facts.known', facts });
    }),
  },
})
  .extend({ guards: journeyGuards, actions: journeyActions })
  .createMachine({
    id: 'settings',
    context: ({ input }) => ({ facts: input.facts, failure: null, queue: [], errors: [], likesExamples: false }),
    initial: 'choosing',
    on: { 'facts.arrived': storesFacts },
    output: finalOutput,
    states: {
      choosing: {
        tags: ['form'],
        description: 'Every setting can be changed',
        on: {
          'setting.change': { target: 'saving', actions: 'enqueue', description: changeText },
          'settings.fill': {
            guard: 'hasExamples',
            target: 'saving',
            actions: ['enqueueExamples', 'likeExamples'],
            description: fillText,
          },
          'form.submit': [
            { guard: 'isComplete', target: 'succeeded', description: pressLabel('Continue') },
            { actions: 'showErrors' },
          ],
          'form.cancel': closes,
        },
      },
      saving: {
        tags: ['form', 'busy', 'told', 'open'],
        description: 'A change is being saved; further changes wait in line',
        entry: 'clearFailure',
        on: {
          'setting.change': { actions: 'enqueue', description: changeText },
          'settings.fill': {
            guard: 'hasExamples',
            actions: ['enqueueExamples', 'likeExamples'],
            description: fillText,
          },
        },
        invoke: {
          id: 'saveSetting',
          src: 'saveSetting',
          input: ({ context }) => context.queue[0] as Change, // entered only with a change in the queue
          onDone: [
            {
              guard: 'hasMore',
              target: 'saving',
              reenter: true,
              actions: { type: 'assignSaved', params: ({ event }) => ({ settings: event.output }) },
            },
            {
              target: 'choosing',
              actions: [{ type: 'assignSaved', params: ({ event }) => ({ settings: event.output }) }, 'emitSaved'],
            },
          ],
          onError: failsTo('unsaved'),
        },
      },
      unsaved: {
        tags: ['form', 'failed'],
        description: 'A change could not be saved; a new change replaces it',
        // Earlier changes in the queue may have been saved.
        entry: 'emitFactsChanged',
        on: {
          retry: { guard: 'canHelp', target: 'saving' },
          'setting.change': { target: 'saving', actions: ['dropFirst', 'enqueue'], description: changeText },
          'settings.fill': {
            guard: 'hasExamples',
            target: 'saving',
            actions: ['dropFirst', 'enqueueExamples', 'likeExamples'],
            description: fillText,
          },
          'form.cancel': closes,
        },
      },
      succeeded: {
        type: 'final',
        tags: ['done'],
        description: 'The user continues',
        output: { type: 'succeeded', result: null },
      },
      cancelled: cancelledState,
    },
  });
