import type { Logger } from 'pino';
import { createApp } from '#server/app.ts';
import type { Clock } from '#server/clock.ts';
import { createRecordEvents } from '#server/companies/recordEvents.ts';
import { fetchWithin } from '#server/http/inProcess.ts';
import { openStorage } from '#server/storage/open.ts';
import { createTimelines } from '#server/timeline/timeline.ts';
import { createUpstream } from '#server/upstream/client.ts';
import { startUp } from '#server/ops/startUp.ts';
import { upstreamAt, workspacesAt } from '#tests/support/sandboxCredentials.ts';
import { testKey } from '#tests/support/store.ts';
import type { ClosableTransport } from '#server/upstream/transport.ts';
import type { Fetch } from '#server/http/outgoingProxy.ts';
import { access } from './identityProvider.ts';
import { consoleUrl, serviceUrl } from './network.ts';
import type { Disk } from './disk.ts';
import type { SharedDatabase } from './peers.ts';
import type { Owner, Scheduler } from './scheduler.ts';

/** No rate limits. */
export const unlimited = { perSecond: 1e6, burst: 1e6 };

/** A clock whose timers end with their owner; `ahead` is how far it is set ahead of the world's. */
export const clockOf = (scheduler: Scheduler, owner: Owner, ahead: () => number = () => 0): Clock => ({
  now: () => scheduler.now() + ahead(),
  steady: () => scheduler.now(),
  setTimeout: (run, ms) => scheduler.plan(ms, '', run, owner),
  clearTimeout: (event) => event && scheduler.cancel(event as ReturnType<Scheduler['plan']>), // made above
});

/** A process of the console. */
export interface ConsoleProcess {
  owner: Owner;
  fetch: (path: string, init: RequestInit) => Promise<Response>;
}

/** Starts the console on a disk, as `server/main.ts` does without its ports. */
export async function startProcess({
  scheduler,
  owner,
  disk,
  network,
  ahead,
  shared,
  log,
  signIn,
  keepsTimeline,
}: {
  scheduler: Scheduler;
  owner: Owner;
  disk: Disk;
  network: (owner: Owner) => ClosableTransport;
  ahead: () => number;
  /** What the servers on the disk have in common; undefined if there is one. */
  shared: SharedDatabase | undefined;
  log: Logger;
  /** How the identity provider is reached; undefined if nobody signs in. */
  signIn: Fetch | undefined;
  keepsTimeline: boolean;
}): Promise<ConsoleProcess> {
  const newId = () => crypto.randomUUID();
  const onError = () => undefined; // what a server logs
  const storage = await openStorage({
    url: 'file::memory:',
    keys: [testKey()],
    onError,
    clock: clockOf(scheduler, owner, ahead),
    engine: { openDriver: () => disk.handle(owner), ...(shared && { peers: shared.join(owner) }) },
  });
  const deps = { clock: storage.clock, newId, log };
  await startUp(storage, onError);
  const config = {
    upstream: upstreamAt(serviceUrl),
    allowedHosts: ['console.example'],
    pageFolder: 'public',
    rate: unlimited,
    ...(signIn && { access, fetch: signIn, workspaces: workspacesAt(serviceUrl) }),
  };
  const app = createApp({
    config,
    storage,
    ...deps,
    recordEvents: createRecordEvents(storage),
    timelines: createTimelines({ storage, ...deps, ...(!keepsTimeline && { entries: 0 }) }),
    upstream: createUpstream({ config: config.upstream, ...deps, transport: network(owner) }),
  });
  const handle = app.callback();
  return { owner, fetch: fetchWithin((request, response) => void handle(request, response), consoleUrl) };
}
