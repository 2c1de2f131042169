import type { Context } from 'koa';
import type { Clock } from '#server/clock.ts';
import type { RecordedCall } from '../recorded.ts';
import { operationOf } from './operations.ts';
import { weightOf, type Held, type RecordBudget } from './recordBudget.ts';

/** What the handlers and the faults of a call note about it in `ctx.state`. */
export interface CallState {
  /** Whether the service has done what was asked. */
  isDone?: boolean;
  /** The kind of the fault that affects the call. */
  fault?: string;
  /** The part of the body that a fault has sent itself. */
  sent?: string;
}

interface Entry {
  call: Omit<RecordedCall, 'isDone' | 'fault'>;
  state: CallState;
}

const headersOf = (headers: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' || Array.isArray(value) ? [[name, value.toString()]] : [],
    ),
  );

interface Limits {
  /** Maximum number of calls. */
  maximum: number;
  /** Maximum number of characters of a body; a longer one is left out. */
  longest?: number | undefined;
  /** The memory that they share with other records. */
  budget: RecordBudget;
}

/** Keeps the latest calls of one application. */
export function createCallRecords(
  { maximum, longest = Infinity, budget }: Limits,
  clock: Pick<Clock, 'now' | 'steady'>,
) {
  const kept = (body: string): string => (body.length > longest ? '' : body);
  /** Oldest first. */
  const entries = new Map<Entry, Held>();
  let count = 0;

  function add(entry: Entry): void {
    const held = budget.hold(() => entries.delete(entry));
    entries.set(entry, held);
    held.weigh(weightOf(entry.call));
    for (const [oldest, its] of entries) {
      if (entries.size <= maximum) break;
      its.release();
      entries.delete(oldest);
    }
  }

  return {
    /** Adds a call that begins. Returns a function that adds its response, with the text of its body and its mistakes. */
    begin({ method, path, querystring, headers, state, res, request, response }: Context) {
      const [at, since] = [clock.now(), clock.steady()];
      count += 1;
      const call: Entry['call'] = {
        ...{ number: count, at, ms: 0, method, path, query: querystring, operation: operationOf(method, path) ?? '' },
        ...{ headers: headersOf(headers), body: '', status: 0, response: { headers: {}, body: '' }, mistakes: [] },
      };
      const entry = { call, state: state as CallState }; // Koa's type is any
      add(entry);
      const weigh = () => entries.get(entry)?.weigh(weightOf(call));
      const end = () => {
        call.ms = clock.steady() - since;
        if (res.headersSent) return;
        // The program has closed the connection, or the fault has: no response has reached it.
        call.status = 0;
        call.response = { headers: {}, body: '' };
      };
      res.once('finish', end);
      res.once('close', end);
      return (text: string, respond: boolean, mistakes: readonly string[]): void => {
        call.body = kept(request.text ?? ''); // undefined for a call without a body
        call.mistakes = mistakes;
        if ((respond || res.headersSent) && (!res.destroyed || res.headersSent)) {
          call.status = respond ? response.status : res.statusCode;
          call.response = {
            headers: headersOf(response.headers),
            body: kept(respond ? text : (entry.state.sent ?? '')),
          };
        }
        weigh();
      };
    },
    /** Returns the calls, oldest first. */
    list: (): RecordedCall[] =>
      [...entries.keys()].map(({ call, state: { isDone = false, fault } }) => ({
        ...call,
        isDone,
        ...(fault !== undefined && { fault }),
      })),
    /** Replaces all calls. */
    replace(calls: readonly RecordedCall[]): void {
      for (const held of entries.values()) held.release();
      entries.clear();
      for (const { isDone, fault, ...call } of calls)
        add({ call, state: { isDone, ...(fault !== undefined && { fault }) } });
      count = calls.at(-1)?.number ?? 0;
    },
  };
}

export type CallRecords = ReturnType<typeof createCallRecords>;
