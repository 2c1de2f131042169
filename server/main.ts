import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { isIP } from 'node:net';
import type { AddressInfo } from 'node:net';
import { visited } from './address.ts';
import { filesOf } from './backup/files.ts';
import { offerCopies } from './backup/offer.ts';
import { createApp } from './app.ts';
import { serveMetrics } from './metrics/port.ts';
import { labNews } from '#contract/lab.ts';
import { systemClock as clock } from './clock.ts';
import { createHttpServer } from './httpServer.ts';
import { notificationsPath } from './upstream/config.ts';
import { secretsOf } from './upstream/config.ts';
import { rateOf } from './rates.ts';
import { run } from './program.ts';
import { recordPrograms } from './programs/direct.ts';
import { createPassedCalls } from './programs/passed.ts';
import { createTimelines } from './record/timeline.ts';
import { catalogue } from './sandbox/catalogue/index.ts';
import { openSandbox } from './sandbox/open.ts';
import type { ObservedCall } from './sandbox/programs.ts';
import { sandboxCredentialsOf } from './sandboxSecret.ts';
import { sandboxUpstream, thisMachine } from './sandboxUpstream.ts';
import { storeKeysOf } from './store/keys.ts';
import { openStores } from './store/store.ts';
import { defaultWorkspace } from './workspaces.ts';
import { createUpstream } from './upstream/client.ts';
import { createMarks } from './upstream/marks.ts';

/** Starts the console, with the embedded sandbox unless the live service is configured. */
await run(async (config, log) => {
  const { host, port, dataDir, access } = config;
  const newId = () => randomUUID();

  // Listens first, so that a port in use is detected before anything is opened, and because the sandbox needs the
  // console's URL.
  let handle: (...exchange: Parameters<RequestListener>) => unknown = (_request, response) =>
    response.writeHead(503, { 'retry-after': '1' }).end();
  const server = createHttpServer((request, response) => void handle(request, response), config.maxConnections).listen(
    port,
    host,
  );
  await once(server, 'listening');
  const url = visited(host, (server.address() as AddressInfo).port); // it listens on a port
  // Loaded only where it is used.
  const metrics = config.metrics && (await import('./metrics/prometheus.ts')).createPrometheus();
  const exposed = metrics && (await serveMetrics(metrics, config.metrics!));

  /** Tells the pages what the fault lab does; set once the stores are open. */
  let labChanged = (): void => undefined;
  /** Records what other programs do at the sandbox; set once the timelines are open. */
  let observe = (_call: ObservedCall): void => undefined;
  const passed = createPassedCalls(newId);
  const marks = createMarks();
  const credentials = config.live ? undefined : sandboxCredentialsOf(config);
  const sandbox = !credentials
    ? undefined
    : await openSandbox({
        catalogue,
        clock,
        newId,
        log,
        dataDir,
        credentials,
        host: config.sandboxHost,
        port: config.sandboxPort,
        webhookUrl: url + notificationsPath,
        config: {
          allowedHosts: [config.sandboxHost, ...config.allowedHosts],
          trustedProxies: config.trustedProxies,
          shared: access !== undefined,
        },
        labChanged: () => labChanged(),
        // With users, nobody knows whose program it is.
        passed,
        marked: marks.note,
        ...(!access && { observe: (call: ObservedCall) => observe(call) }),
      });
  const upstreamConfig =
    config.live ?? sandboxUpstream(sandbox!.url, credentials!, isIP(host) ? [...thisMachine, host] : thisMachine); // one of the two is there
  const onError = (error: unknown) => log.error({ err: error }, 'the store failed');
  const stores = await openStores({
    url: config.storeUrl,
    keys: storeKeysOf(config),
    clock,
    onError,
    ...(metrics && { metrics }),
  });
  labChanged = () => stores.news.tellAll(labNews);
  const timelines = createTimelines(stores, { clock, log, entries: config.timelineEntries });
  const programs = recordPrograms(timelines.of(defaultWorkspace), secretsOf(upstreamConfig), newId);
  observe = programs.observe;
  const upstream = createUpstream({ config: upstreamConfig, clock, newId, log, marks, ...(metrics && { metrics }) });
  const app = createApp({
    config: {
      upstream: upstreamConfig,
      allowedHosts: config.allowedHosts,
      trustedProxies: config.trustedProxies,
      rate: rateOf(config.rateLimit),
      streams: Math.floor(config.maxConnections / 2), // what is left is for their requests
      pageFolder: 'dist/page',
      ...(access && { access }),
    },
    stores,
    timelines,
    upstream,
    ...(sandbox && { passed }),
    ...(metrics && { metrics }),
    clock,
    newId,
    log,
  });
  const copies = await Promise.all(filesOf(config, sandbox !== undefined).map((file) => offerCopies(file, log)));
  handle = app.callback();

  return {
    greeting: `Payments Out Console: ${url}${access ? `, for its users ${access.publicUrl}` : ''}${sandbox ? `\nSandbox: ${sandbox.url}` : ''}${exposed ? `\nMetrics: ${exposed.url}` : ''}`,
    async close() {
      server.close();
      // Repeated, because pages that follow the timeline, or reconnect over an open connection, would keep the server
      // from closing.
      const letGo = () => {
        timelines.endFollowing();
        stores.news.end();
        server.closeIdleConnections();
      };
      letGo();
      const letting = setInterval(letGo, 100);
      await once(server, 'close');
      clearInterval(letting);
      await Promise.all(copies.map((end) => end()));
      await upstream.close();
      await sandbox?.close();
      programs.end();
      await timelines.flush();
      await stores.close();
      await exposed?.close();
    },
  };
});
