import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isLoopback, localUrl } from '#server/http/networks.ts';
import { ownCommands } from './http/ownCommands.ts';
import { filesOf, sandboxFiles } from '#server/ops/backup.ts';
import { offerWork } from '#server/ops/operatorSocket.ts';
import { runUserCommand } from '#server/ops/userCommands.ts';
import { createUsers } from '#server/ops/users.ts';
import { createApp } from './app.ts';
import { serveMetrics } from '#server/ops/metricsServer.ts';
import { labNews } from '#contract/constants.ts';
import { systemClock } from './clock.ts';
import { useSandbox } from '#server/embedded/embeddedSandbox.ts';
import { gracefulShutdown } from '#server/http/connections.ts';
import { createHttpServer } from './http/httpServer.ts';
import { createFetch } from '#server/http/outgoingProxy.ts';
import { rateOf } from '#server/http/rateLimits.ts';
import { run } from '#server/ops/program.ts';
import { createOwnPorts } from '#server/programs/ownPorts.ts';
import { recordPrograms } from '#server/programs/sandboxTap.ts';
import { createTimelines } from '#server/timeline/timeline.ts';
import type { AnsweredCall } from '#server/sandbox/records/recorder.ts';
import { sandboxUpstream, sandboxWorkspaces } from '#server/embedded/sandboxUpstream.ts';
import { startUp } from '#server/ops/startUp.ts';
import { checkStores } from '#server/ops/stores.ts';
import { recordEventsTopic } from './storage/records.ts';
import { createRecordEvents } from '#server/companies/recordEvents.ts';
import { createUpstream } from './upstream/client.ts';
import { createTransport } from './upstream/transport.ts';

/** Starts the console, with the embedded sandbox unless another one or the live service is configured. */
await run(async (config, log) => {
  const { host, port, access } = config;
  const newId = () => randomUUID();

  // Listens first, so that a port in use is detected before anything is opened, and because the sandbox needs the
  // console's URL.
  let opened = (): void => undefined;
  const opening = new Promise<void>((resolve) => (opened = resolve));
  // Requests that arrive during the start wait: a proxy sends requests as soon as the port is open.
  let handle = (...exchange: Parameters<RequestListener>): unknown => opening.then(() => handle(...exchange));
  const { listener, drain } = gracefulShutdown((request, response) => void handle(request, response));
  const server = createHttpServer(listener, config.maxConnections, undefined, config.trustedProxies).listen(port, host);
  await once(server, 'listening');
  const url = localUrl(host, (server.address() as AddressInfo).port); // it listens on a port
  // Loaded only if it is configured.
  const metrics = config.metrics && (await import('#server/ops/prometheus.ts')).createPrometheus();
  const exposed = metrics && (await serveMetrics(metrics, config.metrics!));
  const traces = config.traces && (await import('#server/ops/traces.ts')).createTraces(config.traces, log);

  // Before anything is made: a key or a secret that is missing is not replaced.
  const stores = checkStores(config, log);
  /** Notifies the pages of what the fault lab does; set once the storage is open. */
  let labChanged = (_workspace: string): void => undefined;
  /** Records the calls of other programs at the sandbox; set once the timelines are open. */
  let onCall = (_call: AnsweredCall, _workspace: string): void => undefined;
  const ownPorts = createOwnPorts();
  const sandbox = config.live
    ? undefined
    : await useSandbox({
        config,
        clock: systemClock,
        newId,
        log,
        consoleUrl: url,
        labChanged: (workspace) => labChanged(workspace),
        onCall: (call, workspace) => onCall(call, workspace),
        isOwn: ownPorts.has,
        acceptLoss: stores.acceptLoss,
        ...(metrics && { metrics: metrics.sandbox }),
      });
  const upstreamConfig = config.live ?? sandboxUpstream(sandbox!.place); // one of the two is defined
  const workspaces = access && sandbox && sandboxWorkspaces(sandbox.place);
  const onError = (error: unknown) => log.error({ err: error }, 'the store failed');
  const upstreamOf = (workspace: string) => workspaces?.upstreamOf(workspace) ?? upstreamConfig;
  const applicationOf = (workspace: string) => upstreamOf(workspace).applicationId;
  const storing = { clock: systemClock, onError, applicationOf, ...(metrics && { onStatement: metrics.store }) };
  const storage = await stores.open(storing);
  const { clock } = storage;
  const { endSweep } = await startUp(storage, onError);
  const recordEvents = createRecordEvents(storage);
  labChanged = (workspace) => void storage.publish(recordEventsTopic(workspace), labNews);
  const timelines = createTimelines({ storage, clock, log, entries: config.timelineEntries });
  onCall = recordPrograms(timelines, upstreamOf, newId);
  const { observedCalls, injectedFaults, recordsOf } = sandbox?.embedded ?? {};
  const upstream = createUpstream({
    config: upstreamConfig,
    clock,
    newId,
    log,
    transport: createTransport({ proxies: config.proxies }),
    ...(injectedFaults && { injectedFaults }),
    ...(metrics && { metrics }),
    ...(traces && { onSpan: traces.onSpan }),
  });
  // Beside the program, whichever folder it is started in.
  const pageFolder = dirname(fileURLToPath(import.meta.resolve('#page/index.html')));
  const root = dirname(dirname(pageFolder));
  const isOwnMachine = isLoopback(host) && !access;
  const app = createApp({
    config: {
      upstream: upstreamConfig,
      ...(workspaces && { workspaces }),
      allowedHosts: config.allowedHosts,
      trustedProxies: config.trustedProxies,
      rate: rateOf(config.rateLimit),
      streams: Math.floor(config.maxConnections / 2), // the other half is for requests
      pageFolder,
      commands: ownCommands(root, isOwnMachine, config.dataDir),
      verified: resolve(config.dataDir),
      ...(access && { access }),
      fetch: createFetch(config.proxies),
    },
    storage,
    recordEvents,
    timelines,
    upstream,
    ...(observedCalls && { observedCalls }),
    ...(recordsOf && { recordsOf }),
    ...(metrics && { metrics }),
    ...(traces && { onSpan: traces.onSpan }),
    clock,
    newId,
    log,
  });
  const users = createUsers({ storage, issuer: access?.issuer });
  const offers = await Promise.all([
    ...filesOf(config, false).map((file) => offerWork(file, log, (args) => runUserCommand(users, args))),
    ...(sandbox?.embedded ? sandboxFiles(config) : []).map((file) => offerWork(file, log)),
  ]);
  handle = app.callback();
  opened();

  return {
    addresses: {
      url,
      ...(access && { publicUrl: access.publicUrl }),
      ...(sandbox && { sandbox: sandbox.place.url }),
      ...(exposed && { metrics: exposed.url }),
    },
    greeting: `Payments Out Console: ${url}${access ? `, for its users ${access.publicUrl}` : ''}${sandbox ? `\nSandbox: ${sandbox.place.url}` : ''}${exposed ? `\nMetrics: ${exposed.url}` : ''}`,
    drain,
    async close() {
      drain();
      server.close();
      // Repeated, because pages that follow the timeline, or reconnect over an open connection, would keep the server
      // from closing.
      const release = () => {
        timelines.endSubscriptions();
        recordEvents.endSubscriptions();
        server.closeIdleConnections();
      };
      release();
      const releasing = setInterval(release, 100);
      await once(server, 'close');
      clearInterval(releasing);
      await Promise.all(offers.map((end) => end()));
      await upstream.close();
      await sandbox?.close();
      ownPorts.end();
      await timelines.flush();
      await endSweep();
      await storage.close();
      await exposed?.close();
      await traces?.close();
    },
  };
});
