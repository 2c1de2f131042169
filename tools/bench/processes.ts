import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** How long (ms) a server may take until it answers. */
const patience = 60_000;

/** The short name of the commit that is checked out in a folder. */
export const commitOf = (folder: string): string =>
  execFileSync('git', ['-C', folder, 'rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();

/** A server of the bench in its own process. */
export interface Process {
  url: string;
  end: () => Promise<void>;
}

/** Starts a program of Node in a group of processes of its own, which ends with this process at the latest. */
function spawned(args: readonly string[], stdout: 'pipe' | 'ignore', env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', stdout, 'inherit'],
    env: { ...process.env, ...env },
    detached: true,
  });
  const kill = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // None of its processes is left.
    }
  };
  process.once('exit', kill);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const end = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    await ended;
  };
  return { child, ended, end };
}

/** Starts a script of this folder and waits for its URL, the first line that it prints. */
export async function started(script: string, ...given: string[]): Promise<Process> {
  const { child, ended, end } = spawned(['--import', 'tsx', `tools/bench/${script}`, ...given], 'pipe');
  const failed = ended.then(() => Promise.reject(new Error(`${script} ended before it was ready`)));
  const [url] = (await Promise.race([once(createInterface(child.stdout!), 'line'), failed])) as [string]; // a line is a text
  failed.catch(() => undefined); // it ends some time
  return { url, end };
}

/** Starts another program, whose output nobody reads, and waits until something answers at its URL. */
export async function answering(
  url: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
): Promise<Process> {
  const { child, end } = spawned(args, 'ignore', env);
  const isThere = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  const until = Date.now() + patience;
  while (!(await isThere())) {
    if (child.exitCode === null && Date.now() < until) await wait(50);
    else {
      await end();
      throw new Error(`it did not answer within ${patience / 1000} s, or ended with ${child.exitCode}`);
    }
  }
  return { url, end };
}

/** GET requests to be made. */
export interface Load {
  url: string;
  headers?: Readonly<Record<string, string>>;
}

const connections = 16;

/** GET requests per second that are answered with success, as many as can be, over `seconds`. */
export async function throughput({ url, headers = {} }: Load, seconds = 2): Promise<number> {
  const { stdout } = await run(process.execPath, [
    'tools/node_modules/autocannon/autocannon.js',
    '--json',
    '--connections',
    String(connections),
    '--duration',
    String(seconds),
    ...Object.entries(headers).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
    url,
  ]);
  const { requests, non2xx, errors } = JSON.parse(stdout) as {
    requests: { average: number };
    non2xx: number;
    errors: number;
  }; // as autocannon documents it
  if (non2xx + errors > 0) throw new Error(`${url}: ${non2xx} refusals and ${errors} errors`);
  return requests.average;
}

/** How long each of `rate` GET requests per second took, in ms, over `seconds`. */
export async function paced({ url, headers = {} }: Load, rate: number, seconds: number): Promise<number[]> {
  const given = [url, JSON.stringify(headers), String(rate), String(seconds)];
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'tools/bench/pace.ts', ...given], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout) as number[]; // what pace.ts prints
}
