import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startGroup } from '../../scripts/processes.mjs';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import { withSandboxKey } from './sandboxKey.ts';

/** Timeout in ms; the first start may include a build. */
const patience = 120_000;

/** Below the ephemeral port range, so that no outgoing connection takes a port before the console does. */
const ports = [20_000, 26_000] as const;

/** From a port to the one that reserves it, in the same range. */
const toReservation = 6000;

/** Listens on a port of this machine; null if something else does. */
async function listenOn(port: number): Promise<Server | null> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening'); // rejects with the error, if there is one
    return server;
  } catch {
    return null;
  }
}

/**
 * A port of this machine on which nothing listens, and which no other call returns, of any process, as long as this one
 * lives: meanwhile it listens on another port in its stead, which the system frees however the process ends.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(...ports);
  const reservation = await listenOn(port + toReservation);
  if (!reservation) return freePort();
  reservation.unref();
  const server = await listenOn(port);
  if (!server) {
    reservation.close();
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * Prepares console and sandbox as `npm start` runs them, on free ports and in a process of their own, with a data folder that holds
 * a new sandbox alone, without starting it. `env` overrides all other settings.
 * `folder` holds the build, by default the one of this process.
 */
export async function newConsole(env: Readonly<Record<string, string>> = {}, folder = process.cwd()) {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const dataDir = await withSandboxKey(await mkdtemp(join(tmpdir(), 'payments-out-console-')));
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let printed = '';

  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );

  /**
   * Starts the process, with `more` overriding `env`, and waits until it is ready. Rejects with its output if it ends,
   * or if it is not ready within 120 s.
   */
  async function start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    printed = '';
    ({ child } = startGroup(process.execPath, ['--import', './tests/support/sqlInside.mjs', 'scripts/start.mjs'], {
      cwd: folder,
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        SANDBOX_SECRET: sandboxSecret,
        SANDBOX_PORT: String(sandboxPort),
        SANDBOX_EVERY_DAY: 'true',
        DATA_DIR: dataDir,
        STORE_URL: '',
        UPSTREAM: 'sandbox',
        LOG_LEVEL: 'warn',
        ...env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    }));
    const keep = (chunk: Buffer) => (printed += chunk.toString());
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('exit', (code, signal) => (printed += `It has ended with ${signal ?? `code ${code}`}.\n`));
    const until = Date.now() + patience;
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`The console did not start:\n${printed}`);
      if (Date.now() > until) throw new Error(`The console was not ready within ${patience / 1000} s:\n${printed}`);
      await wait(50);
    }
  }

  /** Ends the process and returns its exit code; null after SIGKILL. */
  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = (await ended) as [number | null]; // node's arguments of 'exit'
    return code;
  }

  let before: Promise<unknown> = Promise.resolve();
  /** Sends a question to the process. One at a time, because answers do not name their question. */
  function ask<Answer>(question: object): Promise<Answer> {
    const run = async () => {
      const answer = once(child!, 'message'); // it was started
      child!.send(question);
      return ((await answer) as [Answer])[0]; // what sqlInside.mjs sends
    };
    const result = before.then(run);
    before = result.catch(() => undefined);
    return result;
  }

  return {
    /** Base URL without a trailing slash; it does not change when the process is restarted. */
    url,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    start,
    stop,
    /** Its process id; throws if it is not running. */
    pid: () => child!.pid!, // it was started
    /** Runs SQL on an SQLite file from within the process. Rejects with the error. */
    async sql(file: string, sql: string) {
      const why = await ask<string>({ file, sql });
      if (why) throw new Error(why);
    },
    /** Memory use after garbage collection, in bytes: resident set, and JavaScript values. */
    async memory() {
      const { rss, heapUsed, external } = await ask<NodeJS.MemoryUsage>({ memory: true });
      return { resident: rss, values: heapUsed + external };
    },
    /** CPU time spent so far by all its threads, in ms. */
    async cpu() {
      const { user, system } = await ask<NodeJS.CpuUsage>({ cpu: true });
      return (user + system) / 1000;
    },
    /** The longest time (ms) without a turn of its event loop since this was last asked; 0 at first. */
    longestTurn: () => ask<number>({ turn: true }),
    /** Its output since the last start, and how it ended. */
    printed: () => printed,
    /** Ends the process if it is running, and removes its data. */
    async remove() {
      await stop('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export type ConsoleProcess = Awaited<ReturnType<typeof newConsole>>;
