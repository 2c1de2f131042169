import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endpoints, header } from '#contract/requests/endpoints.ts';
import { freePort, newConsole, type ConsoleProcess } from '#tests/support/consoleProcess.ts';
import { liveEnvironment } from '#tests/support/liveEnvironment.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';

const run = promisify(execFile);

/** A server of the bench in its own process. */
interface Process {
  url: string;
  end(): Promise<void>;
}

/** Starts a script of this folder and waits for its URL, the first line it prints. */
export async function started(script: string, ...given: string[]): Promise<Process> {
  const child = spawn(process.execPath, ['--import', 'tsx', join('scripts/bench', script), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const [url] = (await once(createInterface(child.stdout), 'line')) as [string]; // a line is a text
  return {
    url,
    async end() {
      process.off('exit', kill);
      const ended = once(child, 'exit');
      kill();
      await ended;
    },
  };
}

/** nginx in front of a URL, in the folder; undefined where it is not installed. */
async function nginx(folder: string, upstream: string): Promise<Process | undefined> {
  const { code } = await run('nginx', ['-v']).then(
    () => ({ code: '' }),
    (error: unknown) => error as { code: string }, // of execFile
  );
  if (code === 'ENOENT') return undefined;
  const port = await freePort();
  const { host } = new URL(upstream);
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr;
     events { worker_connections 1024; }
     http {
       access_log off;
       keepalive_requests 1000000000;
       upstream service { server ${host}; keepalive 64; keepalive_requests 1000000000; }
       server {
         listen 127.0.0.1:${port};
         location / {
           proxy_pass http://service;
           proxy_http_version 1.1;
           proxy_set_header Connection "";
           proxy_set_header Host ${host};
         }
       }
     }`,
  );
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  for (let turn = 0; turn < 100; turn += 1) {
    if (
      await fetch(url).then(
        () => true,
        () => false,
      )
    )
      break;
    await wait(50);
  }
  return {
    url,
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM'); // ends its worker too
      await ended;
    },
  };
}

/** Headers with which the service answers a read that needs no token. */
export const credentials: Readonly<Record<string, string>> = {
  [header.application]: sandboxCredentials.applicationId,
  [header.apiKey]: sandboxCredentials.apiKey,
};

/** Addresses of the same read: through the console, at the service, through the reverse proxy. */
export const reads = {
  status: { console: '/api/consumerapistatus', service: endpoints.consumerStatus },
  providers: { console: '/api/providers', service: endpoints.providers },
} as const;

/** Sandbox, console and reverse proxy, each in its own process. */
export interface Side {
  program: ConsoleProcess;
  service: string;
  proxy: string;
  /** Undefined where it is not installed. */
  nginx: string | undefined;
  end(): Promise<void>;
}

/** Starts them; `env` is the console's. */
export async function sideBySide(env: Readonly<Record<string, string>> = {}): Promise<Side> {
  const folder = await mkdtemp(join(tmpdir(), 'payments-out-bench-'));
  const sandbox = await started('sandbox.ts', folder);
  const proxy = await started('reverseProxy.ts', sandbox.url);
  const other = await nginx(folder, sandbox.url);
  const program = await newConsole({ ...liveEnvironment(sandbox.url), RATE_LIMIT: '100000', ...env });
  await program.start(); // builds, if the build is stale
  return {
    program,
    service: sandbox.url,
    proxy: proxy.url,
    nginx: other?.url,
    async end() {
      await program.remove();
      await other?.end();
      await proxy.end();
      await sandbox.end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Requests to be made; a GET unless there is a body. */
export interface Load {
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

const connections = 16;

/** Requests per second that are answered with success, as many as can be, over `seconds`. */
export async function throughput({ url, headers = {}, body }: Load, seconds = 2): Promise<number> {
  const all = { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const { stdout } = await run(process.execPath, [
    'node_modules/autocannon/autocannon.js',
    '--json',
    ...['--connections', String(connections), '--duration', String(seconds)],
    ...Object.entries(all).flatMap(([name, value]) => ['--headers', `${name}=${value}`]),
    ...(body === undefined ? [] : ['--method', 'POST', '--body', body]),
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

/** How long each of `rate` requests per second took, in ms, over `seconds`. */
export async function paced({ url, headers = {} }: Load, rate: number, seconds: number): Promise<number[]> {
  const given = [
    '--import',
    'tsx',
    'scripts/bench/pace.ts',
    url,
    JSON.stringify(headers),
    String(rate),
    String(seconds),
  ];
  const { stdout } = await run(process.execPath, given, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as number[]; // what pace.ts prints
}
