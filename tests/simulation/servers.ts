import type { Logger } from 'pino';
import type { ClosableTransport } from '#server/upstream/transport.ts';
import type { Fetch } from '#server/http/outgoingProxy.ts';
import type { Disk } from './disk.ts';
import { LineError } from './line.ts';
import { SharedDatabase } from './peers.ts';
import { startProcess, type ConsoleProcess } from './process.ts';
import type { Owner, Scheduler } from './scheduler.ts';

interface Needs {
  scheduler: Scheduler;
  disk: Disk;
  network: (owner: Owner) => ClosableTransport;
  /** How many servers use the disk. */
  count: number;
  /** How far (ms) the clock of the console's machine is ahead. */
  ahead: () => number;
  log: Logger;
  signIn: Fetch | undefined;
  keepsTimeline: boolean;
}

/** The servers of the console, each of which is started again when it has died. */
export function createServers({ scheduler, disk, network, count, ahead, ...common }: Needs) {
  const shared = count > 1 ? new SharedDatabase(scheduler) : undefined;
  const running = new Set<ConsoleProcess>();
  const starting = new Set<Owner>();
  const choice = scheduler.of('servers');
  let started = 0;

  async function start(): Promise<void> {
    started += 1;
    const owner: Owner = { name: `console ${started}`, isDead: false };
    starting.add(owner);
    // Servers that share a database have its clock.
    const itsAhead = shared ? () => 0 : ahead;
    running.add(await startProcess({ scheduler, owner, disk, network, shared, ...common, ahead: itsAhead }));
    starting.delete(owner);
    if (!owner.isDead) handle.onStarted();
  }

  function kill(owner: Owner): void {
    if (owner.isDead) return;
    owner.isDead = true;
    disk.drop(owner);
    shared?.leave(owner);
    scheduler.note(`* ${owner.name} is killed`);
    for (const each of running) if (each.owner === owner) running.delete(each);
    // Whoever supervises it starts it again.
    scheduler.plan(choice.between(10, 2000), 'the console is started again', () => void start());
  }

  const handle = {
    /** Called each time that one has started. */
    onStarted: (): void => undefined,
    /** Starts all of them. */
    async begin(): Promise<void> {
      for (let each = 0; each < count; each += 1) void start();
      await scheduler.until(() => running.size === count);
    },
    isStarting: (owner: Owner) => starting.has(owner),
    killAll: (): void => {
      for (const { owner } of running) kill(owner);
    },
    areRunning: () => running.size === count,
    kill,
    /** One of those that run; undefined if there is none. */
    any: (): ConsoleProcess | undefined => (running.size > 0 ? choice.pick([...running]) : undefined),
    /** Suspends a server for so long (ms); its database ends its session meanwhile. */
    suspend(owner: Owner, ms: number): void {
      scheduler.note(`* ${owner.name} is suspended for ${ms} ms`);
      owner.asleepUntil = scheduler.now() + ms;
      shared?.cut(owner);
    },
    /** The database ends the session of a server. */
    cut: (owner: Owner) => shared?.cut(owner),
    end(): void {
      for (const { owner } of running) owner.isDead = true;
      for (const owner of starting) owner.isDead = true;
    },
    /** Makes a request to a server that runs; rejects with a LineError if it dies meanwhile. */
    reach(path: string, init: RequestInit): Promise<Response> {
      const process = this.any();
      const { asleepUntil = 0 } = process?.owner ?? {};
      // Its machine takes the request when it goes on.
      if (asleepUntil > scheduler.now())
        return scheduler.wait(asleepUntil - scheduler.now()).then(() => this.reach(path, init));
      if (!process) return Promise.reject(new LineError('nothing listens'));
      return new Promise((resolve, reject) => {
        const headers = { 'accept-encoding': 'identity', ...(init.headers as Record<string, string>) };
        const watch = () => {
          if (process.owner.isDead) reject(new LineError('the connection was closed'));
          else watching = scheduler.plan(1000, '', watch);
        };
        let watching = scheduler.plan(1000, '', watch);
        const answered = (settle: () => void) => {
          scheduler.cancel(watching);
          if (process.owner.isDead) reject(new LineError('the connection was closed'));
          else settle();
        };
        process.fetch(path, { ...init, headers }).then(
          (response) => answered(() => resolve(response)),
          (error: Error) => answered(() => reject(error)), // of undici
        );
      });
    },
  };
  return handle;
}
