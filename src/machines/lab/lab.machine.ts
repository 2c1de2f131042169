import { assign, setup } from 'xstate';
import type { LabClock, LabStanding } from '#contract/labCalls.ts';
import type { Problem } from '#contract/problem.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import type { Tag } from '../lib/gate.ts';
import { readOneTexts, failureOf, effect, actionTexts } from '../lib/effect.ts';
import { assignsFailure, failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { pressLabel, describedGuard, type Reported } from '../lib/describe.ts';

/** The actions on the lab's current state that need no form. */
export type LabAct =
  | { type: 'lab.stop' }
  | { type: 'faults.stop' }
  | { type: 'fault.remove'; ruleId: string }
  | { type: 'clock.move'; ms: number }
  | { type: 'clock.hold' }
  | { type: 'clock.run' }
  | { type: 'clock.reset' }
  | { type: 'receiver.remove' };

type LabEvent = LabAct | { type: 'facts.stale' } | { type: 'retry' };

/** The lab, and the steady time (ms) at which it was read. */
export interface LabReading extends LabStanding {
  readAt: number;
}

interface LabContext {
  /** As last read; null until then. */
  lab: LabReading | null;
  /** The current or last action. */
  act: LabAct | null;
  failure: Problem | null;
}

interface Args {
  context: LabContext;
  event: LabEvent;
}

/** Controls of which each replaces the other one once it was pressed. */
const opposites: Partial<Record<LabEvent['type'], LabEvent['type']>> = {
  'clock.hold': 'clock.run',
  'clock.run': 'clock.hold',
};

/** Whether the event is not the second press of a double click, on the control of the action just taken or its opposite. */
const isNew = ({ context: { act }, event }: Args): boolean =>
  act === null || ![act.type, opposites[act.type]].includes(event.type);

/** Whether the sandbox's clock differs from the machine's. */
const isShifted = ({ offset, still }: LabClock): boolean => still || offset !== 0;

/** Whether the lab injects faults or has moved the clock. */
export const isOn = (lab: LabStanding | null): boolean =>
  lab !== null && (isShifted(lab.clock) || lab.rules.length > 0);

/** A guard of an action: the lab as last read permits it, and it is no second press. */
const ifNew =
  (permits: (lab: LabStanding, event: LabEvent) => boolean) =>
  (args: Args): boolean =>
    args.context.lab !== null && isNew(args) && permits(args.context.lab, args.event);

/** The transition of an action. */
const actsBy = <const Guard extends string>(guard: Guard, label: string) =>
  ({ guard, target: 'acting', actions: 'take', description: pressLabel(label) }) as const;

const assignsLab = {
  type: 'assignLab',
  params: ({ event }: { event: { output: LabReading } }) => ({ lab: event.output }),
} as const;

/**
 * The current state of the sandbox's fault lab: its rules, clock and second receiver, and the actions on them that need
 * no form. Other users may change them, so they are read again on news of them. Effects: `readLab`, and `change`, which
 * performs an action.
 */
export const labMachine = setup({
  types: {
    context: {} as LabContext,
    events: {} as LabEvent,
    tags: {} as Tag,
    meta: {} as { description: string } | Reported,
  },
  actors: {
    readLab: effect<void, LabReading>('reads', readOneTexts('The state of the lab')),
    change: effect<LabAct | null, void>('writes', actionTexts('It is done')),
  },
  delays: { doubleClick },
  guards: {
    isAbsent: describedGuard('there is no lab', ({ event }: { event: unknown }) => {
      const { error } = event as { error?: unknown };
      return failureOf(error).code === 'not-found';
    }),
    isOn: describedGuard('there are rules, or the clock differs', ifNew(isOn)),
    hasRules: describedGuard(
      'there are rules',
      ifNew(({ rules }) => rules.length > 0),
    ),
    hasRule: describedGuard(
      'the rule is there',
      ifNew(({ rules }, event) => event.type === 'fault.remove' && rules.some(({ ruleId }) => ruleId === event.ruleId)),
    ),
    runs: describedGuard(
      'the clock runs',
      ifNew(({ clock }) => !clock.still),
    ),
    stands: describedGuard(
      'the clock is stopped',
      ifNew(({ clock }) => clock.still),
    ),
    isShifted: describedGuard(
      'the clock differs from the machine’s',
      ifNew(({ clock }) => isShifted(clock)),
    ),
    hasReceiver: describedGuard(
      'there is a receiver',
      ifNew(({ receiver }) => receiver.url !== null),
    ),
    hasActed: describedGuard('an action was taken', ({ context: { act } }: Args) => act !== null),
  },
  actions: {
    take: assign(({ event }) => ({ act: event as LabAct })), // only actions lead to it
    assignLab: assign((_, { lab }: { lab: LabReading }) => ({ lab, failure: null })),
    clearAct: assign({ act: null }),
  },
})
  .extend({ actions: journeyActions, guards: journeyGuards })
  .createMachine({
    id: 'lab',
    meta: { reports: ['facts.stale'] },
    context: { lab: null, act: null, failure: null },
    initial: 'reading',
    states: {
      reading: {
        tags: ['busy'],
        meta: { description: 'Reads the state of the lab' },
        entry: 'clearFailure',
        invoke: {
          id: 'readLab',
          src: 'readLab',
          onDone: { target: 'shown', actions: assignsLab },
          onError: [{ guard: 'isAbsent', target: 'absent', actions: assignsFailure }, failsTo('unread')],
        },
      },
      absent: { meta: { description: 'The service is not the embedded sandbox and has no lab' } },
      unread: {
        tags: ['failed'],
        meta: { description: 'The state of the lab could not be read' },
        on: {
          retry: { guard: 'canHelp', target: 'reading', description: pressLabel('Try again') },
          'facts.stale': { target: 'reading' },
        },
      },
      shown: {
        tags: ['list'],
        meta: { description: 'The lab as last read is shown' },
        initial: 'known',
        on: {
          'lab.stop': actsBy('isOn', 'Stop all'),
          'faults.stop': actsBy('hasRules', 'Remove all'),
          'fault.remove': actsBy('hasRule', 'Remove'),
          'clock.move': { target: 'acting', actions: 'take', description: pressLabel('+1 hour') },
          'clock.hold': actsBy('runs', 'Stop the clock'),
          'clock.run': actsBy('stands', 'Start the clock'),
          'clock.reset': actsBy('isShifted', 'Back to machine time'),
          'receiver.remove': actsBy('hasReceiver', 'Remove the receiver'),
          'facts.stale': { target: '.refreshing', description: 'The lab may have changed' },
        },
        states: {
          known: { meta: { description: 'The reading is the latest' }, entry: 'clearAct' },
          refreshing: {
            meta: { description: 'Reads the state of the lab again; the last reading stays visible' },
            invoke: {
              id: 'readLab',
              src: 'readLab',
              onDone: [
                { guard: 'hasActed', target: 'turned', actions: assignsLab },
                { target: 'known', actions: assignsLab },
              ],
              onError: failsTo('outdated'),
            },
          },
          turned: {
            meta: {
              description:
                'For half a second the second press of a double click does nothing, whichever control is there now',
            },
            after: { doubleClick: { target: 'known', description: doubleClickPasses } },
          },
          outdated: {
            tags: ['failed'],
            meta: { description: 'The state of the lab could not be refreshed; the last reading stays visible' },
            entry: 'clearAct',
            on: { retry: { guard: 'canHelp', target: 'refreshing' } },
          },
          refused: {
            tags: ['failed'],
            meta: { description: 'The change failed, or its outcome is unknown' },
            entry: 'clearAct',
            on: { retry: { target: 'refreshing' } },
          },
        },
      },
      acting: {
        tags: ['list', 'busy'],
        meta: { description: 'Sends a change' },
        entry: 'clearFailure',
        invoke: {
          id: 'change',
          src: 'change',
          input: ({ context }) => context.act,
          onDone: 'shown.refreshing',
          onError: failsTo('shown.refused'),
        },
      },
    },
  });
