import { localUrl } from '#server/http/address.ts';
import { sandboxFiles } from '#server/ops/backup.ts';
import { offerCopies } from '#server/ops/backupSocket.ts';
import { reachedAt } from '#server/embedded/embeddedSandbox.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { run } from '#server/ops/program.ts';
import { sandboxSecretOf } from '#server/embedded/secretFile.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';

/**
 * Starts only the sandbox, for other programs or for several consoles. Sends webhooks to the configured URL, or to the
 * console at the configured host and port.
 */
await run(async (config, log) => {
  const { host, port, sandboxHost, sandboxPort, dataDir, sandboxStoreUrl, webhookUrl } = config;
  const sandbox = await createSandbox({
    log,
    data: dataDir,
    storeUrl: sandboxStoreUrl,
    secret: sandboxSecretOf(config),
    host: sandboxHost,
    port: sandboxPort,
    webhookUrl: webhookUrl ?? (port === 0 ? '' : localUrl(host, port) + notificationsPath),
    config: reachedAt(config),
  });
  const copies = await Promise.all(sandboxFiles(config).map((file) => offerCopies(file, log)));
  return {
    greeting: `Sandbox: ${sandbox.url}`,
    async close() {
      await Promise.all(copies.map((end) => end()));
      await sandbox.close();
    },
  };
}, 'sandbox');
