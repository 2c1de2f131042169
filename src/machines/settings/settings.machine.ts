import { assign, emit, enqueueActions, setup } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { SettingKey, Settings } from '#contract/settings.ts';
import {
  factsIn,
  cancelledState,
  finalOutput,
  type JourneyContext,
  type JourneyEmitted,
  type JourneyEvent,
  type JourneyInput,
  type JourneyOutput,
  type Meta,
  type Tag,
} from '../lib/gate.ts';
import { toFailed, failureOf, effect, actionTexts } from '../lib/effect.ts';
import { requirement } from '../requirements.ts';
import { pressLabel, describedGuard } from '../lib/describe.ts';

/** One change of a setting: a key/value pair (behaviour, section 3). */
export interface Change {
  key: SettingKey;
  value: string;
}

interface SettingsContext extends JourneyContext {
  /** Unsaved changes; the first one is being saved. */
  queue: Change[];
}

/**
 * Whether a change may affect facts that are read from the service: true once both countries are chosen or a company
 * exists.
 */
const decides = (facts: Facts): boolean => requirement('settings').isMet(facts) || facts.settings.companyId !== '';

const change = { description: 'Change a setting' };
const close = { 'form.cancel': { target: 'cancelled', description: pressLabel('Close') } } as const;

/**
 * Saves settings one by one, immediately and in the order of the changes (behaviour, section 2). Queued changes are
 * already shown. Effect: `saveSetting`, which returns the settings after the change.
 */
export const settingsMachine = setup({
  types: {
    context: {} as SettingsContext,
    events: {} as JourneyEvent | ({ type: 'setting.change' } & Change),
    input: {} as JourneyInput,
    output: {} as JourneyOutput<never>,
    emitted: {} as JourneyEmitted,
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: { saveSetting: effect<Change, Settings>('writes', actionTexts('The setting is saved')) },
  guards: {
    hasMore: describedGuard(
      'more changes wait',
      ({ context }: { context: SettingsContext }) => context.queue.length > 1,
    ),
  },
  actions: {
    assignFacts: assign(({ event }) => factsIn(event)),
    enqueue: assign(({ context, event }) =>
      event.type === 'setting.change' ? { queue: [...context.queue, { key: event.key, value: event.value }] } : {},
    ),
    assignKept: assign(({ context: { facts, queue } }, { settings }: { settings: Settings }) => ({
      facts: { ...facts, settings },
      queue: queue.slice(1),
    })),
    dropFirst: assign({ queue: ({ context }) => context.queue.slice(1) }),
    clearFailure: assign({ failure: null }),
    assignFailure: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
    tellSaved: enqueueActions(({ context: { facts }, enqueue }) => {
      if (decides(facts)) enqueue.emit({ type: 'facts.changed' });
      else enqueue.emit({ type: 'facts.known', facts });
    }),
    emitFactsChanged: emit({ type: 'facts.changed' }),
  },
}).createMachine({
  id: 'settings',
  context: ({ input }) => ({ facts: input.facts, failure: null, queue: [] }),
  initial: 'choosing',
  on: { 'facts.arrived': { actions: 'assignFacts' } },
  output: finalOutput,
  states: {
    choosing: {
      tags: ['form'],
      meta: { description: 'Every setting can be changed' },
      on: { 'setting.change': { target: 'saving', actions: 'enqueue', ...change }, ...close },
    },
    saving: {
      tags: ['form', 'busy', 'told', 'open'],
      meta: { description: 'A change is being saved; further changes wait in line' },
      entry: 'clearFailure',
      on: { 'setting.change': { actions: 'enqueue', ...change } },
      invoke: {
        id: 'saveSetting',
        src: 'saveSetting',
        input: ({ context }) => context.queue[0] as Change, // entered only with a change in the queue
        onDone: [
          {
            guard: 'hasMore',
            target: 'saving',
            reenter: true,
            actions: { type: 'assignKept', params: ({ event }) => ({ settings: event.output }) },
          },
          {
            target: 'choosing',
            actions: [{ type: 'assignKept', params: ({ event }) => ({ settings: event.output }) }, 'tellSaved'],
          },
        ],
        onError: toFailed('unsaved'),
      },
    },
    unsaved: {
      tags: ['form', 'failed'],
      meta: { description: 'A change could not be saved; a new change replaces it' },
      // Earlier changes in the queue may have been saved.
      entry: 'emitFactsChanged',
      on: {
        retry: { target: 'saving' },
        'setting.change': { target: 'saving', actions: ['dropFirst', 'enqueue'], ...change },
        ...close,
      },
    },
    cancelled: cancelledState,
  },
});

/** The settings as the page shows them: stored values with the queued changes on top. */
export const shownSettings = ({ facts, queue }: Pick<SettingsContext, 'facts' | 'queue'>): Settings =>
  queue.reduce((shown, { key, value }) => ({ ...shown, [key]: value }), facts.settings);
