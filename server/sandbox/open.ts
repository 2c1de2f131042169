import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { visited } from '#server/address.ts';
import type { Clock } from '#server/clock.ts';
import { createHttpServer } from '#server/httpServer.ts';
import { openDatabase } from '#server/sqlite.ts';
import { sandboxDefaults, type SandboxConfig } from './config.ts';
import { createMovableClock } from './lab/clock.ts';
import { createSandbox, type SandboxDeps } from './sandbox.ts';
import { createSchedule } from './schedule.ts';
import { createStorage, tables } from './storage.ts';

export interface SandboxOptions extends Pick<SandboxDeps, 'credentials' | 'catalogue' | 'newId' | 'log'> {
  /** The machine's clock, from which the sandbox's own can be moved. */
  clock: Clock;
  /** Folder of sandbox.sqlite; created if missing. */
  dataDir: string;
  host: string;
  /** 0 for any free port. */
  port: number;
  /** The URL of the consumer's /notifications; '' sends no webhooks. */
  webhookUrl: string;
  /** Overrides of sandboxDefaults; publicUrl defaults to the URL at which the sandbox listens. */
  config?: Partial<Omit<SandboxConfig, 'webhookUrl'>>;
  /** Called after each change of the fault lab's rules, clock or second receiver. */
  labChanged?: () => void;
  /** Called with each call of the service's API once it is answered. */
  observe?: SandboxDeps['observe'];
  /** The calls that the console passes on for programs. */
  passed?: SandboxDeps['passed'];
  marked?: SandboxDeps['marked'];
}

export interface OpenSandbox {
  /** The sandbox's URL, without a trailing slash. */
  url: string;
  /** Stops after the current requests have ended; pending jobs resume when the sandbox is opened again. */
  close(): Promise<void>;
}

/**
 * Opens the sandbox's file in its data folder and listens. Rejects with Node's error if the port is in use, with
 * DatabaseError if the file cannot be used.
 */
export async function openSandbox(options: SandboxOptions): Promise<OpenSandbox> {
  const { credentials, catalogue, clock: machineClock, newId, log, dataDir, host, port, webhookUrl } = options;
  const { labChanged = () => undefined } = options;
  const db = openDatabase(join(dataDir, 'sandbox.sqlite'), tables);
  const server = createHttpServer().listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    db.close();
    throw error;
  });
  // Only now is the port known, which the application needs for its links.
  const { port: bound } = server.address() as AddressInfo; // listening on a port, not a pipe
  const url = visited(host, bound);

  const storage = createStorage(db);
  const clock = createMovableClock({ clock: machineClock, storage });
  const schedule = createSchedule({ db, clock, log });
  clock.onChange(() => {
    schedule.start();
    labChanged();
  });
  const config = { ...sandboxDefaults, publicUrl: url, ...options.config, webhookUrl };
  const { app, letGo } = createSandbox({
    config,
    credentials,
    catalogue,
    db,
    storage,
    schedule,
    clock,
    machineClock,
    newId,
    log,
    labChanged,
    observe: options.observe,
    passed: options.passed,
    marked: options.marked,
  });
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));
  schedule.start();

  return {
    url,
    async close() {
      server.close();
      letGo();
      await once(server, 'close');
      await schedule.stop();
      db.close();
    },
  };
}
