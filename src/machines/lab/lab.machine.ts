import { assign, setup } from 'xstate';
import type { LabClock, LabStanding } from '#contract/labCalls.ts';
import type { Problem } from '#contract/problem.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import type { Tag } from '../lib/gate.ts';
import { readOneTexts, failureOf, effect, actionTexts } from '../lib/effect.ts';
import { assignsFailure, failsTo, journeyActions } from '../lib/journeyActions.ts';
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

/** Whether the event is not the action just taken, whose effect has not been read yet. */
const isNew = ({ context: { act }, event }: Args): boolean => act?.type !== event.type;

/** Whether the sandbox's clock differs from the machine's. */
const isShifted = ({ offset, still }: LabClock): boolean => still || offset !== 0;

const isAhead = (lab: LabStanding | null): boolean => lab !== null && isShifted(lab.clock);
/** Whether the lab injects faults or has moved the clock. */
export const isOn = (lab: LabStanding | null): boolean => isAhead(lab) || (lab?.rules.length ?? 0) > 0;

/** The transitions of an action, which leads to sending it. */
const actsBy = <const Guard extends string>(guard: Guard, label: string) =>
  ({ guard, target: 'acting', actions: 'take', description: pressLabel(label) }) as const;

const stops = actsBy('isOn', 'Stop all');
const stopsFaults = actsBy('hasRules', 'Remove all');
const removes = actsBy('hasRule', 'Remove');
const moves = { target: 'acting', actions: 'take', description: pressLabel('+1 hour') } as const;
const holds = actsBy('runs', 'Stop the clock');
const runs = actsBy('stands', 'Start the clock');
const resets = actsBy('isShifted', 'Back to machine time');
const removesReceiver = actsBy('hasReceiver', 'Remove the receiver');
const stale = { target: 'refreshing', description: 'The lab may have changed' } as const;

/** Actions after which another control replaces the one pressed: the next rule's, or the opposite one. */
const turning: readonly LabAct['type'][] = ['fault.remove', 'clock.hold', 'clock.run'];

const assignsLab = {
  type: 'assignKept',
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
    isOn: describedGuard(
      'there are rules, or the clock differs',
      (args: Args) => isNew(args) && isOn(args.context.lab),
    ),
    hasRules: describedGuard(
      'there are rules',
      (args: Args) => isNew(args) && (args.context.lab?.rules.length ?? 0) > 0,
    ),
    hasRule: describedGuard(
      'the rule is there',
      ({ context: { lab }, event }: Args) =>
        event.type === 'fault.remove' && lab !== null && lab.rules.some(({ ruleId }) => ruleId === event.ruleId),
    ),
    runs: describedGuard('the clock runs', ({ context: { lab } }: Args) => lab !== null && !lab.clock.still),
    stands: describedGuard('the clock is stopped', ({ context: { lab } }: Args) => lab !== null && lab.clock.still),
    isShifted: describedGuard(
      'the clock differs from the machine’s',
      (args: Args) => isNew(args) && isAhead(args.context.lab),
    ),
    turns: describedGuard(
      'a new control replaces it',
      ({ context: { act } }: Args) => act !== null && turning.includes(act.type),
    ),
    hasReceiver: describedGuard(
      'there is a receiver',
      (args: Args) => isNew(args) && (args.context.lab?.receiver.url ?? null) !== null,
    ),
  },
  actions: {
    take: assign(({ event }) => ({ act: event as LabAct })), // only actions lead to it
    assignKept: assign((_, { lab }: { lab: LabReading }) => ({ lab, failure: null })),
    clearAct: assign({ act: null }),
  },
})
  .extend({ actions: journeyActions })
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
          onDone: { target: 'known', actions: assignsLab },
          onError: [{ guard: 'isAbsent', target: 'absent', actions: assignsFailure }, failsTo('unread')],
        },
      },
      absent: { meta: { description: 'The service is not the embedded sandbox and has no lab' } },
      unread: {
        tags: ['failed'],
        meta: { description: 'The state of the lab could not be read' },
        on: {
          retry: { target: 'reading', description: pressLabel('Try again') },
          'facts.stale': { target: 'reading' },
        },
      },
      known: {
        tags: ['list'],
        meta: { description: 'The state of the lab is shown' },
        entry: 'clearAct',
        on: {
          'lab.stop': stops,
          'faults.stop': stopsFaults,
          'fault.remove': removes,
          'clock.move': moves,
          'clock.hold': holds,
          'clock.run': runs,
          'clock.reset': resets,
          'receiver.remove': removesReceiver,
          'facts.stale': stale,
        },
      },
      refreshing: {
        tags: ['list'],
        meta: { description: 'Reads the state of the lab again; the last reading stays visible' },
        on: {
          'lab.stop': stops,
          'faults.stop': stopsFaults,
          'fault.remove': removes,
          'clock.move': moves,
          'clock.hold': holds,
          'clock.run': runs,
          'clock.reset': resets,
          'receiver.remove': removesReceiver,
          'facts.stale': { target: 'refreshing', reenter: true },
        },
        invoke: {
          id: 'readLab',
          src: 'readLab',
          onDone: { target: 'known', actions: assignsLab },
          onError: failsTo('outdated'),
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
          onDone: [{ guard: 'turns', target: 'rereading' }, { target: 'refreshing' }],
          onError: failsTo('refused'),
        },
      },
      rereading: {
        tags: ['list'],
        meta: { description: 'Reads the changed state again' },
        on: {
          'lab.stop': stops,
          'faults.stop': stopsFaults,
          'clock.move': moves,
          'clock.reset': resets,
          'receiver.remove': removesReceiver,
          'facts.stale': { target: 'rereading', reenter: true },
        },
        invoke: {
          id: 'readLab',
          src: 'readLab',
          onDone: { target: 'turned', actions: assignsLab },
          onError: failsTo('outdated'),
        },
      },
      turned: {
        tags: ['list'],
        meta: {
          description: 'A new control has just appeared; for half a second it does nothing, in case of a double click',
        },
        after: { doubleClick: { target: 'known', description: doubleClickPasses } },
        on: {
          'lab.stop': stops,
          'faults.stop': stopsFaults,
          'clock.move': moves,
          'clock.reset': resets,
          'receiver.remove': removesReceiver,
          'facts.stale': { target: 'rereading' },
        },
      },
      outdated: {
        tags: ['list', 'failed'],
        meta: { description: 'The state of the lab could not be refreshed; the last reading stays visible' },
        entry: 'clearAct',
        on: {
          'lab.stop': stops,
          'faults.stop': stopsFaults,
          'fault.remove': removes,
          'clock.move': moves,
          'clock.hold': holds,
          'clock.run': runs,
          'clock.reset': resets,
          'receiver.remove': removesReceiver,
          'facts.stale': { target: 'refreshing' },
          retry: { target: 'refreshing' },
        },
      },
      refused: {
        tags: ['list', 'failed'],
        meta: { description: 'The change failed, or its outcome is unknown' },
        entry: 'clearAct',
        on: {
          'lab.stop': stops,
          'faults.stop': stopsFaults,
          'fault.remove': removes,
          'clock.move': moves,
          'clock.hold': holds,
          'clock.run': runs,
          'clock.reset': resets,
          'receiver.remove': removesReceiver,
          'facts.stale': { target: 'refreshing' },
          retry: { target: 'refreshing' },
        },
      },
    },
  });
