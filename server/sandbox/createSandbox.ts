import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isLoopback, localUrl } from '#server/http/address.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { createApplication, type ApplicationDeps } from './application.ts';
import { createApplications } from './applications.ts';
import { sandboxDefaults, type SandboxConfig } from './config.ts';
import { applicationAt, credentialsOf, defaultApplication } from './credentials.ts';
import type { ObservedCall } from './http/observedCalls.ts';
import { tokenKey } from './onboarding/tokens.ts';
import { openSandboxStore, type SandboxStore } from './store/sandboxStore.ts';
import { applicationsWithJobs, openTenantStore } from './store/tenantStore.ts';

export interface SandboxOptions extends Pick<
  ApplicationDeps,
  'catalogue' | 'clock' | 'newId' | 'log' | 'forwarded' | 'onFault'
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

export interface Sandbox {
  /** The sandbox's URL, without a trailing slash. */
  url: string;
  /** Whether no work is in progress, so that nothing happens until the clock advances. */
  isSettled: () => boolean;
  /** Stops after the current requests have ended; pending jobs resume when the sandbox is created again. */
  close(): Promise<void>;
}

/** Reads the key that signs all tokens, and the applications with pending jobs. Closes the store if that fails. */
async function readStart(store: SandboxStore) {
  try {
    const key = await tokenKey(openTenantStore(store, defaultApplication));
    return { key, waiting: await applicationsWithJobs(store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Opens the sandbox's store and listens; each application has its own service, at its own path. Rejects with Node's
 * error if the port is in use, with SandboxStoreError if the store cannot be used.
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    secret,
    dataDir,
    storeUrl = `file:${join(dataDir, 'sandbox.sqlite')}`,
    host,
    port,
    webhookUrl,
    labChanged = () => undefined,
    observe,
    ...shared
  } = options;
  const store = await openSandboxStore(storeUrl, options);
  const { key, waiting } = await readStart(store);
  const server = createHttpServer().listen(port, host);
  await once(server, 'listening').catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  // The application needs the port for its links, and it is known only now.
  const { port: bound } = server.address() as AddressInfo; // listening on a port, not a pipe
  const url = localUrl(host, bound);
  const publicUrl = options.config?.publicUrl ?? url;

  const applications = createApplications((name, replace) => {
    const credentials = credentialsOf(secret, name);
    const tenantStore = openTenantStore(store, name);
    const application = createApplication({
      ...shared,
      credentials,
      store: tenantStore,
      key,
      config: {
        ...sandboxDefaults,
        ...options.config,
        ...{ publicUrl: publicUrl + credentials.path, webhookUrl },
        isProxied: !isLoopback(new URL(publicUrl).hostname),
      },
      async empty() {
        await tenantStore.empty();
        replace();
      },
      labChanged: () => labChanged(name),
      observe: observe && ((call) => observe(call, name)),
    });
    const handle = application.app.callback();
    return {
      ...application,
      handle: ((request, response) => void handle(request, response)) satisfies RequestListener,
    };
  }, options.log);
  server.on('request', (request, response) => {
    const { name, rest } = applicationAt(secret, request.url ?? '/');
    request.url = rest;
    applications.handle(name, request, response);
  });
  waiting.forEach(applications.wake);
  store.onTakenBack(() => {
    applications.restart();
    applicationsWithJobs(store)
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
