import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import { doubleClick, doubleClickPasses } from '../doubleClick.ts';
import type { Tag } from '../gate.ts';
import { arrive, failing, failureOf, port, taken } from '../port.ts';
import { press, when } from '../say.ts';

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

const acts = {
  'row.act': {
    guard: 'may',
    target: 'acting',
    actions: 'take',
    description: press('Send on', 'Send again', 'Explain'),
  },
  'facts.stale': { target: 'refreshing', description: 'There is news of a row' },
} as const;

/**
 * A list of the fault lab, such as its batches or webhooks, and the actions on its rows. Ports: `readRows`, and `act`,
 * which returns the lab's answer.
 */
export const labRowsMachine = setup({
  types: {
    context: {} as RowsContext,
    events: {} as RowsEvent,
    tags: {} as Tag,
    meta: {} as { description: string },
  },
  actors: {
    readRows: port<void, readonly LabRow[]>('reads', arrive('The rows')),
    act: port<RowAct | null, unknown>('writes', taken('It is done')),
  },
  delays: { doubleClick },
  guards: {
    may: when(
      'the row allows it',
      ({ context, event }: { context: RowsContext; event: RowsEvent }) =>
        event.type === 'row.act' &&
        context.rows.some(({ id, may }) => id === event.id && may.includes(event.act)) &&
        !(context.recent?.id === event.id && context.recent.act === event.act),
    ),
  },
  actions: {
    take: assign(({ event }) =>
      event.type === 'row.act'
        ? { acted: { id: event.id, act: event.act }, recent: { id: event.id, act: event.act }, result: null }
        : {},
    ),
    forgetRecent: assign({ recent: null }),
    keepRows: assign((_, { rows }: { rows: readonly LabRow[] }) => ({ rows })),
    keepResult: assign((_, { result }: { result: unknown }) => ({ result })),
    forgetFailure: assign({ failure: null }),
    fail: assign((_, { error }: { error: unknown }) => ({ failure: failureOf(error) })),
  },
}).createMachine({
  id: 'labRows',
  context: { rows: [], acted: null, recent: null, result: null, failure: null },
  initial: 'reading',
  states: {
    reading: {
      tags: ['busy'],
      meta: { description: 'Reads the rows' },
      entry: 'forgetFailure',
      invoke: {
        id: 'readRows',
        src: 'readRows',
        onDone: { target: 'listing', actions: { type: 'keepRows', params: ({ event }) => ({ rows: event.output }) } },
        onError: failing('unread'),
      },
    },
    unread: {
      tags: ['failed'],
      meta: { description: 'The rows could not be read' },
      on: { retry: { target: 'reading', description: press('Try again') }, 'facts.stale': { target: 'reading' } },
    },
    listing: { tags: ['list'], meta: { description: 'The rows are listed' }, entry: 'forgetRecent', on: acts },
    refreshing: {
      tags: ['list'],
      meta: { description: 'The rows are read again, while they are listed as they were' },
      on: { ...acts, 'facts.stale': { target: 'refreshing', reenter: true } },
      invoke: {
        id: 'readRows',
        src: 'readRows',
        onDone: { target: 'listing', actions: { type: 'keepRows', params: ({ event }) => ({ rows: event.output }) } },
        onError: failing('unread'),
      },
    },
    acting: {
      tags: ['list', 'busy'],
      meta: { description: 'Something is done with one row' },
      entry: 'forgetFailure',
      invoke: {
        id: 'act',
        src: 'act',
        input: ({ context }) => context.acted,
        onDone: {
          target: 'rereading',
          actions: { type: 'keepResult', params: ({ event }) => ({ result: event.output }) },
        },
        onError: failing('refused'),
      },
    },
    rereading: {
      tags: ['list'],
      meta: { description: 'The rows are read again; what was just done with one cannot be done with it again yet' },
      on: { ...acts, 'facts.stale': { target: 'rereading', reenter: true } },
      invoke: {
        id: 'readRows',
        src: 'readRows',
        onDone: { target: 'turned', actions: { type: 'keepRows', params: ({ event }) => ({ rows: event.output }) } },
        onError: failing('unread'),
      },
    },
    turned: {
      tags: ['list'],
      meta: { description: 'For half a second the second press of a double click does nothing' },
      after: { doubleClick: { target: 'listing', description: doubleClickPasses } },
      on: { ...acts, 'facts.stale': { target: 'rereading' } },
    },
    refused: {
      tags: ['list', 'failed'],
      meta: { description: 'It was not done, or it is not known whether it was; the list is as it was' },
      entry: 'forgetRecent',
      on: { ...acts, retry: { target: 'refreshing' } },
    },
  },
});
