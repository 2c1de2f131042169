import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { doubleClick, doubleClickPasses } from '../lib/doubleClick.ts';
import type { Tag } from '../lib/gate.ts';
import { readTexts, effect, actionTexts } from '../lib/effect.ts';
import { failsTo, journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { pressLabel, describedGuard, type Reported } from '../lib/describe.ts';

/** A row of a list of the lab, and the names of the actions that it currently permits. */
export interface LabRow {
  id: string;
  may: readonly string[];
}

export interface RowAct {
  id: string;
  act: string;
}

type RowsEvent = ({ type: 'row.act' } & RowAct) | { type: 'facts.stale' } | { type: 'retry' };

interface RowsContext {
  rows: readonly LabRow[];
  /** The current or last action; null before the first one. */
  acted: RowAct | null;
  /** The action just taken: the same one is possible again half a second after its row was read; otherwise null. */
  recent: RowAct | null;
  /** The lab's answer to it. */
  result: unknown;
  failure: Problem | null;
}

const assignsRows = {
  type: 'assignRows',
  params: ({ event }: { event: { output: readonly LabRow[] } }) => ({ rows: event.output }),
} as const;

/**
 * A list of the fault lab, such as its batches or webhooks, and the actions on its rows. Effects: `readRows`, and `act`,
 * which returns the lab's answer.
 */
export const labRowsMachine = setup({
  types: {
    context: {} as RowsContext,
    events: {} as RowsEvent,
    tags: {} as Tag,
    meta: {} as { description: string } | Reported,
  },
  actors: {
    readRows: effect<void, readonly LabRow[]>('reads', readTexts('The rows')),
    act: effect<RowAct | null, unknown>('writes', actionTexts('It is done')),
  },
  delays: { doubleClick },
  guards: {
    may: describedGuard(
      'the row allows it',
      ({ context, event }: { context: RowsContext; event: RowsEvent }) =>
        event.type === 'row.act' &&
        context.rows.some(({ id, may }) => id === event.id && may.includes(event.act)) &&
        !(context.recent?.id === event.id && context.recent.act === event.act),
    ),
    hasActed: describedGuard('an action was taken', ({ context }: { context: RowsContext }) => context.recent !== null),
  },
  actions: {
    take: assign(({ event }) =>
      event.type === 'row.act'
        ? { acted: { id: event.id, act: event.act }, recent: { id: event.id, act: event.act }, result: null }
        : {},
    ),
    clearRecent: assign({ recent: null }),
    assignRows: assign((_, { rows }: { rows: readonly LabRow[] }) => ({ rows })),
    assignResult: assign((_, { result }: { result: unknown }) => ({ result })),
  },
})
  .extend({ actions: journeyActions, guards: journeyGuards })
  .createMachine({
    id: 'labRows',
    meta: { reports: ['facts.stale'] },
    context: { rows: [], acted: null, recent: null, result: null, failure: null },
    initial: 'reading',
    states: {
      reading: {
        tags: ['busy'],
        meta: { description: 'Reads the rows' },
        entry: 'clearFailure',
        invoke: {
          id: 'readRows',
          src: 'readRows',
          onDone: { target: 'shown', actions: assignsRows },
          onError: failsTo('unread'),
        },
      },
      unread: {
        tags: ['failed'],
        meta: { description: 'The rows could not be read' },
        on: {
          retry: { guard: 'canHelp', target: 'reading', description: pressLabel('Try again') },
          'facts.stale': { target: 'reading' },
        },
      },
      shown: {
        tags: ['list'],
        meta: { description: 'The rows as last read are shown' },
        initial: 'listing',
        on: {
          'row.act': {
            guard: 'may',
            target: 'acting',
            actions: 'take',
            description: pressLabel('Advance', 'Send again', 'Explain', 'Set this fault'),
          },
          'facts.stale': { target: '.refreshing', description: 'A row has changed' },
        },
        states: {
          listing: { meta: { description: 'The rows are the latest' }, entry: 'clearRecent' },
          refreshing: {
            meta: { description: 'Reads the rows again; the previous ones stay listed' },
            invoke: {
              id: 'readRows',
              src: 'readRows',
              onDone: [
                { guard: 'hasActed', target: 'turned', actions: assignsRows },
                { target: 'listing', actions: assignsRows },
              ],
              onError: failsTo('#labRows.unread'),
            },
          },
          turned: {
            meta: { description: 'For half a second the second press of a double click does nothing' },
            after: { doubleClick: { target: 'listing', description: doubleClickPasses } },
          },
          refused: {
            tags: ['failed'],
            meta: { description: 'The action failed, or its outcome is unknown; the list is unchanged' },
            entry: 'clearRecent',
            on: { retry: { target: 'refreshing' } },
          },
        },
      },
      acting: {
        tags: ['list', 'busy'],
        meta: { description: 'Something is done with one row' },
        entry: 'clearFailure',
        invoke: {
          id: 'act',
          src: 'act',
          input: ({ context }) => context.acted,
          onDone: {
            target: 'shown.refreshing',
            actions: { type: 'assignResult', params: ({ event }) => ({ result: event.output }) },
          },
          onError: failsTo('shown.refused'),
        },
      },
    },
  });
