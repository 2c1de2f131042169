import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { NotSent } from '#server/sandbox/webhooks/attemptOutcome.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { apiAt } from '#tests/support/api.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import type { Snapshot } from '#server/sandbox/api.ts';
import { Accidents, calm, type Climate } from './climate.ts';
import { DeadError, Disk, type Content } from './disk.ts';
import { fix } from './fixed.ts';
import { createNetwork } from './network.ts';
import { clockOf, consoleUrl, serviceUrl, unlimited } from './process.ts';
import { Scheduler, type Owner } from './scheduler.ts';
import { createServers, LineError } from './servers.ts';

const hour = 60 * 60_000;

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
  const accidents = new Accidents(scheduler, without);
  const strikes: Accidents['strikes'] = (kind, possible) => accidents.strikes(kind, possible);
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

  const servers = createServers({ scheduler, disk, network, count: scheduler.chance(0.4) ? 2 : 1, ahead: () => ahead });
  disk.strike = (owner) => (owner.isDead || servers.isStarting(owner) ? undefined : strikes('disk', climate.disk));
  disk.kill = (owner) => servers.kill(owner);
  const reach = (path: string, init: RequestInit) => servers.reach(path, init);

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
  await servers.begin();

  return {
    ...{ scheduler, sandbox, errors },
    accidents: accidents.happened,
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
      const struck = servers.any();
      if (accident === 'killed' && struck) servers.kill(struck.owner);
      if (accident === 'sessionEnded' && struck) {
        scheduler.note(`* the database ends the session of ${struck.owner.name}`);
        servers.cut(struck.owner);
      }
      if (accident !== 'clockSet') return;
      ahead = scheduler.between(-hour, hour);
      scheduler.note(`* the console’s clock is set ${ahead} ms ahead`);
    },
    /** What another world can begin with. */
    async state(): Promise<Start> {
      return { at: scheduler.now(), disk: disk.content(), service: await sandbox.snapshot() };
    },
    isRunning: () => servers.areRunning(),
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
      servers.end();
      service.isDead = true;
      process.off('unhandledRejection', onRejection);
      undo();
      await sandbox.close();
      disk.database.close();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;
