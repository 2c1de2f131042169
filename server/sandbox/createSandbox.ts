import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isLoopback, visited } from '#server/http/address.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { createApplications } from './applications.ts';
import { sandboxDefaults, type SandboxConfig } from './config.ts';
import { applicationAt, credentialsOf, defaultApplication } from './credentials.ts';
import type { ObservedCall } from '#server/sandbox/http/observedCalls.ts';
import { createSandbox, type SandboxDeps } from './application.ts';
import { createStorage } from '#server/sandbox/store/collection.ts';
import { applicationsAtWork, openShare } from '#server/sandbox/store/tenantStore.ts';
import type { SandboxStore } from '#server/sandbox/store/store.ts';
import { openPostgresStore } from '#server/sandbox/store/postgres.ts';
import { openSqliteStore } from '#server/sandbox/store/sqlite.ts';
import { tokenKey } from '#server/sandbox/onboarding/tokens.ts';

export interface SandboxOptions extends Pick<
  SandboxDeps,
  'catalogue' | 'clock' | 'newId' | 'log' | 'passed' | 'marked'
> {
  /** The secret from which the credentials of all applications are derived. */
  secret: string;
  /** Folder of sandbox.sqlite, unless there is a `storeUrl`; created if missing. */
  dataDir: string;
  /** The URL of the PostgreSQL database that is used instead of the file. */
  storeUrl?: string | undefined;
  host: string;
  /** 0 for any free port. */
  port: number;
  /** The URL of the consumer's /notifications; if '', no webhooks are sent. */
  webhookUrl: string;
  /** Overrides of sandboxDefaults; publicUrl, without a path, defaults to the URL at which the sandbox listens. */
  config?: Partial<Omit<SandboxConfig, 'webhookUrl' | 'isProxied'>>;
  /** Called after each change of the fault lab's rules, clock or second receiver, with the application's name. */
  labChanged?: (application: string) => void;
  /** Called with each answered call of the service's API, and the name of its application. */
  observe?: (call: ObservedCall, application: string) => void;
}

export interface OpenSandbox {
  /** The sandbox's URL, without a trailing slash. */
  url: string;
  /** Whether no work is in progress, so that nothing happens until the clock advances. */
  isSettled: () => boolean;
  /** Stops after the current requests have ended; pending jobs resume when the sandbox is opened again. */
  close(): Promise<void>;
}

/**
 * Reads the key that signs all tokens, and the applications with pending jobs. Closes the store if they cannot be read.
 */
async function beginningOf(store: SandboxStore) {
  try {
    const key = await tokenKey(createStorage(openShare(store, defaultApplication)));
    return { key, atWork: await applicationsAtWork(store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Opens the sandbox's store and listens; each application has its own sandbox, at its own path. Rejects with Node's
 * error if the port is in use, with DatabaseError or SandboxStoreError if the store cannot be used.
 */
export async function openSandbox(options: SandboxOptions): Promise<OpenSandbox> {
  const {
    secret,
    dataDir,
    storeUrl,
    host,
    port,
    webhookUrl,
    labChanged = () => undefined,
    observe,
    ...shared
  } = options;
  const store =
    storeUrl === undefined
      ? openSqliteStore(join(dataDir, 'sandbox.sqlite'))
      : await openPostgresStore(storeUrl, options.log);
  const { key, atWork } = await beginningOf(store);
  const server = createHttpServer().listen(port, host);
  await once(server, 'listening').catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  // The application needs the port for its links, and it is known only now.
  const { port: bound } = server.address() as AddressInfo; // listening on a port, not a pipe
  const url = visited(host, bound);
  const publicUrl = options.config?.publicUrl ?? url;

  const applications = createApplications((name, replace) => {
    const credentials = credentialsOf(secret, name);
    const share = openShare(store, name);
    const sandbox = createSandbox({
      ...shared,
      credentials,
      share,
      key,
      config: {
        ...sandboxDefaults,
        ...options.config,
        ...{ publicUrl: publicUrl + credentials.path, webhookUrl },
        isProxied: !isLoopback(new URL(publicUrl).hostname),
      },
      async empty() {
        await share.empty();
        replace();
      },
      labChanged: () => labChanged(name),
      observe: observe && ((call) => observe(call, name)),
    });
    const handle = sandbox.app.callback();
    return { ...sandbox, handle: ((request, response) => void handle(request, response)) satisfies RequestListener };
  }, options.log);
  server.on('request', (request, response) => {
    const { name, rest } = applicationAt(secret, request.url ?? '/');
    request.url = rest;
    applications.handle(name, request, response);
  });
  atWork.forEach(applications.wake);
  store.onReopened(() => {
    applications.restart();
    applicationsAtWork(store)
      .then((names) => names.forEach(applications.wake))
      .catch((error: unknown) => options.log.error({ err: error }, 'the sandbox cannot read its store'));
  });

  return {
    url,
    isSettled: applications.isSettled,
    async close() {
      server.close();
      const stopped = applications.stop();
      await once(server, 'close');
      await stopped;
      await store.close();
    },
  };
}
