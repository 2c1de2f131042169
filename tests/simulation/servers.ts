import type { Logger } from 'pino';
import type { ClosableTransport } from '#server/upstream/transport.ts';
import type { Fetch } from '#server/http/outgoingProxy.ts';
import type { Disk } from './disk.ts';
import { LineError } from './line.ts';
import { SharedDatabase } from './peers.ts';
import { startProcess, type ConsoleProcess } from './process.ts';
import type { Owner, Scheduler } from './scheduler.ts';

/** The longest time (ms) that the proxy before the servers waits for an answer: more than any call takes. */
const proxyTimeout = 150_000;

interface Needs {
  scheduler: Scheduler;
  disk: Disk;
  network: (owner: Owner) => ClosableTransport;
  /** How many servers use the disk. */
  count: number;
  /** How far (ms) the clock of the console's machine is ahead. */
  ahead: () => number;
  /** After how long (ms) the proxy repeats a request that has a key at another server; 0 if it never does. */
  repeatsAfter: () => number;
  log: Logger;
  signIn: Fetch | undefined;
  keepsTimeline: boolean;
}

/** The servers of the console, each of which is started again when it has died. */
export function createServers({ scheduler, disk, network, count, ahead, repeatsAfter, ...common }: Needs) {
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
    /** Lets time pass until none is suspended. */
    awake: (): Promise<void> =>
      scheduler.wait(
        Math.max(...[...running].map(({ owner: { asleepUntil = 0 } }) => asleepUntil), 0) - scheduler.now(),
      ),
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
    reach: (path: string, init: RequestInit): Promise<Response> => askOf(handle.any(), path, init),
    /**
     * Makes a request as through a proxy: it gives up a server that does not answer in time, and may before give up the first one and
     * repeat a request that has a key at another.
     */
    proxied(path: string, init: RequestInit): Promise<Response> {
      const first = handle.any();
      const after = repeatsAfter();
      const isRepeated = after > 0 && count > 1 && new Headers(init.headers).has('idempotency-key');
      return new Promise((resolve, reject) => {
        let asked = 0;
        const end = (settle: () => void) => {
          timers.forEach((timer) => scheduler.cancel(timer));
          settle();
        };
        const ask = (server: ConsoleProcess | undefined) => {
          const turn = (asked += 1);
          askOf(server, path, init, () => asked !== turn).then(
            (response) => asked === turn && end(() => resolve(response)),
            (error: Error) => asked === turn && end(() => reject(error)),
          );
        };
        const giveUp = () => {
          asked += 1;
          end(() => reject(new LineError('the proxy gave the server up')));
        };
        const repeat = () => {
          const other = [...running].find((each) => each !== first);
          if (!other) return;
          scheduler.note(`* the proxy repeats ${init.method} ${path} at ${other.owner.name}`);
          ask(other);
        };
        const timers = [scheduler.plan(proxyTimeout, '', giveUp)];
        if (isRepeated) timers.push(scheduler.plan(after, '', repeat));
        ask(first);
      });
    },
  };

  /** Makes a request to a process; rejects with a LineError if it is none, or dies meanwhile. */
  function askOf(
    process: ConsoleProcess | undefined,
    path: string,
    init: RequestInit,
    isGivenUp: () => boolean = () => false,
  ): Promise<Response> {
    if (!process) return Promise.reject(new LineError('nothing listens'));
    const { owner } = process;
    return new Promise((resolve, reject) => {
      const headers = { 'accept-encoding': 'identity', ...(init.headers as Record<string, string>) };
      const watch = () => {
        if (owner.isDead) reject(new LineError('the connection was closed'));
        else watching = scheduler.plan(1000, '', watch);
      };
      let watching = scheduler.plan(1000, '', watch);
      const answered = (settle: () => void) => {
        scheduler.cancel(watching);
        if (owner.isDead) reject(new LineError('the connection was closed'));
        else settle();
      };
      const ask = () =>
        process.fetch(path, { ...init, headers }).then(
          (response) => answered(() => resolve(response)),
          (error: Error) => answered(() => reject(error)), // of undici
        );
      // A suspended machine takes the request when it goes on, unless its connection has been closed meanwhile.
      if (scheduler.isAsleep(owner)) scheduler.plan(0, '', () => isGivenUp() || void ask(), owner);
      else void ask();
    });
  }
  return handle;
}
