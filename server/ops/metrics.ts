import type { ClaimOutcome } from '#server/calls/idempotency.ts';
import type { RequestMetrics } from '#server/http/requestMetrics.ts';
import type { OnStatement } from '#server/storage/statements.ts';
import type { UpstreamMetrics } from '#server/upstream/metricLabels.ts';
import type { WebhookMetrics } from '#server/webhooks/receive.ts';

/**
 * The console's metrics. Each call records one observation; times in ms. Labels must have a bounded number of values,
 * so never paths, ids or secrets.
 */
export interface Metrics extends RequestMetrics, UpstreamMetrics, WebhookMetrics {
  claim: (outcome: ClaimOutcome) => void;
  /** A statement of the storage, by its kind. */
  store: OnStatement;
}
