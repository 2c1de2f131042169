import type { Logger } from 'pino';
import type { KeyLife, RetryWindow } from '#server/calls/retryWindow.ts';
import type { Clock } from '#server/clock.ts';
import type { Fetch } from '#server/http/outgoingProxy.ts';
import type { Timeline } from '#server/timeline/timeline.ts';
import type { Upstream } from '#server/upstream/client.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import type { AskInOrder } from './answers.ts';
import type { Store } from './companyStore.ts';
import type { Stored } from './settings.ts';

/** What the calls of a company need. */
export interface CompanyContext {
  config: {
    upstream: UpstreamConfig;
    /** Requests to other servers than the service's; without it, they go directly. */
    fetch?: Fetch;
  };
  companyKey: string;
  /** The settings when the call came. Who decides by them within a transaction reads them anew. */
  settings: Stored;
  store: Store;
  upstream: Upstream;
  /** Returns until when a request that was sent before may be repeated under its idempotency key. */
  retryWindow: (life: KeyLife) => RetryWindow;
  /** The timeline of the workspace. */
  timeline: Timeline;
  /** Reads a resource so that no older answer is stored over a newer one. */
  askInOrder: AskInOrder;
  clock: Clock;
  newId: () => string;
  log: Logger;
}
