import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isLoopback, visited } from '#server/address.ts';
import { createHttpServer } from '#server/httpServer.ts';
import { openDatabase } from '#server/sqlite.ts';
import { createApplications } from './applications.ts';
import { sandboxDefaults, type SandboxConfig } from './config.ts';
import { applicationAt, credentialsOf, defaultApplication } from './credentials.ts';
import type { ObservedCall } from './programs.ts';
import { createSandbox, type SandboxDeps } from './sandbox.ts';
import { addApplications, applicationsAtWork, createStorage, openShare, tables } from './storage.ts';
import { tokenKey } from './tokens.ts';

export interface SandboxOptions extends Pick<
  SandboxDeps,
  'catalogue' | 'clock' | 'newId' | 'log' | 'passed' | 'marked'
> {
  /** From which the credentials of all applications are derived. */
  secret: string;
  /** Folder of sandbox.sqlite; created if missing. */
  dataDir: string;
  host: string;
  /** 0 for any free port. */
  port: number;
  /** The URL of the consumer's /notifications; '' sends no webhooks. */
  webhookUrl: string;
  /** Overrides of sandboxDefaults; publicUrl, without a path, defaults to the URL at which the sandbox listens. */
  config?: Partial<Omit<SandboxConfig, 'webhookUrl' | 'isProxied'>>;
  /** Called after each change of the fault lab's rules, clock or second receiver, with the application's name. */
  labChanged?: (application: string) => void;
  /** Called with each call of the service's API once it is answered, and the name of the application that it came to. */
  observe?: (call: ObservedCall, application: string) => void;
}

export interface OpenSandbox {
  /** The sandbox's URL, without a trailing slash. */
  url: string;
  /** Stops after the current requests have ended; pending jobs resume when the sandbox is opened again. */
  close(): Promise<void>;
}

/**
 * Opens the sandbox's file in its data folder and listens; each application has a sandbox of its own, at its path. Rejects
 * with Node's error if the port is in use, with DatabaseError if the file cannot be used.
 */
export async function openSandbox(options: SandboxOptions): Promise<OpenSandbox> {
  const { secret, dataDir, host, port, webhookUrl, labChanged = () => undefined, observe, ...shared } = options;
  const db = openDatabase(join(dataDir, 'sandbox.sqlite'), tables, addApplications);
  const server = createHttpServer().listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    db.close();
    throw error;
  });
  // Only now is the port known, which the application needs for its links.
  const { port: bound } = server.address() as AddressInfo; // listening on a port, not a pipe
  const url = visited(host, bound);
  const publicUrl = options.config?.publicUrl ?? url;

  const key = tokenKey(createStorage(openShare(db, defaultApplication)));
  const applications = createApplications((name, empty) => {
    const credentials = credentialsOf(secret, name);
    const share = openShare(db, name);
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
      empty() {
        share.empty();
        empty();
      },
      labChanged: () => labChanged(name),
      observe: observe && ((call) => observe(call, name)),
    });
    const handle = sandbox.app.callback();
    return { ...sandbox, handle: ((request, response) => void handle(request, response)) satisfies RequestListener };
  });
  server.on('request', (request, response) => {
    const { name, rest } = applicationAt(secret, request.url ?? '/');
    request.url = rest;
    applications.handle(name, request, response);
  });
  applicationsAtWork(db).forEach(applications.wake);

  return {
    url,
    async close() {
      server.close();
      const stopped = applications.stop();
      await once(server, 'close');
      await stopped;
      db.close();
    },
  };
}
