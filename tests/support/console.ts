import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { labNews } from '#contract/constants.ts';
import { createApp, type AppDeps } from '#server/app.ts';
import { systemClock } from '#server/clock.ts';
import { createObservedCalls } from '#server/programs/observedCalls.ts';
import type { ObservedCalls } from '#server/programs/observedCalls.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { createTimelines } from '#server/timeline/timeline.ts';
import type { Rate } from '#server/http/tokenBucket.ts';
import { createUpstream } from '#server/upstream/client.ts';
import { notificationsPath } from '#server/http/paths.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import type { AccessConfig } from '#server/auth/config.ts';
import { apiAt } from './api.ts';
import { listening } from './listen.ts';
import { withSandboxKey } from './sandboxKey.ts';
import { startUp } from '#server/ops/startUp.ts';
import type { Engine } from '#server/storage/engine.ts';
import { recordEventsTopic } from '#server/storage/records.ts';
import { createRecordEvents } from '#server/companies/recordEvents.ts';
import { currentStore, storageIn, temporaryFolder, testKey } from './store.ts';
import { sandboxSecret, upstreamAt, workspacesAt } from '#tests/support/sandboxCredentials.ts';

export const silent = pino({ level: 'silent' });

type Upstream = Parameters<typeof createUpstream>[0];

/** What a test sets of a console; all else is as an installation has it. */
type Situation = Partial<
  Pick<AppDeps, 'log' | 'observedCalls' | 'recordsOf' | 'metrics' | 'onSpan'> &
    Pick<AppDeps['config'], 'pageFolder' | 'rate' | 'trustedProxies' | 'streams' | 'verified'> &
    Pick<Upstream, 'clock' | 'limits' | 'injectedFaults'> &
    Pick<Parameters<typeof createTimelines>[0], 'entries'>
> & {
  /** The URL of the service; a function is given the console's URL and starts the service. */
  upstreamUrl: string | ((consoleUrl: string) => Promise<string>);
  /** Holds the console's records. */
  folder?: string;
  /** The access configuration, given the console's URL. */
  access?: (consoleUrl: string) => Promise<AccessConfig>;
  /** Whether the service is a sandbox at which each user has an application. */
  applications?: boolean;
  /** Upstream settings that differ from the sandbox's: hosts, credentials. */
  changes?: Partial<UpstreamConfig>;
  /** What reaches the store instead of the driver alone. */
  engine?: Engine;
};

/** Starts the console's server on a real port, connected to a service. */
export async function testConsole({
  upstreamUrl,
  folder = temporaryFolder(),
  access,
  applications = false,
  changes,
  engine,
  clock: given = systemClock,
  log = silent,
  ...others
}: Situation) {
  let handle: (...exchange: Parameters<RequestListener>) => unknown = (_request, response) =>
    response.writeHead(503).end();
  const url = await listening((request, response) => void handle(request, response), createHttpServer);
  const serviceUrl = typeof upstreamUrl === 'string' ? upstreamUrl : await upstreamUrl(url);
  const config = {
    upstream: { ...upstreamAt(serviceUrl), ...changes },
    ...(applications && { workspaces: workspacesAt(serviceUrl) }),
    allowedHosts: ['console.example'],
    pageFolder: 'public',
    ...others,
    ...(access && { access: await access(url) }),
  };
  const storage = await storageIn(folder, [testKey()], given, undefined, others.metrics?.store, engine);
  const { endSweep } = await startUp(storage, () => undefined);
  onTestFinished(endSweep);
  const deps = { ...others, clock: storage.clock, newId: () => randomUUID(), log };
  const upstream = createUpstream({ config: config.upstream, ...deps });
  onTestFinished(() => upstream.close());
  const timelines = createTimelines({ storage, ...deps });
  const recordEvents = createRecordEvents(storage);
  // Must run before the storage is closed.
  onTestFinished(() => timelines.flush());
  handle = createApp({ config, storage, recordEvents, timelines, upstream, ...deps }).callback();
  return { url, storage, recordEvents, timelines, store: currentStore(storage), config, ...apiAt(url) };
}

type Sandbox = NonNullable<Parameters<typeof createSandbox>[0]>;

/** Starts a sandbox with short delays. */
export async function testSandbox({
  log = silent,
  webhookUrl = '',
  observedCalls,
  catalogue,
  labChanged,
  isOwn,
  ...config
}: Pick<Sandbox, 'log' | 'webhookUrl' | 'catalogue' | 'labChanged' | 'isOwn'> &
  Sandbox['config'] & { observedCalls?: ObservedCalls } = {}) {
  const sandbox = await createSandbox({
    secret: sandboxSecret,
    data: await withSandboxKey(temporaryFolder()),
    port: 0,
    log,
    webhookUrl,
    ...(catalogue && { catalogue }),
    ...(labChanged && { labChanged }),
    ...(isOwn && { isOwn }),
    ...(observedCalls && {
      addressesOf: observedCalls.addressesOf,
      onCall: (call) => observedCalls.found(call.forwardedAs, call.findings),
    }),
    longestRecorded: 64 * 1024,
    config: { webhookDelay: 5, stepDelay: 5, everyDay: true, ...config },
  });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Starts console and sandbox, connected as by `npm start`. */
export async function consoleWithSandbox(log = silent, rate?: Rate) {
  let labChanged = (_workspace: string): void => undefined;
  const observedCalls = createObservedCalls(() => randomUUID());
  let sandbox: Awaited<ReturnType<typeof testSandbox>> | undefined;
  const started = await testConsole({
    log,
    observedCalls,
    injectedFaults: { take: (call) => sandbox?.takeFault(call) ?? '' },
    ...(rate && { rate }),
    upstreamUrl: async (url) => {
      const changed = { observedCalls, labChanged: (workspace: string) => labChanged(workspace) };
      sandbox = await testSandbox({ log, webhookUrl: url + notificationsPath, ...changed, ...(rate && { rate }) });
      return sandbox.url;
    },
  });
  labChanged = (workspace) => void started.storage.publish(recordEventsTopic(workspace), labNews);
  return started;
}
