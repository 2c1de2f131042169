import type { Context } from 'koa';
import type { Clock } from '#server/clock.ts';
import type { RecordedCall } from '../recorded.ts';
import { operationOf } from './operations.ts';

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

/** Keeps the latest `maximum` calls of one application, without bodies of more than `longest` characters. */
export function createCallRecords(maximum: number, clock: Pick<Clock, 'now' | 'steady'>, longest = Infinity) {
  const kept = (body: string): string => (body.length > longest ? '' : body);
  let entries: Entry[] = [];
  let count = 0;

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
      entries = [...entries.slice(1 - maximum), entry];
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
        call.body = kept(request.rawBody ?? ''); // undefined for a call without a body
        call.mistakes = mistakes;
        if (!respond && !res.headersSent) return;
        if (res.destroyed && !res.headersSent) return;
        call.status = respond ? response.status : res.statusCode;
        call.response = {
          headers: headersOf(response.headers),
          body: kept(respond ? text : (entry.state.sent ?? '')),
        };
      };
    },
    /** Returns the calls, oldest first. */
    list: (): RecordedCall[] =>
      entries.map(({ call, state: { isDone = false, fault } }) => ({
        ...call,
        isDone,
        ...(fault !== undefined && { fault }),
      })),
    /** Replaces all calls. */
    replace(calls: readonly RecordedCall[]): void {
      entries = calls.map(({ isDone, fault, ...call }) => ({
        call,
        state: { isDone, ...(fault !== undefined && { fault }) },
      }));
      count = calls.at(-1)?.number ?? 0;
    },
  };
}

export type CallRecords = ReturnType<typeof createCallRecords>;
