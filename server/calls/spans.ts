import { newSpanId } from './requestIds.ts';
import { callContext } from './callContext.ts';

/** A finished part of a trace. `startedAt` in ms since the epoch. */
export interface Span {
  name: string;
  /** `server`: a request to the console; `client`: one that the console has made. */
  kind: 'server' | 'client';
  traceId: string;
  spanId: string;
  /** '' for the first span of a trace. */
  parentId: string;
  state: string;
  startedAt: number;
  ms: number;
  /** By the names of OpenTelemetry's conventions. */
  attributes: Readonly<Record<string, string | number>>;
  isFailed: boolean;
}

/** Takes each finished span of a trace that is recorded. */
export type OnSpan = (span: Span) => void;

/** A request to another program as part of the current one. */
export interface OutgoingSpan {
  spanId: string;
  /** Describes it if it is recorded. */
  ended: (describe: () => Pick<Span, 'name' | 'startedAt' | 'ms' | 'attributes' | 'isFailed'>) => void;
}

/** Begins a span of the current request; outside of a request it is recorded by nobody. */
export function outgoingSpan(onSpan: OnSpan | undefined): OutgoingSpan {
  const trace = callContext()?.ids?.trace;
  const spanId = newSpanId();
  return {
    spanId,
    ended(describe) {
      if (!onSpan || !trace?.isSampled) return;
      const { traceId, spanId: parentId, state } = trace;
      onSpan({ ...describe(), kind: 'client', traceId, spanId, parentId, state });
    },
  };
}
