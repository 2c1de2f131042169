import type { Logger } from 'pino';
import type { AccessConfig } from './access/config.ts';
import type { Clock } from './clock.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { UpstreamConfig, Workspaces } from './upstream/config.ts';
import type { PassedCalls } from './programs/passed.ts';
import type { Once } from './writes/once.ts';
import type { Repeat } from './writes/outcome.ts';
import type { Rate } from './http/rate.ts';
import type { Timeline, Timelines } from './record/timeline.ts';
import type { Storage } from './storage/open.ts';
import type { RecordEvents } from './workspace/recordEvents.ts';
import type { Store } from './workspace/store.ts';
import type { Service, Upstream } from './upstream/client.ts';

/** Dependencies of the application. */
export interface AppDeps {
  config: {
    upstream: UpstreamConfig;
    /** If present, each workspace has its own configuration; `upstream` is then that of the default workspace. */
    workspaces?: Workspaces;
    /** If absent, there is no sign-in. */
    access?: AccessConfig;
    allowedHosts: readonly string[];
    /** Addresses and networks of proxies whose X-Forwarded headers are trusted; none if absent. */
    trustedProxies?: readonly string[];
    /** Folder of the built page. */
    pageFolder: string;
    /** The rate limit of one user, or of one address without a user; the default if absent. */
    rate?: Rate;
    /** Maximum number of open event streams; the default if absent. */
    streams?: number;
  };
  storage: Storage;
  recordEvents: RecordEvents;
  timelines: Timelines;
  upstream: Service;
  /** The embedded sandbox's reports on proxied calls; absent for any other service. */
  passed?: PassedCalls;
  /** Absent if nothing is measured. */
  metrics?: Metrics;
  clock: Clock;
  newId: () => string;
  log: Logger;
}

/** Dependencies of the routes in one scope of a workspace. */
export interface Deps extends Omit<AppDeps, 'storage' | 'recordEvents' | 'upstream' | 'timelines' | 'passed'> {
  upstream: Upstream;
  scope: string;
  store: Store;
  once: Once;
  /**
   * Describes the repeat of a write that was first sent at `claimedAt` (ms), under an idempotency key that the service
   * honours for `honoured` ms.
   */
  repeatOf: (claimedAt: number, honoured: number) => Repeat;
  /** The timeline of the workspace. */
  timeline: Timeline;
}
