import { setTimeout as wait } from 'node:timers/promises';
import { createTraceState, diag, DiagLogLevel, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { HrTime } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { Config } from '#server/config/config.ts';
import type { OnSpan, Span } from '#server/calls/spans.ts';
import { version } from '#server/version.ts';

/** Longest time (ms) for the last spans to be sent at the end. */
const patience = 2000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];

/** Longest reason (characters) in the log. */
const longestReason = 500;

/**
 * An error of the exporter in words: HTTP status and body of the answer, or the code of the connection. The exporter has
 * no status for those that ask to be repeated, which it did until its time-out.
 */
function inWords(each: unknown): string {
  if (!(each instanceof Error)) return String(each).slice(0, longestReason);
  const { message, code = '', data = '' }: Error & { code?: unknown; data?: unknown } = each;
  if (typeof code === 'number') return `HTTP ${code} ${message} ${String(data)}`.trim().slice(0, longestReason);
  if (/retryable/.test(message)) return 'HTTP 429, 502, 503 or 504 until the time-out';
  return [message, code].filter(Boolean).join(': ');
}

/**
 * Creates what sends finished spans to a collector, in batches. Loaded only if a collector is configured. OpenTelemetry's
 * own tracer is not used: the ids are those of the request (calls/requestIds.ts), also where nothing is recorded. A
 * collector that does not answer costs spans and lines of the log, never a request.
 */
export function createTraces(
  { url, headers }: NonNullable<Config['traces']>,
  log: Logger,
): { onSpan: OnSpan; close(): Promise<void> } {
  const address = new URL(url);
  const collector = address.origin + address.pathname; // a query may have a key
  const report = (...words: unknown[]) =>
    log.warn({ collector, reason: words.map(inWords).join(' ') }, 'traces could not be sent');
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({ url, headers: { ...headers } });
  const processor = new BatchSpanProcessor({
    exporter: {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          if (result.error) report(result.error);
          done(result.error ? { code: 0 } : result); // the processor would report the error's stack
        }),
      shutdown: () => exporter.shutdown(),
      forceFlush: () => exporter.forceFlush(),
    },
  });
  const resource = resourceFromAttributes({ 'service.name': 'payments-out-console', 'service.version': version }).merge(
    detectResources({ detectors: [envDetector] }), // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES
  );
  const shared = {
    resource,
    instrumentationScope: { name: 'payments-out-console', version },
    links: [],
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };

  function onSpan({ name, kind, traceId, spanId, parentId, state, startedAt, ms, attributes, isFailed }: Span): void {
    const context = { traceId, traceFlags: TraceFlags.SAMPLED, ...(state && { traceState: createTraceState(state) }) };
    processor.onEnd({
      ...shared,
      name,
      kind: kinds[kind],
      attributes,
      startTime: hrTime(startedAt),
      endTime: hrTime(startedAt + ms),
      duration: hrTime(ms),
      spanContext: () => ({ ...context, spanId }),
      ...(parentId !== '' && { parentSpanContext: { ...context, spanId: parentId, isRemote: kind === 'server' } }),
      status: { code: isFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    });
  }

  return {
    onSpan,
    async close() {
      const sent = processor.shutdown().then(() => true);
      const isSent = await Promise.race([sent, wait(patience, false, { ref: false })]).catch(report);
      if (isSent === false) report(`the last spans were not taken within ${patience} ms`);
    },
  };
}
