import { randomUUID } from 'node:crypto';
import { visited } from '../http/address.ts';
import { sandboxFiles } from '../backup/files.ts';
import { offerCopies } from '../backup/offer.ts';
import { systemClock as clock } from '../clock.ts';
import { reachedAt } from './embedded.ts';
import { notificationsPath } from '../upstream/config.ts';
import { run } from './program.ts';
import { catalogue } from '../sandbox/catalogue/index.ts';
import { sandboxSecretOf } from './sandboxSecret.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';

/**
 * Starts only the sandbox, for other programs or for several consoles. Sends webhooks to the configured URL, or to the
 * console at the configured host and port.
 */
await run(async (config, log) => {
  const { host, port, sandboxHost, sandboxPort, dataDir, sandboxStoreUrl, webhookUrl } = config;
  const sandbox = await createSandbox({
    catalogue,
    clock,
    newId: () => randomUUID(),
    log,
    dataDir,
    storeUrl: sandboxStoreUrl,
    secret: sandboxSecretOf(config),
    host: sandboxHost,
    port: sandboxPort,
    webhookUrl: webhookUrl ?? (port === 0 ? '' : visited(host, port) + notificationsPath),
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
