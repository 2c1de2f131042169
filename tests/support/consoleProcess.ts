import { spawn, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';

/** Starting may have to build first, in ms. */
const patience = 120_000;

/** Below the ports that systems give to outgoing connections, which could take one before the console does. */
const ports = [20_000, 32_000] as const;

async function freePort(): Promise<number> {
  const port = randomInt(...ports);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening'); // rejects with the error, if there is one
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

/** Console and sandbox as `npm start` runs them, in a process of their own with a data folder of their own. */
export interface ConsoleProcess {
  /** Base address, without a trailing slash; it stays the same when the process is started again. */
  url: string;
  sandboxUrl: string;
  /** Starts it, with `more` above `env`, and waits until it is ready. Rejects with what it printed if it ends or takes longer than 120 s. */
  start(more?: Readonly<Record<string, string>>): Promise<void>;
  /** Ends it and gives its exit code, null after SIGKILL. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Its process id; it runs. */
  pid(): number;
  /** Runs SQL on an SQLite file within the process. Rejects with why that failed. */
  sql(file: string, sql: string): Promise<void>;
  /** What it uses once all garbage is gone, in bytes: all that is resident, and what its values take. */
  memory(): Promise<{ resident: number; values: number }>;
  /** What it has printed since it was started last, and how it has ended. */
  printed(): string;
  /** Ends it if it runs and removes its data. */
  remove(): Promise<void>;
}

/** Prepares a console on free ports with an empty data folder; it is not started yet. `env` has the last word. */
export async function newConsole(env: Readonly<Record<string, string>> = {}): Promise<ConsoleProcess> {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const dataDir = await mkdtemp(join(tmpdir(), 'payments-out-console-'));
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let printed = '';

  // A run that is broken off leaves nothing running.
  const kill = () => child?.kill('SIGKILL');
  process.once('exit', kill);

  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );

  async function start(more = {}): Promise<void> {
    printed = '';
    child = spawn(process.execPath, ['--import', './tests/support/sqlInside.mjs', 'scripts/start.mjs'], {
      env: {
        ...process.env,
        HOST: '127.0.0.1',
        PORT: String(port),
        SANDBOX_SECRET: sandboxSecret,
        SANDBOX_PORT: String(sandboxPort),
        DATA_DIR: dataDir,
        STORE_URL: '',
        UPSTREAM: 'sandbox',
        LOG_LEVEL: 'warn',
        ...env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
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

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = (await ended) as [number | null]; // node's arguments of 'exit'
    return code;
  }

  let before: Promise<unknown> = Promise.resolve();
  /** Asks within the process, one question at a time: the answers do not say to what. */
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
    url,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    start,
    stop,
    pid: () => child!.pid!, // it was started
    async sql(file, sql) {
      const why = await ask<string>({ file, sql });
      if (why) throw new Error(why);
    },
    async memory() {
      const { rss, heapUsed, external } = await ask<NodeJS.MemoryUsage>({ memory: true });
      return { resident: rss, values: heapUsed + external };
    },
    printed: () => printed,
    async remove() {
      process.off('exit', kill);
      await stop('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
