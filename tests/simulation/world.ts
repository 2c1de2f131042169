import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { NotSent } from '#server/sandbox/webhooks/attemptOutcome.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { apiAt } from '#tests/support/api.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import type { Snapshot } from '#server/sandbox/api.ts';
import { DeadError, Disk, type Content, type DiskAccident } from './disk.ts';
import { fix } from './fixed.ts';
import { createNetwork, type Hostility, type NetworkAccident } from './network.ts';
import { clockOf, consoleUrl, serviceUrl, startProcess, unlimited, type ConsoleProcess } from './process.ts';
import { Scheduler, type Owner } from './scheduler.ts';

/** What may go wrong in a world: the probability of each accident at each place where it can happen. */
export interface Climate {
  network: Partial<Record<NetworkAccident, number>>;
  service: Partial<Record<Hostility, number>>;
  disk: Partial<Record<DiskAccident, number>>;
  webhooks: { lost: number; twice: number; late: number; forged: number };
  /** Of the connection between a user and the console. */
  line: { requestLost: number; answerLost: number };
  /** Of the machine that the console runs on, each time that something may happen to it. */
  machine: { killed: number; clockSet: number };
}

const hour = 60 * 60_000;

const calm: Climate = {
  ...{ network: {}, service: {}, disk: {} },
  webhooks: { lost: 0, twice: 0, late: 0, forged: 0 },
  line: { requestLost: 0, answerLost: 0 },
  machine: { killed: 0, clockSet: 0 },
};

/** What a world begins with, at a time (ms since the epoch). */
export interface Start {
  at: number;
  disk: Content;
  service: Snapshot;
}

/** Thrown to a user whose request, or its answer, was lost on the way to the console. */
export class LineError extends Error {}

/** Whether an error is that of a statement of a process that has died. */
const isOfDead = (error: unknown): boolean =>
  error instanceof DeadError || (error instanceof Error && error.cause !== undefined && isOfDead(error.cause));

/** Returns one of the accidents with its probability, if any happens. */
function struck<Name extends string>(scheduler: Scheduler, accidents: Partial<Record<Name, number>>): Name | undefined {
  let left = scheduler.random();
  for (const name of Object.keys(accidents) as Name[]) {
    left -= accidents[name] ?? 0;
    if (left < 0) return name;
  }
  return undefined;
}

export interface WorldOptions {
  /** Whether what happens is noted in words. */
  traces?: boolean;
  /** What it begins with; by default nothing. */
  from?: Start | undefined;
  /** The accidents that are left out, by their number. */
  without?: ReadonlySet<number>;
}

/** Opens a world: console, service and everything between them in this process, under one scheduler. */
export async function openWorld(seed: number, { traces = false, from, without = new Set() }: WorldOptions = {}) {
  const scheduler = new Scheduler(seed, { traces, ...(from && { at: from.at }) });
  const undo = fix(scheduler);
  const service: Owner = { name: 'service', isDead: false };
  let climate = calm;
  let ahead = 0;
  const disk = new Disk(scheduler, from?.disk);
  /** The accidents that happened, by the number of the place at which each could have happened. */
  const accidents = new Map<number, string>();
  let places = 0;
  function strikes<Name extends string>(kind: string, possible: Partial<Record<Name, number>>): Name | undefined {
    places += 1;
    const name = struck(scheduler, possible);
    if (name === undefined || without.has(places)) return undefined;
    accidents.set(places, `${kind} ${name}`);
    return name;
  }
  /** What no part of the console has handled; a dead process has no more errors. */
  const errors: unknown[] = [];
  const onRejection = (error: unknown) => void (isOfDead(error) || errors.push(error));
  process.on('unhandledRejection', onRejection);

  const sandbox = await createSandbox({
    ...{ seed, clock: 'running', secret: sandboxSecret, newId: () => crypto.randomUUID() },
    machineClock: clockOf(scheduler, service),
    webhookUrl: consoleUrl + notificationsPath,
    transport: (url, request) => post(url, request),
    config: { publicUrl: serviceUrl, rate: unlimited },
  });
  const network = createNetwork(scheduler, sandbox, {
    network: ({ path }) => (path.includes('/sandbox/') ? undefined : strikes('network', climate.network)),
    service: ({ path }) => (path.includes('/sandbox/') ? undefined : strikes('service', climate.service)),
  });

  let running: ConsoleProcess | undefined;
  let starting: Promise<void> | undefined;
  let generation = 0;
  disk.strike = (owner) => (owner.isDead || starting ? undefined : strikes('disk', climate.disk));
  disk.kill = (owner) => kill(owner);

  function kill(owner: Owner): void {
    if (owner.isDead) return;
    owner.isDead = true;
    disk.dropOpen();
    scheduler.note(`* ${owner.name} is killed`);
    running = undefined;
    // Whoever supervises it starts it again.
    scheduler.plan(scheduler.between(10, 2000), 'the console is started again', () => void start());
  }
  async function start(): Promise<void> {
    generation += 1;
    const owner: Owner = { name: `console ${generation}`, isDead: false };
    starting = startProcess({
      ...{ scheduler, owner, disk, network, ahead: () => ahead },
      onError: () => undefined, // it is logged
    }).then((started) => {
      running = started;
      starting = undefined;
    });
    await starting;
  }

  /** Makes a request to the process that runs; ends with a LineError if it dies meanwhile. */
  function reach(path: string, init: RequestInit): Promise<Response> {
    const process = running;
    if (!process) return Promise.reject(new LineError('nothing listens'));
    return new Promise((resolve, reject) => {
      const headers = { 'accept-encoding': 'identity', ...(init.headers as Record<string, string>) };
      const watch = () => {
        if (process.owner.isDead) reject(new LineError('the connection was closed'));
        else watching = scheduler.plan(1000, '', watch);
      };
      let watching = scheduler.plan(1000, '', watch);
      process.fetch(path, { ...init, headers }).then(
        (response) => {
          scheduler.cancel(watching);
          if (process.owner.isDead) reject(new LineError('the connection was closed'));
          else resolve(response);
        },
        (error: unknown) => {
          scheduler.cancel(watching);
          reject(process.owner.isDead ? new LineError('the connection was closed') : (error as Error)); // undici's
        },
      );
    });
  }

  /** Delivers a webhook. */
  async function post(
    url: string,
    { headers, body, signal }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
  ): Promise<{ status: number }> {
    const path = new URL(url).pathname;
    const deliver = () => reach(path, { method: 'POST', headers, body });
    const { lost, twice, late, forged } = climate.webhooks;
    const accident = strikes('webhook', { lost, twice, late, forged });
    if (accident) scheduler.note(`* webhook ${headers['webhook-id']}: ${accident}`);
    await scheduler.wait(accident === 'late' ? scheduler.between(0, 300_000) : scheduler.between(1, 40));
    if (signal.aborted || accident === 'lost') throw new NotSent('the network lost it');
    if (accident === 'twice') void deliver().catch(() => undefined);
    if (accident === 'forged')
      void reach(path, {
        method: 'POST',
        headers,
        body: body.replace(/Processing|Completed|Submitted/, 'Failed'),
      }).catch(() => undefined);
    const { status } = await deliver();
    scheduler.note(`webhook ${headers['webhook-id']} is answered with ${status}`);
    return { status };
  }

  /** A user's request, over a line that may lose it or its answer. */
  const send: typeof fetch = async (request, init = {}) => {
    const { pathname, search } = new URL(request as string); // the client of the tests gives a text
    const name = `${init.method} ${pathname}`;
    const accident = strikes('line', climate.line);
    await scheduler.wait(scheduler.between(1, 30));
    if (accident === 'requestLost') {
      scheduler.note(`* line: ${name} is lost`);
      throw new LineError('the request was lost');
    }
    scheduler.note(`${name} arrives at the console`);
    const response = await reach(pathname + search, init);
    await scheduler.wait(scheduler.between(1, 30));
    if (accident === 'answerLost') {
      scheduler.note(`* line: the answer to ${name} is lost`);
      throw new LineError('the answer was lost');
    }
    scheduler.note(`${response.status} for ${name} reaches the user`);
    return response;
  };

  if (from) await sandbox.restore(from.service);
  await start();

  return {
    ...{ scheduler, sandbox, accidents, errors },
    api: apiAt(consoleUrl, undefined, send),
    /** Changes what may go wrong. */
    become(next: Climate): void {
      climate = next;
    },
    /** From now on nothing goes wrong. */
    heal(): void {
      climate = calm;
      ahead = 0;
    },
    /** Something happens to the console's machine, by its climate. */
    strikeMachine(): void {
      const accident = strikes('machine', climate.machine);
      if (accident === 'killed' && running) kill(running.owner);
      if (accident !== 'clockSet') return;
      ahead = scheduler.between(-hour, hour);
      scheduler.note(`* the console’s clock is set ${ahead} ms ahead`);
    },
    /** What another world can begin with. */
    async state(): Promise<Start> {
      return { at: scheduler.now(), disk: disk.content(), service: await sandbox.snapshot() };
    },
    isRunning: () => running !== undefined,
    /** Runs users until all of them are done. */
    async run(users: Promise<unknown>): Promise<void> {
      let isDone = false;
      let failure: unknown;
      users.then(
        () => (isDone = true),
        (error: unknown) => {
          failure = error;
          isDone = true;
        },
      );
      await scheduler.until(() => isDone);
      if (failure !== undefined) throw failure as Error; // a user's
    },
    async close(): Promise<void> {
      if (running) running.owner.isDead = true;
      service.isDead = true;
      process.off('unhandledRejection', onRejection);
      undo();
      await sandbox.close();
      disk.database.close();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
