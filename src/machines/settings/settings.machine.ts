import { assign, emit, setup } from 'xstate';
import type { SettingKey, Settings } from '#contract/settings.ts';
import {
  left,
  outputOf,
  type JourneyContext,
  type JourneyEmitted,
  type JourneyEvent,
  type JourneyInput,
  type JourneyOutput,
  type Meta,
  type Tag,
} from '../gate.ts';
import { arrive, failureOf, port, taken } from '../port.ts';

/** A settings update is a key/value pair (behaviour, section 3). */
export interface Change {
  key: SettingKey;
  value: string;
}

/**
 * Settings are saved one by one, at once and in the order of the changes (behaviour, section 2). What is queued is shown
 * already. Ports: `readSettings`, and `saveSetting`, which gives the settings as they are afterwards.
 */
export const settingsMachine = setup({
  types: {
    context: {} as JourneyContext & { settings: Settings | null; queue: Change[] },
    events: {} as JourneyEvent | ({ type: 'setting.change' } & Change),
    input: {} as JourneyInput,
    output: {} as JourneyOutput<never>,
    emitted: {} as JourneyEmitted,
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: {
    readSettings: port<void, Settings>('reads', arrive('The settings')),
    saveSetting: port<Change, Settings>('writes', taken('The setting is saved')),
  },
  guards: { hasMore: ({ context }) => context.queue.length > 1 },
  actions: {
    enqueue: assign(({ context, event }) =>
      event.type === 'setting.change' ? { queue: [...context.queue, { key: event.key, value: event.value }] } : {},
    ),
    dropFirst: assign({ queue: ({ context }) => context.queue.slice(1) }),
    forgetFailure: assign({ failure: null }),
    tell: emit({ type: 'facts.changed' }),
  },
}).createMachine({
  id: 'settings',
  context: ({ input }) => ({ facts: input.facts, failure: null, settings: null, queue: [] }),
  initial: 'loading',
  output: outputOf,
  states: {
    loading: {
      tags: ['busy'],
      meta: { description: 'Reads the settings' },
      entry: 'forgetFailure',
      invoke: {
        id: 'readSettings',
        src: 'readSettings',
        onDone: { target: 'choosing', actions: assign({ settings: ({ event }) => event.output }) },
        onError: { target: 'unavailable', actions: assign({ failure: ({ event }) => failureOf(event.error) }) },
      },
    },
    unavailable: {
      tags: ['failed'],
      meta: { description: 'The settings could not be read' },
      on: { retry: { target: 'loading' }, 'form.cancel': { target: 'cancelled' } },
    },
    choosing: {
      tags: ['form'],
      meta: { description: 'Every setting can be changed' },
      on: { 'setting.change': { target: 'saving', actions: 'enqueue' }, 'form.cancel': { target: 'cancelled' } },
    },
    saving: {
      tags: ['form'],
      meta: { description: 'A change is being saved; further changes wait in line' },
      entry: 'forgetFailure',
      on: { 'setting.change': { actions: 'enqueue' } },
      invoke: {
        id: 'saveSetting',
        src: 'saveSetting',
        input: ({ context }) => context.queue[0] as Change, // entered only with a change in the queue
        onDone: [
          {
            guard: 'hasMore',
            target: 'saving',
            reenter: true,
            actions: [assign({ settings: ({ event }) => event.output }), 'dropFirst'],
          },
          { target: 'choosing', actions: [assign({ settings: ({ event }) => event.output }), 'dropFirst', 'tell'] },
        ],
        onError: {
          target: 'unsaved',
          actions: [assign({ failure: ({ event }) => failureOf(event.error) }), 'tell'],
        },
      },
    },
    unsaved: {
      tags: ['form', 'failed'],
      meta: { description: 'A change could not be saved; another change takes its place' },
      on: {
        retry: { target: 'saving' },
        'setting.change': { target: 'saving', actions: ['dropFirst', 'enqueue'] },
        'form.cancel': { target: 'cancelled' },
      },
    },
    cancelled: left,
  },
});

/** The settings as the page shows them: stored values with the queued changes on top. */
export const shownSettings = ({ settings, queue }: { settings: Settings; queue: readonly Change[] }): Settings =>
  queue.reduce((shown, { key, value }) => ({ ...shown, [key]: value }), settings);
