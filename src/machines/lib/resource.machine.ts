import { assign, emit, enqueueActions, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { repetitionHelps } from '#rules/repetition.ts';
import { describedGuard, pressLabel, type Reported } from './describe.ts';
import { doubleClick, doubleClickPasses } from './doubleClick.ts';
import { actionTexts, effect, failureOf, readOneTexts } from './effect.ts';
import type { Tag } from './state.ts';

/** What can be done with a resource, by name, with what its effect takes. */
export interface Act {
  act: string;
}

/** What distinguishes one resource from another; each member has a default. */
export interface ResourceKind<Known = unknown, A extends Act = Act> {
  /** When it is read: at once and after each act, or once the user has chosen of what; by default it only has acts. */
  reads?: 'at once' | 'chosen';
  /** Whether what is known permits an act; `known` is null only where nothing is read. */
  permits?(act: A, known: Known | null): boolean;
  /** Whether the user is asked before an act. */
  asks?(act: A): boolean;
  /** Whether an act would be the second press of a double click after `last`; by default that of the same name. */
  repeats?(this: void, act: A, last: A): boolean;
  /** Whether an act may change the facts, also if it fails. */
  changesFacts?(act: A): boolean;
}

export interface ResourceContext<Known = unknown, A extends Act = Act, Result = unknown> {
  kind: ResourceKind<Known, A>;
  /** What the user has chosen to be read. */
  subject: object | null;
  /** As last read; null before that. */
  known: Known | null;
  /** Why the last reading failed; what was known stays. */
  unread: Problem | null;
  /** The act that is asked for or under way, else the last one. */
  act: A | null;
  /** The act just taken, whose control ignores a second press; otherwise null. */
  recent: A | null;
  /** The answer to the last act. */
  result: Result | null;
  /** Why the last act failed, or that its outcome is unknown. */
  failure: Problem | null;
  /** Whether what is being read may be older than the latest news. */
  outdated: boolean;
}

export type ResourceEvent<A extends Act = Act> =
  | ({ type: 'act' } & A)
  | { type: 'confirm' }
  | { type: 'dismiss' }
  | { type: 'subject.choose'; subject: object }
  | { type: 'subject.release' }
  | { type: 'reading.stale' }
  | { type: 'retry' }
  | { type: 'xstate.done.actor.read'; output: unknown }
  | { type: 'xstate.error.actor.read'; error: unknown };

/** `acted`: an act has succeeded; `dismissed`: the user has closed what shows the resource. */
export type ResourceEmitted<A extends Act = Act, Result = unknown> =
  { type: 'facts.changed' } | { type: 'acted'; act: A; result: Result } | { type: 'dismissed' };

interface Args {
  context: ResourceContext;
  event: ResourceEvent;
}

const isOfSameName = (act: Act, last: Act): boolean => act.act === last.act;

/** Whether the act of the event is possible: what is known permits it, and it is no second press. */
function permits({ context: { kind, known, recent }, event }: Args): boolean {
  if (event.type !== 'act' || (kind.reads !== undefined && known === null)) return false;
  const repeats = kind.repeats ?? isOfSameName;
  return !(recent && repeats(event, recent)) && (kind.permits?.(event, known) ?? true);
}

const chooses = {
  guard: 'isChosen',
  target: '.reading',
  actions: ['forget', 'assignSubject'],
  description: 'Choose a file',
} as const;

/**
 * A resource: something that is read, shown while it is read again, and acted on. Two regions: what is known of it, and
 * what is happening to it. A failed reading or act keeps what is shown. Effects: `read`, which takes what was chosen, and
 * `act`, which takes the act.
 */
export const resourceMachine = setup({
  types: {
    context: {} as ResourceContext,
    events: {} as ResourceEvent,
    input: {},
    emitted: {} as ResourceEmitted,
    tags: {} as Tag,
    meta: {} as Reported,
  },
  actors: {
    read: effect<object | null, unknown>('reads', readOneTexts('The reading')),
    act: effect<Act | null, unknown>('writes', actionTexts('It is done')),
  },
  delays: { doubleClick },
  guards: {
    asks: describedGuard(
      'it is permitted, after a question',
      (args: Args) => permits(args) && args.event.type === 'act' && args.context.kind.asks?.(args.event) === true,
    ),
    permits: describedGuard('it is permitted', permits),
    isRead: describedGuard('it is read at once', ({ context }: Args) => context.kind.reads === 'at once'),
    isChosen: describedGuard('its reading is chosen', ({ context }: Args) => context.kind.reads === 'chosen'),
    hasActed: describedGuard('an act was taken', ({ context }: Args) => context.recent !== null),
    isOutdated: describedGuard('it may have changed since', ({ context }: Args) => context.outdated),
    canHelp: describedGuard(
      'a repetition can help',
      ({ context: { kind, unread } }: Args) => kind.reads === 'at once' && (unread === null || repetitionHelps(unread)),
    ),
  },
  actions: {
    assignSubject: assign(({ event }) => (event.type === 'subject.choose' ? { subject: event.subject } : {})),
    forget: assign({ subject: null, known: null, unread: null, act: null, result: null, failure: null }),
    assignKnown: assign(({ event }) =>
      event.type === 'xstate.done.actor.read' ? { known: event.output, unread: null } : {},
    ),
    assignUnread: assign(({ event }) =>
      event.type === 'xstate.error.actor.read' ? { unread: failureOf(event.error) } : {},
    ),
    noteNews: assign({ outdated: true }),
    begin: assign({ outdated: false }),
    take: assign(({ event }) =>
      event.type === 'act' ? { act: event, recent: event, result: null, failure: null } : {},
    ),
    clear: assign({ act: null, recent: null, result: null, failure: null }),
    clearRecent: assign({ recent: null }),
    clearFailures: assign({ unread: null, failure: null }),
    assignResult: assign((_, { result }: { result: unknown }) => ({ result })),
    assignFailure: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error), recent: null })),
    emitActed: emit(({ context }, { result }: { result: unknown }) => ({
      type: 'acted' as const,
      act: context.act as Act, // an act has ended
      result,
    })),
    emitFactsChanged: enqueueActions(({ context: { kind, act }, enqueue }) => {
      if (act && kind.changesFacts?.(act)) enqueue.emit({ type: 'facts.changed' });
    }),
    emitDismissed: emit({ type: 'dismissed' }),
  },
}).createMachine({
  id: 'resource',
  meta: { reports: ['reading.stale'] },
  type: 'parallel',
  context: ({ input }) => ({
    kind: input,
    subject: null,
    known: null,
    unread: null,
    act: null,
    recent: null,
    result: null,
    failure: null,
    outdated: false,
  }),
  states: {
    known: {
      description: 'What is known of it',
      initial: 'unknown',
      on: {
        'xstate.done.actor.read': { target: '.shown', actions: 'assignKnown' },
        'subject.choose': { guard: 'isChosen', target: '.unknown' },
        'subject.release': { guard: 'isChosen', target: '.unknown' },
      },
      states: {
        unknown: {
          description: 'Nothing is known yet',
          on: { 'xstate.error.actor.read': { target: 'failed', actions: 'assignUnread' } },
        },
        shown: {
          tags: ['list'],
          description: 'What was read last is shown, also if a further reading fails',
          on: { 'xstate.error.actor.read': { actions: 'assignUnread' } },
        },
        failed: {
          tags: ['failed'],
          description: 'It could not be read',
          on: { 'xstate.error.actor.read': { actions: 'assignUnread' } },
        },
      },
    },
    doing: {
      description: 'What is happening to it',
      initial: 'beginning',
      on: {
        act: [
          { guard: 'asks', target: '.asking', actions: 'take', description: 'Press the button of an act' },
          { guard: 'permits', target: '.acting', actions: 'take' },
        ],
        retry: {
          guard: 'canHelp',
          target: '.reading',
          actions: 'clearFailures',
          description: pressLabel('Try again'),
        },
        dismiss: { actions: 'emitDismissed', description: pressLabel('Cancel') },
        'reading.stale': { guard: 'isRead', target: '.reading', description: 'It may have changed' },
        'subject.choose': chooses,
        'subject.release': {
          guard: 'isChosen',
          target: '.idle',
          actions: 'forget',
          description: pressLabel('Close the session', 'Back to the timeline'),
        },
      },
      states: {
        beginning: { always: [{ guard: 'isRead', target: 'reading' }, { target: 'idle' }] },
        idle: { description: 'Nothing is under way', entry: 'clearRecent' },
        reading: {
          description: 'It is being read',
          entry: 'begin',
          on: { 'reading.stale': { actions: 'noteNews' } },
          invoke: {
            id: 'read',
            src: 'read',
            input: ({ context }) => context.subject,
            onDone: [
              { guard: 'hasActed', target: 'resting' },
              { guard: 'isOutdated', target: 'reading', reenter: true },
              { target: 'idle' },
            ],
            onError: 'idle',
          },
        },
        resting: {
          description: 'For half a second the second press of a double click does nothing',
          on: { 'reading.stale': { actions: 'noteNews' } },
          after: {
            doubleClick: [
              { guard: 'isOutdated', target: 'reading', actions: 'clearRecent', description: doubleClickPasses },
              { target: 'idle', description: doubleClickPasses },
            ],
          },
        },
        asking: {
          description: 'Asks before it acts',
          on: {
            act: {},
            retry: {},
            'reading.stale': {},
            'subject.choose': {},
            'subject.release': {},
            confirm: { target: 'acting', description: 'Press the button of the question' },
            dismiss: { target: 'beginning', actions: 'clear' },
          },
        },
        acting: {
          tags: ['busy'],
          description: 'It is being changed',
          on: { act: {}, retry: {}, dismiss: {}, 'reading.stale': {}, 'subject.choose': {}, 'subject.release': {} },
          exit: 'emitFactsChanged',
          invoke: {
            id: 'act',
            src: 'act',
            input: ({ context }) => context.act,
            onDone: {
              target: 'acted',
              actions: [
                { type: 'assignResult', params: ({ event }) => ({ result: event.output }) },
                { type: 'emitActed', params: ({ event }) => ({ result: event.output }) },
              ],
            },
            onError: {
              target: 'acted',
              actions: { type: 'assignFailure', params: ({ event }) => ({ error: event.error }) },
            },
          },
        },
        acted: { always: [{ guard: 'isRead', target: 'reading' }, { target: 'resting' }] },
      },
    },
  },
});
