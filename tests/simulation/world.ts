import { pino } from 'pino';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { NotSent } from '#server/sandbox/webhooks/attemptOutcome.ts';
import { loginReturnPath, notificationsPath } from '#server/http/paths.ts';
import { apiAt } from '#tests/support/api.ts';
import { labAt } from '#tests/support/lab.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import type { Snapshot } from '#server/sandbox/api.ts';
import { lostOnTheWay } from './afterPaid.ts';
import type { Recorded } from './decisions.ts';
import { Accidents, calm, type Climate } from './climate.ts';
import { DeadError, Disk, type Content } from './disk.ts';
import { fix } from './fixed.ts';
import { consoleUrl, createNetwork, serviceUrl } from './network.ts';
import { clockOf, unlimited } from './process.ts';
import { Recording } from './recording.ts';
import { Scheduler, type Owner } from './scheduler.ts';
import { createIdentityProvider } from './identityProvider.ts';
import { createLine, type Plant } from './line.ts';
import { createServers } from './servers.ts';
import { unlessAborted } from './unlessAborted.ts';

const hour = 60 * 60_000;
/** The longest time (ms) that users are waited for. */
const longest = 12 * hour;

/** The longest time (ms) for which a server is suspended. */
const longestSuspension = 1_200_000;

/** What a world begins with, at a time (ms since the epoch). */
export interface Start {
  at: number;
  disk: Content;
  service: Snapshot;
}

/** Whether an error is that of a statement of a process that has died. */
const isOfDead = (error: unknown): boolean =>
  error instanceof DeadError || (error instanceof Error && error.cause !== undefined && isOfDead(error.cause));

export interface WorldOptions {
  /** How many servers the console has; by default one or two. */
  servers?: 1 | 2;
  /** A fault of the console that is to be found. */
  plant?: Plant & { forgets?: (disk: Disk) => void };
  /** Whether users sign in, each to a workspace and an application of their own. */
  hasUsers?: boolean;
  /** Whether the console keeps its timeline, whose masking takes a quarter of a world's time. */
  keepsTimeline?: boolean;
  /** Whether what happens is noted in words, and exchanges are recorded. */
  traces?: boolean;
  /** What it begins with; by default nothing. */
  from?: Start | undefined;
  /** Whether the service processes payments on every day; by default it does. */
  everyDay?: boolean;
  /** The accidents that are left out, by their number. */
  without?: ReadonlySet<number>;
  /** Decisions that are made again; by default the seed decides. */
  recorded?: Recorded | undefined;
}

/** Opens a world: console, service and everything between them in this process, under one scheduler. */
export async function openWorld(
  seed: number,
  {
    traces = false,
    hasUsers = false,
    keepsTimeline = true,
    plant = {},
    from,
    everyDay = true,
    without = new Set(),
    recorded,
    servers: wanted,
  }: WorldOptions = {},
) {
  const scheduler = new Scheduler(seed, { traces, recorded, ...(from && { at: from.at }) });
  const undo = fix(scheduler, !from);
  const recording = traces ? new Recording(scheduler) : undefined;
  const service: Owner = { name: 'service', isDead: false };
  let climate = calm;
  let ahead = 0;
  /** How far ahead (ms) the console’s clock was at most. */
  let mostAhead = 0;
  const disk = new Disk(scheduler, from?.disk);
  const accidents = new Accidents(scheduler, without);
  const strikes: Accidents['strikes'] = (kind, possible) => accidents.strikes(kind, possible);
  /** What no part of the console has handled; a dead process has no more errors. */
  const errors: unknown[] = [];
  /** What is wrong by itself, a sentence each. */
  const wrong: string[] = [];
  const onRejection = (error: unknown) => void (isOfDead(error) || errors.push(error));
  process.on('unhandledRejection', onRejection);

  /** How long the service takes for a step of a batch; one from nothing must be onboarded first. */
  const pace = scheduler.of('the service’s pace');
  const stepDelay = from && pace.chance(0.25) ? pace.between(2000, 60_000) : undefined;
  const sandbox = await createSandbox({
    seed,
    clock: 'running',
    everyDay,
    secret: sandboxSecret,
    newId: () => crypto.randomUUID(),
    machineClock: clockOf(scheduler, service, () => climate.serviceAhead),
    webhookUrl: consoleUrl + notificationsPath,
    transport: (url, request) => post(url, request),
    config: {
      publicUrl: serviceUrl,
      rate: unlimited,
      redirectUris: [consoleUrl + loginReturnPath],
      ...(stepDelay !== undefined && { stepDelay }),
    },
  });
  const lab = labAt(serviceUrl, undefined, (url, init) => {
    const { pathname } = new URL(url as string); // of the lab's client
    return sandbox.fetch(pathname, init);
  });
  const network = createNetwork(scheduler, sandbox, {
    recording,
    network: ({ path }) => (path.includes('/sandbox/') ? undefined : strikes('network', climate.network)),
    habit: () => climate.habit,
    isTold: (id) => line.exchanges.some(({ status, text }) => status > 0 && status < 300 && text.includes(id)),
    service({ method, path }) {
      const { 'forgets-key': forgets = 0, ...others } = climate.service;
      if (path.includes('/sandbox/')) return undefined;
      if (method === 'GET' && path.includes('/batchpayments/'))
        return strikes('service', { ...others, ...climate.atReads });
      if (method !== 'POST' || !path.endsWith('/batchpayments')) return strikes('service', others);
      return strikes('service', { ...others, ...climate.atPayments, 'forgets-key': forgets });
    },
  });

  const machine = scheduler.of('machine');
  const drawn = machine.chance(0.4) ? 2 : 1;
  const webhooks = scheduler.of('webhooks');
  const identityProvider = createIdentityProvider(scheduler);
  /** What the console's servers log, a line each. */
  const log: string[] = [];
  const servers = createServers({
    scheduler,
    disk,
    network,
    keepsTimeline,
    count: wanted ?? drawn,
    ahead: () => ahead,
    repeatsAfter: () => climate.proxyRepeats,
    signIn: hasUsers ? identityProvider.fetch : undefined,
    log: pino({ level: 'info' }, { write: (line) => void log.push(line) }),
  });
  // A full disk, and the death of a process, change nothing for what only reads.
  disk.strike = (owner, point) =>
    owner.isDead || servers.isStarting(owner) || point === 'read'
      ? undefined
      : strikes('disk', {
          ...climate.disk,
          ...(point === 'commit' && { pauses: climate.maintenance.pauses }),
        });
  disk.kill = (owner) => servers.kill(owner);
  disk.pause = (owner) => suspend(owner);
  const reach = (path: string, init: RequestInit) => servers.reach(path, init);

  const directly: typeof fetch = (request, init = {}) => {
    const { pathname, search } = new URL(request as string); // nobody here gives another form
    return reach(pathname + search, init);
  };

  /**
   * Sets the service's clock forward, once nothing is under way: no client could know it of a request that is. Gives up
   * if something always is.
   */
  async function setService(ms: number): Promise<void> {
    for (let turn = 0; turn < 100 && !network.isQuiet(); turn += 1) await scheduler.wait(150);
    if (!network.isQuiet()) return;
    scheduler.note(`* the service’s clock is set ${ms} ms forward`);
    await lab.ask('PATCH', '/clock', { move: ms });
  }
  const maintenance = scheduler.of('maintenance');
  const bank = scheduler.of('bank');
  /** Suspends a server for a while; the same work at the machines may set the service's clock meanwhile. */
  function suspend(owner: Owner): void {
    const ms = machine.between(1000, longestSuspension);
    servers.suspend(owner, ms);
    if (climate.maintenance.setsClock > 0 && maintenance.chance(climate.maintenance.setsClock))
      void scheduler
        .wait(maintenance.between(0, ms))
        .then(() => setService(maintenance.between(60_000, 2 * longestSuspension)));
  }

  /** Delivers a webhook. */
  async function post(
    url: string,
    { headers, body, signal }: { headers: Readonly<Record<string, string>>; body: string; signal: AbortSignal },
  ): Promise<{ status: number }> {
    const path = new URL(url).pathname;
    const deliver = () => reach(path, { method: 'POST', headers, body });
    const end = recording?.begin('webhook', { method: 'POST', url, headers, body });
    const { lost, twice, late, forged } = climate.webhooks;
    const accident = strikes('webhook', { lost, twice, late, forged });
    if (accident) scheduler.note(`* webhook ${headers['webhook-id']}: ${accident}`);
    await scheduler.wait(accident === 'late' ? webhooks.between(0, 300_000) : webhooks.between(1, 40));
    end?.({ status: 0, reason: accident ?? '' });
    if (signal.aborted || accident === 'lost') throw new NotSent(lostOnTheWay);
    if (accident === 'twice') void deliver().catch(() => undefined);
    if (accident === 'forged') {
      const forged = `${body.replace(/Processing|Completed|Submitted|Accepted/, 'Failed')} `;
      void reach(path, { method: 'POST', headers, body: forged }).then(
        ({ status }) => status < 300 && wrong.push(`A forged webhook was accepted: ${forged}`),
        () => undefined,
      );
    }
    const { status } = await unlessAborted(deliver(), signal);
    end?.({ status, reason: accident ?? '' });
    scheduler.note(`webhook ${headers['webhook-id']} is answered with ${status}`);
    return { status };
  }

  const line = createLine({
    scheduler,
    plant,
    recording,
    climate: () => climate,
    reach: (path, init) => servers.proxied(path, init),
    strikes: (possible) => strikes('line', possible),
  });

  if (from) await sandbox.restore(from.service);
  await servers.begin();
  disk.watchWrites();

  /** Runs users until all of them are done. */
  async function run(users: Promise<unknown>): Promise<void> {
    let isDone = false;
    let failure: unknown;
    users.then(
      () => (isDone = true),
      (error: unknown) => {
        failure = error;
        isDone = true;
      },
    );
    await scheduler.until(() => isDone, longest);
    if (failure !== undefined) throw failure as Error; // a user's
  }

  return {
    scheduler,
    sandbox,
    disk,
    errors,
    wrong,
    exchanges: line.exchanges,
    log,
    recording,
    accidents: accidents.happened,
    /** The time (ms) that the service takes for a step of a batch; undefined if it is the sandbox's usual one. */
    stepDelay,
    /** The ids of batches that the service has told another application than theirs. */
    mistold: network.mistold,
    /** What the console has read at the service. */
    heardReads: network.heardReads,
    /** The sandbox's webhooks, with the times of their deliveries by the world's clock. */
    webhooks: () =>
      sandbox.webhooks().map((each) => ({
        ...each,
        deliveries: each.deliveries.map((delivery) => ({ ...delivery, at: delivery.at - climate.serviceAhead })),
      })),
    /** How somebody reaches the console, and how whoever checks the world does: without accidents on the way. */
    line: line.of,
    quiet: apiAt(consoleUrl, undefined, directly),
    /** Signs a user in. Returns the cookie. */
    signIn: (name: string) => identityProvider.signIn(name, directly),
    /** Lets the planted fault of the disk happen. */
    forget: () => plant.forgets?.(disk),
    /** Sets what is called with each accident. */
    whenStruck: (listener: (accident: string) => void): void => {
      accidents.onStrike = listener;
    },
    /** Sets what is called each time that a server has been started again. */
    whenStarted: (listener: () => void): void => {
      servers.onStarted = listener;
    },
    api: apiAt(consoleUrl, undefined, line.of('somebody')),
    /** Changes what may go wrong. */
    become(next: Climate): void {
      climate = next;
    },
    /** From now on nothing goes wrong. */
    async heal(): Promise<void> {
      await lab.stop();
      climate = { ...calm, habit: climate.habit, serviceAhead: climate.serviceAhead };
      ahead = 0;
      await servers.awake();
      // Until then a key that was claimed under a clock set back since is of an unknown age.
      await scheduler.wait(mostAhead);
    },
    /** Something happens to the console's machine, by its climate. */
    strikeMachine(): void {
      const accident = strikes('machine', climate.machine);
      const struck = servers.any();
      if (accident === 'killed' && struck) servers.kill(struck.owner);
      if (accident === 'suspended' && struck) suspend(struck.owner);
      if (accident === 'sessionEnded' && struck) {
        scheduler.note(`* the database ends the session of ${struck.owner.name}`);
        servers.cut(struck.owner);
      }
      if (accident !== 'clockSet') return;
      ahead = machine.between(-hour, hour);
      mostAhead = Math.max(mostAhead, ahead);
      scheduler.note(`* the console’s clock is set ${ahead} ms ahead`);
    },
    /** The bank may hold or return the payments of the next batch, by its climate. */
    async strikeBank(): Promise<void> {
      const accident = strikes('bank', climate.bank);
      if (!accident) return;
      const fault =
        accident === 'held'
          ? { kind: 'held', days: 0, end: bank.pick(['released', 'failed']) }
          : {
              kind: 'returned',
              told: accident === 'returned' ? bank.pick(['both', 'status', 'webhook', 'twice']) : 'event',
            };
      await lab.set({ on: 'batch', fault: { index: bank.pick([-1, 0]), ...fault } });
    },
    setService,
    /** What another world can begin with. */
    async state(): Promise<Start> {
      return { at: scheduler.now(), disk: disk.content(), service: await sandbox.snapshot() };
    },
    /** Kills all servers, which are started again. */
    kill: () => servers.killAll(),
    isRunning: () => servers.areRunning(),
    run,
    async close(): Promise<void> {
      servers.end();
      // A webhook that is under way ends by its time-out.
      await run(sandbox.close());
      service.isDead = true;
      process.off('unhandledRejection', onRejection);
      undo();
      disk.database.close();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
