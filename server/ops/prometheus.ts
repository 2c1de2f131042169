import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { OpenMetricsContentType } from 'prom-client';
import type { Found } from '#server/writes/journal.ts';
import type { RequestMetrics } from '#server/http/observeRequests.ts';
import type { OnStatement } from '#server/storage/statements.ts';
import type { UpstreamMetrics } from '#server/upstream/metricLabels.ts';
import { version } from '#server/version.ts';
import type { SandboxMetrics } from '#server/http/observeRequests.ts';
import { createGauges, type GaugeValues } from './gauges.ts';
import type { WebhookMetrics } from '#server/webhooks/receive.ts';

/**
 * The console's metrics. Each call records one observation; times in ms. Labels must have a bounded number of values,
 * so never paths, ids or secrets.
 */
export interface Metrics extends RequestMetrics, UpstreamMetrics, WebhookMetrics {
  claim: (found: Found) => void;
  /** A statement of the storage, by its kind. */
  store: OnStatement;
  /** Has each scrape read the values of the gauges now. */
  observe: (read: () => Promise<GaugeValues>) => void;
  sandbox: SandboxMetrics;
}

/** Returns the status class of an answer, such as `2xx`; `none` if there was none. */
const statusClass = (status: number): string => (status === 0 ? 'none' : `${Math.floor(status / 100)}xx`);

/** Upper bounds (s) of durations: cached answers take milliseconds, those of a bank up to 100 s. */
const ofRequests = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const ofCalls = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Upper bounds (s): a file answers within microseconds, a remote database within milliseconds. */
const ofStore = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** Methods with a label value of their own; all others share one. */
const methods: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Metrics of prom-client's defaults to leave out: constants, gauges named like counters (OpenMetrics forbids them), and
 * duplicates.
 */
const unregistered = [
  'nodejs_version_info',
  'process_max_fds',
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_handles',
  'nodejs_active_requests',
  ...['total', 'used', 'available'].map((size) => `nodejs_heap_space_size_${size}_bytes`),
  // If there was no sample since the last scrape, the minimum is absurd and the others are NaN.
  'nodejs_eventloop_lag_min_seconds',
  'nodejs_eventloop_lag_mean_seconds',
  'nodejs_eventloop_lag_stddev_seconds',
];

export interface Exposed extends Metrics {
  /** Returns all metrics in the text format of OpenMetrics 1.0. */
  openMetrics: () => Promise<string>;
}

/** Records metrics for Prometheus, including prom-client's metrics of the process. */
export function createPrometheus(): Exposed {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  for (const name of unregistered) registry.removeSingleMetric(name);

  new Gauge({
    name: 'console_build_info',
    help: 'The versions of console and Node, as labels; the value is 1.',
    labelNames: ['version', 'node'],
    registers,
  }).set({ version, node: process.versions.node }, 1);
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name, help, labelNames, registers });
  const seconds = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  const requests = counter(
    'console_requests_total',
    'Requests answered, by method, pattern of the path and class of the status.',
    ['method', 'route', 'status'],
  );
  const requestSeconds = seconds(
    'console_request_duration_seconds',
    'Time until the answer to a request was ready to be sent.',
    ['method', 'route'],
    ofRequests,
  );
  const calls = counter(
    'console_upstream_calls_total',
    'Calls of the payments service, each attempt by itself, by operation and outcome.',
    ['operation', 'outcome'],
  );
  const callSeconds = seconds(
    'console_upstream_call_duration_seconds',
    'Time until a call of the payments service was answered or given up.',
    ['operation'],
    ofCalls,
  );
  const webhooks = counter('console_webhooks_total', 'Webhooks received, by type and outcome.', ['type', 'outcome']);
  const claims = counter('console_claims_total', 'Claims of idempotency keys, by what they found.', ['outcome']);
  const operations = counter('console_store_operations_total', 'Operations of the store, by name and outcome.', [
    'operation',
    'outcome',
  ]);
  const operationSeconds = seconds(
    'console_store_operation_duration_seconds',
    'Time until an operation of the store was done or failed.',
    ['operation'],
    ofStore,
  );
  const sandboxRequests = counter(
    'console_sandbox_requests_total',
    'Requests that the sandbox has answered, by method, pattern of the path and class of the status.',
    ['method', 'route', 'status'],
  );
  const sandboxWebhooks = counter(
    'console_sandbox_webhooks_total',
    'Attempts of the sandbox to deliver a webhook, by the class of the answer’s status.',
    ['status'],
  );
  const gauges = createGauges(registers);
  const methodOf = (given: string): string => (methods.includes(given) ? given : 'other');

  return {
    async openMetrics() {
      await gauges.read();
      return registry.metrics();
    },
    observe: gauges.observe,
    sandbox: {
      request: (method, route, status) =>
        sandboxRequests.inc({ method: methodOf(method), route, status: statusClass(status) }),
      delivery: (status) => sandboxWebhooks.inc({ status: statusClass(status) }),
    },
    request(given, route, status, ms) {
      const method = methodOf(given);
      requests.inc({ method, route, status: statusClass(status) });
      requestSeconds.observe({ method, route }, ms / 1000);
    },
    upstream(operation, outcome, ms) {
      calls.inc({ operation, outcome });
      callSeconds.observe({ operation }, ms / 1000);
    },
    webhook: (type, outcome) => webhooks.inc({ type, outcome }),
    claim: (outcome) => claims.inc({ outcome }),
    store(operation, failed, ms) {
      operations.inc({ operation, outcome: failed ? 'failed' : 'done' });
      operationSeconds.observe({ operation }, ms / 1000);
    },
  };
}
