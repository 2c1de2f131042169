import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { pino } from 'pino';
import type { Logger } from 'pino';
import { onTestFinished } from 'vitest';
import { labNews } from '#contract/constants.ts';
import { createApp } from '#server/app.ts';
import type { OnSpan } from '#server/calls/spans.ts';
import { systemClock } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { createObservedCalls } from '#server/programs/observedCalls.ts';
import type { ObservedCalls } from '#server/programs/observedCalls.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import type { Catalogue } from '#server/sandbox/catalogue/types.ts';
import { sandboxDefaults } from '#server/sandbox/config.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import type { RecordedApplication } from '#server/sandbox/recorded.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import type { Metrics } from '#server/ops/prometheus.ts';
import { createTimelines } from '#server/timeline/timeline.ts';
import type { Rate } from '#server/http/tokenBucket.ts';
import { createUpstream } from '#server/upstream/client.ts';
import { notificationsPath } from '#server/http/paths.ts';
import type { UpstreamConfig } from '#server/upstream/config.ts';
import type { Limits } from '#server/upstream/http.ts';
import type { InjectedFaults } from '#server/upstream/injectedFaults.ts';
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

/**
 * Starts the console's server on a real port, connected to the service at `upstreamUrl`. If `upstreamUrl` is a
 * function, it receives the console's URL and starts the service. `folder` holds the console's records.
 */
export async function testConsole({
  upstreamUrl,
  folder = temporaryFolder(),
  pageFolder = 'public',
  limits,
  rate,
  trustedProxies,
  streams,
  log = silent,
  clock = systemClock,
  access,
  applications = false,
  changes,
  observedCalls,
  recordsOf,
  verified,
  injectedFaults,
  entries,
  metrics,
  onSpan,
  engine,
}: {
  /** Maximum number of entries of the timeline. */
  entries?: number;
  upstreamUrl: string | ((consoleUrl: string) => Promise<string>);
  folder?: string;
  pageFolder?: string;
  limits?: Partial<Limits>;
  rate?: Rate;
  /** Addresses and networks of proxies that are believed. */
  trustedProxies?: readonly string[];
  /** Maximum number of streams of news. */
  streams?: number;
  log?: Logger;
  clock?: Clock;
  /** The access configuration, given the console's URL. */
  access?: (consoleUrl: string) => Promise<AccessConfig>;
  /** Whether the service is a sandbox at which each user has an application. */
  applications?: boolean;
  /** Upstream settings that differ from the sandbox's: hosts, credentials. */
  changes?: Partial<UpstreamConfig>;
  metrics?: Metrics;
  /** Takes the finished spans of traces. */
  onSpan?: OnSpan;
  /** What the sandbox tells of calls that are passed to it. */
  observedCalls?: ObservedCalls;
  /** What the sandbox has recorded of programs. */
  recordsOf?: (workspace: string) => Promise<RecordedApplication>;
  /** The data folder in which verifications are told of. */
  verified?: string;
  /** What the sandbox tells of calls that its fault lab leaves unanswered. */
  injectedFaults?: InjectedFaults;
  /** What reaches the store instead of the driver alone. */
  engine?: Engine;
}) {
  let handle: (...exchange: Parameters<RequestListener>) => unknown = (_request, response) =>
    response.writeHead(503).end();
  const url = await listening((request, response) => void handle(request, response), createHttpServer);
  const serviceUrl = typeof upstreamUrl === 'string' ? upstreamUrl : await upstreamUrl(url);
  const config = {
    upstream: { ...upstreamAt(serviceUrl), ...changes },
    ...(applications && { workspaces: workspacesAt(serviceUrl) }),
    allowedHosts: ['console.example'],
    pageFolder,
    ...(rate && { rate }),
    ...(verified !== undefined && { verified }),
    ...(trustedProxies && { trustedProxies }),
    ...(streams !== undefined && { streams }),
    ...(access && { access: await access(url) }),
  };
  const storage = await storageIn(folder, [testKey()], clock, undefined, metrics?.store, engine);
  const { endSweep } = await startUp(storage, () => undefined);
  onTestFinished(endSweep);
  const deps = { clock: storage.clock, newId: () => randomUUID(), log };
  const upstream = createUpstream({
    config: config.upstream,
    ...deps,
    ...(limits && { limits }),
    ...(injectedFaults && { injectedFaults }),
    ...(metrics && { metrics }),
    ...(onSpan && { onSpan }),
  });
  onTestFinished(() => upstream.close());
  const timelines = createTimelines({ storage, ...deps, ...(entries !== undefined && { entries }) });
  const recordEvents = createRecordEvents(storage);
  // Must run before the storage is closed.
  onTestFinished(() => timelines.flush());
  handle = createApp({
    config,
    storage,
    recordEvents,
    timelines,
    upstream,
    ...deps,
    ...(observedCalls && { observedCalls }),
    ...(recordsOf && { recordsOf }),
    ...(metrics && { metrics }),
    ...(onSpan && { onSpan }),
  }).callback();

  return { url, storage, recordEvents, timelines, store: currentStore(storage), config, ...apiAt(url) };
}

/** Starts a sandbox with short delays; it sends its webhooks to the URL, if given. */
export async function testSandbox({
  webhookUrl = '',
  log = silent,
  rate = sandboxDefaults.rate,
  catalogue: definitions = catalogue,
  publicUrl,
  trustedProxies = [],
  labChanged = () => undefined,
  observedCalls,
  isOwn,
  webhookRetryDelay = sandboxDefaults.webhookRetryDelay,
}: {
  webhookRetryDelay?: number;
  /** Whether a port is one of the console's, whose calls are not judged. */
  isOwn?: (port: number | undefined) => boolean;
  observedCalls?: ObservedCalls;
  labChanged?: (workspace: string) => void;
  webhookUrl?: string;
  log?: Logger;
  rate?: Rate;
  catalogue?: Catalogue;
  publicUrl?: string;
  trustedProxies?: readonly string[];
} = {}) {
  const sandbox = await createSandbox({
    secret: sandboxSecret,
    catalogue: definitions,

    log,
    data: await withSandboxKey(temporaryFolder()),

    port: 0,
    webhookUrl,
    labChanged,
    ...(observedCalls && {
      addressesOf: observedCalls.addressesOf,
      onCall: (call) => observedCalls.found(call.forwardedAs, call.findings),
    }),
    longestRecorded: 64 * 1024,
    ...(isOwn && { isOwn }),
    config: {
      webhookDelay: 5,
      webhookRetryDelay,
      stepDelay: 5,
      everyDay: true,
      rate,
      trustedProxies,
      ...(publicUrl !== undefined && { publicUrl }),
    },
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
