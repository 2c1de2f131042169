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

/**
 * Creates what sends finished spans to a collector, in batches. Loaded only if a collector is configured. OpenTelemetry's
 * own tracer is not used: the ids are those of the request (calls/requestIds.ts), also where nothing is recorded. A
 * collector that does not answer costs spans and lines of the log, never a request.
 */
export function createTraces(
  { endpoint, headers }: NonNullable<Config['traces']>,
  log: Logger,
): { onSpan: OnSpan; close(): Promise<void> } {
  const report = (...words: unknown[]) => log.warn({ reason: words.map(String).join(' ') }, 'traces could not be sent');
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const processor = new BatchSpanProcessor({
    exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces`, headers: { ...headers } }),
  });
  const resource = resourceFromAttributes({ 'service.name': 'payments-out-console', 'service.version': version }).merge(
    detectResources({ detectors: [envDetector] }), // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES
  );
  const shared = {
    ...{
      resource,
      instrumentationScope: { name: 'payments-out-console', version },
      links: [],
      events: [],
      ended: true,
    },
    ...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
  };

  function onSpan({ name, kind, traceId, spanId, parentId, state, startedAt, ms, attributes, isFailed }: Span): void {
    const context = { traceId, traceFlags: TraceFlags.SAMPLED, ...(state && { traceState: createTraceState(state) }) };
    processor.onEnd({
      ...{ ...shared, name, kind: kinds[kind], attributes },
      ...{ startTime: hrTime(startedAt), endTime: hrTime(startedAt + ms), duration: hrTime(ms) },
      spanContext: () => ({ ...context, spanId }),
      ...(parentId !== '' && { parentSpanContext: { ...context, spanId: parentId, isRemote: kind === 'server' } }),
      status: { code: isFailed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    });
  }

  return {
    onSpan,
    async close() {
      await Promise.race([processor.shutdown(), wait(patience, undefined, { ref: false })]).catch(report);
    },
  };
}
