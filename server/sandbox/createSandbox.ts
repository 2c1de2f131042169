import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isLoopback, localUrl } from '#server/http/networks.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { fetchWithin } from '#server/http/inProcess.ts';
import { header } from '#server/upstream/wire.ts';
import type { Sandbox, SandboxOptions } from './api.ts';
import { createApplication } from './application.ts';
import { createApplications } from './applications.ts';
import { sandboxDefaults, type SandboxConfig } from './config.ts';
import { applicationAt, defaultApplication } from './credentials.ts';
import { interfaceOf } from './interface.ts';
import { tokenKey } from './onboarding/tokens.ts';
import { settingsOf, type ConsoleOptions, type Settings } from './options.ts';
import type { RecordedApplication } from './recorded.ts';
import type { CallIdentity } from './records/recorder.ts';
import { seededKey } from './seeded.ts';
import { openSandboxStore, type SandboxStore } from './store/sandboxStore.ts';
import { applicationsWithJobs, openTenantStore } from './store/tenantStore.ts';
import { createTenants } from './tenants.ts';

/** A sandbox, with what the console and the command line need besides. */
interface ConsoleSandbox extends Sandbox {
  /** Whether no application has work in progress. */
  isSettled: () => boolean;
  recordsOf: (application: string) => Promise<RecordedApplication>;
  /** As the recorder's, for a call whose path is below the sandbox's URL. */
  takeFault: (call: CallIdentity) => string;
}

/** The URL of a sandbox without a port, which only calls within the process reach. */
const inProcessUrl = 'http://localhost';

/** Opens the store, and reads the key that signs all tokens and the applications with pending jobs. Closes the store if that fails. */
async function openStore({ storeUrl, machineClock: clock, log, acceptLoss, seed }: Settings) {
  const store = await openSandboxStore(storeUrl, { clock, log, acceptLoss });
  try {
    const key = seed === undefined ? await tokenKey(openTenantStore(store, defaultApplication)) : seededKey;
    return { store, key, waiting: await applicationsWithJobs(store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Listens at the port, if there is one. Closes the store if that fails. */
async function listen({ port, host }: Settings, store: SandboxStore) {
  if (port === undefined) return { url: inProcessUrl };
  const server = createHttpServer(undefined, undefined, undefined, undefined, () => ({
    [header.interaction]: randomUUID(), // that of the request cannot be read
  })).listen(port, host);
  await once(server, 'listening').catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return { server, url: localUrl(host, (server.address() as AddressInfo).port) }; // listening on a port, not a pipe
}

/** The configuration of an application whose sandbox is at `path`. */
const configOf = (
  { config, everyDay = sandboxDefaults.everyDay, webhookUrl }: Settings,
  publicUrl: string,
  path: string,
): SandboxConfig => ({
  ...sandboxDefaults,
  everyDay,
  ...config,
  publicUrl: publicUrl + path,
  webhookUrl,
  isProxied: !isLoopback(new URL(publicUrl).hostname),
});

/**
 * Creates a sandbox: the service in a box, for tests in the same process and for programs that call its port. Each
 * application has its own service, at its own path; the interface returned is that of the default one. Rejects with
 * Node's error if the port is in use, with SandboxStoreError if the store cannot be used, and with an Error that names a
 * wrong option.
 */
export async function createSandbox(options: SandboxOptions & ConsoleOptions = {}): Promise<ConsoleSandbox> {
  const settings = settingsOf(options);
  const { secret, machineClock, log } = settings;
  const { store, key, waiting } = await openStore(settings);
  const { server, url } = await listen(settings, store);
  const publicUrl = settings.config?.publicUrl ?? url;

  const handle: RequestListener = (request, response) => {
    const { name, rest } = applicationAt(secret, request.url ?? '/');
    request.url = rest;
    applications.handle(name, request, response);
  };
  const within = fetchWithin(handle, url);

  const applications = createApplications(
    (name, replace) => {
      const tenant = tenantOf(name);
      const tenantStore = openTenantStore(store, name);
      const application = createApplication({
        settings,
        tenant,
        key,
        empty: tenant.control.empty,
        store: tenantStore,
        config: configOf(settings, publicUrl, tenant.credentials.path),
        labChanged: () => settings.labChanged(name),
        credentialsFor: (other) => tenantOf(other).credentials,
      });
      const callback = application.app.callback();
      return {
        ...application,
        async empty() {
          await tenantStore.empty();
          replace();
        },
        handle: ((request, response) => void callback(request, response)) satisfies RequestListener,
      };
    },
    { clock: machineClock, log },
  );
  const tenantOf = createTenants({ settings, store, url, publicUrl, applications, fetch: within });

  server?.on('request', handle);
  waiting.forEach(applications.wake);
  store.onTakenBack(() => {
    applications.restart();
    applicationsWithJobs(store)
      .then((names) => names.forEach(applications.wake))
      .catch((error: unknown) => log.error({ err: error }, 'the sandbox cannot read its store'));
  });

  async function close(): Promise<void> {
    const ended = server && once(server, 'close');
    server?.close();
    await applications.stop();
    // A client that keeps its connection open, or waits for an answer that is withheld, would keep the sandbox open.
    server?.closeAllConnections();
    await Promise.all([within.close(), ended]);
    await store.close();
  }

  return {
    ...interfaceOf({
      ...tenantOf(defaultApplication),
      url,
      within,
      close,
      application: () => applications.find(defaultApplication),
    }),
    isSettled: applications.isSettled,
    async recordsOf(name) {
      const { recorder, control } = tenantOf(name);
      const calls = recorder.calls();
      return { calls, webhooks: recorder.webhooks(), batches: calls.length === 0 ? [] : await control.batches() };
    },
    takeFault({ path, ...call }) {
      const { name, rest } = applicationAt(secret, path);
      return tenantOf(name).recorder.takeFault({ ...call, path: rest });
    },
  };
}
