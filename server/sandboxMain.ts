import { localUrl } from '#server/http/networks.ts';
import { sandboxFiles } from '#server/ops/backup.ts';
import { serveMetrics } from '#server/ops/metricsServer.ts';
import { offerWork } from '#server/ops/operatorSocket.ts';
import { reachedAt } from '#server/embedded/embeddedSandbox.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { run } from '#server/ops/program.ts';
import { checkSandboxStores } from '#server/ops/stores.ts';
import { sandboxSecretOf } from '#server/embedded/secretFile.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { postVia } from '#server/sandbox/webhooks/transport.ts';

/**
 * Starts only the sandbox, for other programs or for several consoles. Sends webhooks to the configured URL, or to the
 * console at the configured host and port. With a seed it is in memory, for tests (docs/sandbox.md, "In your tests").
 */
await run(async (config, log) => {
  const { host, port, sandboxHost, sandboxPort, dataDir, sandboxStoreUrl, webhookUrl } = config;
  // Loaded only if it is configured.
  const metrics = config.metrics && (await import('#server/ops/prometheus.ts')).createPrometheus();
  const exposed = metrics && (await serveMetrics(metrics, config.metrics!));
  const where = {
    log,
    host: sandboxHost,
    port: sandboxPort,
    config: reachedAt(config),
    transport: postVia(config.proxies),
    ...(metrics && { metrics: metrics.sandbox }),
  };
  async function open() {
    const { acceptLoss, assertUsed } = checkSandboxStores(config);
    const { secret, keep } = sandboxSecretOf(config);
    const opened = await createSandbox({
      ...where,
      secret,
      acceptLoss,
      data: dataDir,
      storeUrl: sandboxStoreUrl,
      webhookUrl: webhookUrl ?? (port === 0 ? '' : localUrl(host, port) + notificationsPath),
    });
    keep();
    assertUsed();
    return opened;
  }
  const sandbox =
    config.sandboxSeed === undefined
      ? await open()
      : await createSandbox({ ...where, seed: config.sandboxSeed, clock: 'running', webhookUrl: webhookUrl ?? '' });
  const files = config.sandboxSeed === undefined ? sandboxFiles(config) : [];
  const copies = await Promise.all(files.map((file) => offerWork(file, log)));
  return {
    addresses: { sandbox: sandbox.url, ...(exposed && { metrics: exposed.url }) },
    greeting: `Sandbox: ${sandbox.url}${exposed ? `\nMetrics: ${exposed.url}` : ''}`,
    async close() {
      await Promise.all(copies.map((end) => end()));
      await sandbox.close();
      await exposed?.close();
    },
  };
}, 'sandbox');
