import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import { systemClock, type Clock } from '#server/clock.ts';
import { catalogue as definitions } from '#server/sandbox/catalogue/index.ts';
import { openSandbox } from '#server/sandbox/open.ts';
import type { Records } from '#server/sandbox/records.ts';
import { notificationsPath } from '#server/upstream/config.ts';
import { newConsole, type ConsoleProcess } from './consoleProcess.ts';
import { silent } from './console.ts';
import { openProxy, type Proxy } from './proxy.ts';
import { liveEnvironment } from './liveEnvironment.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

/** A console whose service is a sandbox; a proxy in front of the console and another in front of the service. */
export interface Between {
  program: ConsoleProcess;
  /** The proxy between browser and console. */
  front: Proxy;
  /** The proxy between console and service. */
  back: Proxy;
  /** Ids of the resources of this kind that the service has created. */
  made(kind: keyof Records): string[];
  /** Stops the service's timers: it still answers requests, but makes no decisions and sends no webhooks. */
  pause(): void;
  /** Ends the pause. */
  resume(): void;
  /** Number of decisions and webhooks that the service still has to make or send. */
  pending(): number;
  /** Paths of the SQLite files of console and service. */
  files: { console: string; service: string };
  close(): Promise<void>;
}

/** The system clock with timers that can be paused. */
function pausingClock(): Clock & Pick<Between, 'pause' | 'resume'> {
  let held: (() => void)[] | undefined;
  return {
    ...systemClock,
    setTimeout: (run, ms) => systemClock.setTimeout(() => (held ? held.push(run) : run()), ms),
    pause: () => (held ??= []),
    resume() {
      const due = held ?? [];
      held = undefined;
      due.forEach((run) => run());
    },
  };
}

/**
 * Starts all parts; the sandbox keeps running when the console is killed. `catalogue` holds the service's definitions.
 */
export async function openBetween({ catalogue = definitions } = {}): Promise<Between> {
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-out-sandbox-'));
  const files = { console: join(dataDir, 'console.sqlite'), service: join(dataDir, 'sandbox.sqlite') };
  const clock = pausingClock();
  let service = '';
  const back = await openProxy(() => service);
  const program = await newConsole({ ...liveEnvironment(back.url), STORE_URL: `file:${files.console}` });
  const front = await openProxy(() => program.url);
  const sandbox = await openSandbox({
    credentials: sandboxCredentials,
    catalogue,
    clock,
    newId: () => randomUUID(),
    log: silent,
    dataDir,
    host: '127.0.0.1',
    port: 0,
    webhookUrl: program.url + notificationsPath,
    config: { publicUrl: back.url, webhookDelay: 50, stepDelay: 50 },
  });
  service = sandbox.url;
  await program.start();
  const records = new Database(files.service);
  const jobs = records.prepare('select count(*) as jobs from job');
  const ids = records.prepare('select id from resource where kind = ? order by rowid');

  return {
    program,
    front,
    back,
    made: (kind) => (ids.all(kind) as { id: string }[]).map(({ id }) => id), // the statement selects this column
    pause: clock.pause,
    resume: clock.resume,
    pending: () => (jobs.get() as { jobs: number }).jobs, // an aggregate always has a row
    files,
    async close() {
      await front.close();
      await program.remove();
      await back.close();
      await sandbox.close();
      records.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
