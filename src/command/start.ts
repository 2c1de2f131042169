import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGroup } from '../../scripts/processes.mjs';

/** A console with its own sandbox, in its own process and data folder. */
export interface Started {
  origin: string;
  /** Ends the process and removes the folder. */
  stop: () => Promise<void>;
}

/** Variables that a console on its own sandbox does without: they are meant for another console of this shell. */
const absent = [
  'STORE_URL',
  'STORE_URL_FILE',
  'STORE_KEY',
  'STORE_KEY_FILE',
  'STORE_KEY_PREVIOUS',
  'STORE_KEY_PREVIOUS_FILE',
  'ACCEPT_STORE',
  'SANDBOX_STORE_URL',
  'SANDBOX_STORE_URL_FILE',
  'SANDBOX_URL',
  'SANDBOX_PUBLIC_URL',
  'SANDBOX_SECRET',
  'SANDBOX_SECRET_FILE',
  'SANDBOX_HOST',
  'SANDBOX_EVERY_DAY',
  'WEBHOOK_URL',
  'ALLOWED_HOSTS',
  'TRUSTED_PROXIES',
  'METRICS_HOST',
  'METRICS_PORT',
  'MAX_CONNECTIONS',
  'TIMELINE_ENTRIES',
  'DRAIN_TIME',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_PROTOCOL',
  'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_EXPORTER_OTLP_HEADERS_FILE',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'HTTPS_PROXY_FILE',
  'HTTP_PROXY_FILE',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET_FILE',
  'OIDC_SCOPE',
  'OIDC_ALLOWED',
  'PUBLIC_URL',
  'UPSTREAM_API_KEY_FILE',
  'UPSTREAM_SIGNING_KEY_FILE',
  'WEBHOOK_SECRET_FILE',
  'WEBHOOK_HEADER_VALUE_FILE',
  'WEBHOOK_HEADER_VALUE',
  'WEBHOOK_HEADER_NAME',
  'WEBHOOK_SECRET',
  'UPSTREAM_URL',
  'UPSTREAM_AUTH_URL',
  'UPSTREAM_MESSAGING_URL',
  'UPSTREAM_NETWORK_URL',
  'UPSTREAM_APPLICATION_ID',
  'UPSTREAM_API_KEY',
  'UPSTREAM_SIGNING_KEY',
  'IDENTITY_PROVIDER_URL',
  'IDENTITY_CLIENT_ID',
  'PROVIDER_URL',
  'PROVIDER_ORIGINS',
  'TRANSFER_URL',
  'PAYMENT_FILE_ORIGINS',
  'WEBHOOK_SOURCES',
];

/** Overrides the environment; an empty variable counts as absent. */
const own = {
  ...Object.fromEntries(absent.map((name) => [name, ''])),
  HOST: '127.0.0.1',
  PORT: '0',
  SANDBOX_PORT: '0',
  UPSTREAM: 'sandbox',
  // Its address is read from its sentence.
  LOG_FORMAT: 'text',
  // Without a user at the screen, calls are more frequent than usual.
  RATE_LIMIT: '1000',
};

/** Returns the environment of such a console: that of this shell, without what configures another console. */
export const environmentFor = (folder: string, shell: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...shell,
  ...own,
  DATA_DIR: folder,
});

/** Returns this shell's environment without what configures a console, for a program that is to meet the sandbox alone. */
export const environmentWithoutConsole = (shell: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(shell).filter(
      ([name]) => !absent.includes(name) && !Object.hasOwn(own, name) && name !== 'DATA_DIR',
    ),
  );

/**
 * Starts the built console on free ports, as `npm start` does. Rejects with its output if it does not start, and with the
 * reason of `signal` if that aborts before; then nothing is left of it.
 */
export async function startConsole(root: string, signal?: AbortSignal): Promise<Started> {
  signal?.throwIfAborted();
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-journey-'));
  const { child } = startGroup(process.execPath, [join(root, 'dist/server/main.js')], {
    cwd: folder, // there is no file .env
    env: environmentFor(folder, process.env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  let printed = '';
  const origin = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk.toString();
      const [, url] = /^Payments Out Console: (\S+?),?\s/m.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    void ended.then(() => reject(new Error(`The console did not start:\n${printed}`)));
    const interrupt = () => reject(signal?.reason as Error); // of an interruption
    if (signal?.aborted) interrupt();
    signal?.addEventListener('abort', interrupt, { once: true });
  });
  try {
    return { origin: await origin, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
