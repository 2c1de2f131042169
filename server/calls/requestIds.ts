import { randomHex } from '#server/random.ts';

/** A request's part of a trace (W3C Trace Context). */
interface Trace {
  traceId: string;
  /** The caller's span; '' if the caller named none. */
  parentId: string;
  /** The span of this request. */
  spanId: string;
  /** Whether the caller, or without one the console, records the trace. */
  isSampled: boolean;
  /** The caller's tracestate; '' if there is none. */
  state: string;
}

/** By what a request is found again in other programs' records. */
export interface RequestIds {
  requestId: string;
  trace: Trace;
  /** Which of them the caller has named: the others were made here. */
  given: { requestId: boolean; trace: boolean };
}

export const idHeaders = {
  requestId: 'x-request-id',
  traceparent: 'traceparent',
  tracestate: 'tracestate',
} as const;

/** The form of ids of proxies and tracers; no sign of it means anything in a log, a header or a page. */
const requestIdForm = /^[\w.:+/=@-]{1,128}$/;

/** Version, trace id, span id, flags; later versions may have more. */
const traceparentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Key with its vendor, and value: visible characters and blanks without comma and equals sign. */
const memberForm = /^[a-z0-9][a-z0-9_\-*/]{0,240}(@[a-z][a-z0-9_\-*/]{0,13})?=[ -+\x2d-<>-~]{0,255}[!-+\x2d-<>-~]$/;
const [mostMembers, longestState] = [32, 512];

const isSampledFlag = (flags: string): boolean => (Number.parseInt(flags, 16) & 1) === 1;
const isZero = (id: string): boolean => /^0+$/.test(id);

export const newSpanId = (): string => randomHex(8);

/** Returns what a traceparent says; undefined for an invalid one, of which nothing counts (W3C Trace Context, section 3.2). */
function parsedTraceparent(value: string): Pick<Trace, 'traceId' | 'parentId' | 'isSampled'> | undefined {
  const [, version = 'ff', traceId = '', parentId = '', flags = '', more] = traceparentForm.exec(value) ?? [];
  if (version === 'ff' || isZero(traceId) || isZero(parentId)) return undefined;
  if (version === '00' && more !== undefined) return undefined;
  return { traceId, parentId, isSampled: isSampledFlag(flags) };
}

/** Returns a tracestate that may be passed on; '' for an invalid one, or one too long. */
function validTracestate(value: string): string {
  const members = value.split(',').flatMap((each) => each.trim() || []);
  const keys = new Set(members.map((each) => each.split('=', 1)[0]));
  const isValid = members.every((each) => memberForm.test(each)) && keys.size === members.length;
  const state = members.join(',');
  return isValid && members.length <= mostMembers && state.length <= longestState ? state : '';
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;
const textOf = (value: string | string[] | undefined): string =>
  Array.isArray(value) ? value.join(', ') : (value ?? '');

/**
 * Returns the ids of a request: those of its headers, and new ones in place of invalid or missing ones. `samples`: whether
 * traces that begin here are recorded.
 */
export function requestIdsOf(headers: Headers, newId: () => string, samples: boolean): RequestIds {
  const requestId = textOf(headers[idHeaders.requestId]);
  const isGiven = requestIdForm.test(requestId);
  const caller = parsedTraceparent(textOf(headers[idHeaders.traceparent]));
  const begun = { traceId: randomHex(16), parentId: '', isSampled: samples };
  return {
    requestId: isGiven ? requestId : newId(),
    trace: {
      ...(caller ?? begun),
      spanId: newSpanId(),
      state: caller ? validTracestate(textOf(headers[idHeaders.tracestate])) : '',
    },
    given: { requestId: isGiven, trace: caller !== undefined },
  };
}

/** Returns the traceparent that names a span of the trace. */
const traceparentOf = ({ traceId, isSampled }: Trace, spanId: string): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** Returns the headers that name a request to the service made by this one, whose span is `spanId`. */
export const headersOf = ({ requestId, trace }: RequestIds, spanId: string): Record<string, string> => ({
  [idHeaders.requestId]: requestId,
  [idHeaders.traceparent]: traceparentOf(trace, spanId),
  ...(trace.state !== '' && { [idHeaders.tracestate]: trace.state }),
});

/** Returns the headers in which an answer names its request. */
export const answerHeaders = ({ requestId, trace }: RequestIds): Record<string, string> => ({
  'X-Request-Id': requestId,
  [idHeaders.traceparent]: traceparentOf(trace, trace.spanId),
});
