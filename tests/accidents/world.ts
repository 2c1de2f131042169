import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Database from 'libsql';
import { createApp } from '#server/app.ts';
import { systemClock } from '#server/clock.ts';
import { createHttpServer } from '#server/http/httpServer.ts';
import { createTimelines } from '#server/timeline/timeline.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { openStorage } from '#server/storage/open.ts';
import { createRecordEvents } from '#server/companies/recordEvents.ts';
import { createUpstream } from '#server/upstream/client.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { apiAt } from '#tests/support/api.ts';
import { silent } from '#tests/support/console.ts';
import { freePort } from '#tests/support/consoleProcess.ts';
import type { Stage } from '#tests/support/facts.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';
import { labAt } from '#tests/support/lab.ts';
import { sandboxCredentials, sandboxSecret, upstreamAt } from '#tests/support/sandboxCredentials.ts';
import { withSandboxKey } from '#tests/support/sandboxKey.ts';
import type { SandboxRecords } from '#tests/support/sandboxBeside.ts';
import { testKey } from '#tests/support/store.ts';
import { paymentForm } from '#rules/field.ts';

/** Rows of the guided path, by the record that exists once they are done. */
export type Kept = Stage | 'nothing';

const day = 24 * 60 * 60_000;
/** No rate limits. */
const unlimited = { perSecond: 1e6, burst: 1e6 };

/** Console and sandbox in this process, over HTTP, and the means to disturb both. */
export interface World {
  url: string;
  api: ReturnType<typeof apiAt>;
  /** Visits pages of the service. */
  fetch: typeof fetch;
  lab: ReturnType<typeof labAt>;
  /** Restores console and sandbox to that point of the guided path. */
  at(stage: Kept): Promise<void>;
  /** Stops the console's server as a crash does, and starts it again on the same records. */
  restart(): Promise<void>;
  /** Posts a file batch whose status changes only when advanced. */
  postFile(): Promise<unknown>;
  /** Moves the machine's clock, which console, sandbox and browser follow, by a day. */
  nextDay(): Promise<void>;
  /** How far (ms) that clock is ahead of the clock of this process. */
  ahead: () => number;
  /** Empties the sandbox. */
  empty(): Promise<void>;
  /** The sandbox's records of a kind, by id. */
  kept<K extends keyof SandboxRecords>(kind: K): Map<string, SandboxRecords[K]>;
  /** Ids of the sandbox's debtors or creditors of a subscription. */
  partiesOf(kind: 'debtor' | 'creditor', subscriptionId: string): string[];
  /** Ids of the webhooks of this type that the sandbox created. */
  sent(type: string): string[];
  /** The responses that the sandbox stored under idempotency keys, for calls whose path has this ending. */
  answered(path: string): string[];
  /** Resolves once the console has answered every call, and the sandbox has no status change or webhook pending. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Copies of tables by name, restored while their owner keeps using them. */
function copiesOf(db: Database.Database, tables: readonly string[]) {
  db.exec('pragma busy_timeout = 5000');
  return {
    keep: (name: string) =>
      tables.forEach((table) => db.exec(`create temp table ${name}_${table} as select * from main.${table}`)),
    putBack: (name: string) =>
      db.exec(
        `begin immediate; ${tables.map((table) => `delete from main.${table}; insert into main.${table} select * from ${name}_${table};`).join(' ')} commit`,
      ),
  };
}

type Handle = (...exchange: Parameters<RequestListener>) => Promise<void>;

/** A server whose listener can be replaced; without one, connections are refused as if no process ran. */
async function listen() {
  let handle: Handle | undefined;
  const underWay = new Set<Promise<void>>();
  const server = createHttpServer((request, response) => {
    if (!handle) return void request.socket.destroy();
    const handling = handle(request, response).finally(() => underWay.delete(handling));
    underWay.add(handling);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // it listens on a port
    answer: (by: Handle) => void (handle = by),
    /** Resolves once no request is in progress, including aborted ones. */
    async idle() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    cut() {
      handle = undefined;
      server.closeAllConnections();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Starts console and sandbox, and walks the guided path once over HTTP. `pageFolder`: the folder of the console's page. */
export async function openWorld(pageFolder = 'public'): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-accidents-'));
  let ahead = 0;
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + ahead,
    steady: () => systemClock.steady() + ahead,
  };
  const newId = () => randomUUID();
  const front = await listen();
  const data = await withSandboxKey(folder);
  const port = await freePort(); // which nobody takes while it is opened anew
  const openSandbox = () =>
    createSandbox({
      secret: sandboxSecret,
      newId,
      data,
      port,
      machineClock: clock,
      webhookUrl: front.url + notificationsPath,
      recorded: 0,
      config: { webhookDelay: 2, stepDelay: 2, everyDay: true, rate: unlimited },
    });
  let sandbox = await openSandbox();
  const file = join(folder, 'console.sqlite');
  const lab = labAt(sandbox.url);
  const api = apiAt(front.url);

  async function openConsole() {
    const deps = { clock, newId, log: silent };
    const upstream = createUpstream({ config: upstreamAt(sandbox.url), ...deps, limits: { backOff: 1 } });
    const storage = await openStorage({ url: `file:${file}`, keys: [testKey()], clock, onError: () => undefined });
    const timelines = createTimelines({ storage, ...deps });
    const config = { upstream: upstreamAt(sandbox.url), allowedHosts: [], pageFolder, rate: unlimited };
    const handle = createApp({
      config,
      storage,
      recordEvents: createRecordEvents(storage),
      timelines,
      upstream,
      ...deps,
    }).callback();
    front.answer(handle);
    return async () => {
      front.cut();
      await storage.close();
      await upstream.close();
    };
  }
  let end = await openConsole();
  const records = new Database(file);
  const service = new Database(join(folder, 'sandbox.sqlite'));
  const both = [
    copiesOf(records, ['records', 'settings', 'writes', 'invoice_lines']),
    copiesOf(service, ['records', 'stored_answers', 'deliveries', 'jobs']),
  ];
  const jobs = service.prepare('select count(*) as jobs from jobs');
  async function settled(): Promise<void> {
    const until = Date.now() + 20_000;
    await front.idle();
    while ((jobs.get() as { jobs: number }).jobs > 0) {
      if (Date.now() > until) throw new Error('The service does not come to rest');
      await wait(2);
    }
  }
  async function keep(name: Kept): Promise<void> {
    await settled(); // what is put back has no timer
    both.forEach((copies) => copies.keep(name));
  }
  const rows = service.prepare('select id, value from records where kind = ?');
  const webhooks = service.prepare('select webhook_id as webhookId from deliveries where type = ?');
  const answers = service.prepare('select key from stored_answers where status < 300');

  await keep('nothing');
  await onboard(api, undefined, keep);
  const { subscriptionId, rules } = await subscribe(api, 'Larkfield Bacs Bureau', keep);

  const world: World = {
    url: front.url,
    api,
    fetch,
    lab,
    async at(stage) {
      await lab.stop();
      await front.idle();
      if (ahead !== 0) {
        // Only a new process may see steady time go back.
        await sandbox.close();
        ahead = 0;
        sandbox = await openSandbox();
        both.forEach(({ putBack }) => putBack(stage));
        await world.restart();
      } else both.forEach(({ putBack }) => putBack(stage));
    },
    async restart() {
      await end();
      end = await openConsole();
      // Callers must notice that their connections were closed.
      for (let answered = 0; answered < 3; await wait(2))
        answered += await fetch(`${front.url}/healthz`).then(
          () => 1,
          () => 0,
        );
    },
    async postFile() {
      await lab.set({ on: 'batch', fault: { kind: 'hold' } });
      const [format] = (await api.done('getFileFormats')).data;
      await pay(api, subscriptionId, paymentForm(rules, format?.specification.rules), format?.fileFormatId);
    },
    async nextDay() {
      ahead += day;
      await lab.ask('PATCH', '/clock', { still: false }); // jobs that are due now have a timer of hours
    },
    ahead: () => ahead,
    async empty() {
      const body = new URLSearchParams({ token: sandboxCredentials.resetToken });
      await fetch(`${sandbox.url}/sandbox/reset`, { method: 'POST', body });
    },
    kept: (kind) =>
      new Map(
        (rows.all(kind) as { id: string; value: string }[]).map(({ id, value }) => [
          id.split('/').at(-1)!, // a name has a last part
          JSON.parse(value) as SandboxRecords[typeof kind], // its own rows
        ]),
      ),
    partiesOf: (kind, subscriptionId) =>
      (rows.all(kind) as { id: string }[]).flatMap(({ id }) =>
        id.startsWith(`${subscriptionId}/`) ? id.slice(subscriptionId.length + 1) : [],
      ),
    sent: (type) => (webhooks.all(type) as { webhookId: string }[]).map(({ webhookId }) => webhookId),
    answered: (path) =>
      (answers.all() as { key: string }[]).flatMap(({ key }) =>
        (JSON.parse(key) as [string, string, string])[1].endsWith(path) ? [key] : [],
      ),
    settled,
    async close() {
      await end();
      await front.close();
      await sandbox.close();
      records.close();
      service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };

  const batchId = await pay(api, subscriptionId, paymentForm(rules));
  await batchIn(api, 'Completed', batchId);
  await keep('batch');
  return world;
}
