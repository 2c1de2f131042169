import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '#tests/support/consoleProcess.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { ready } from '../../scripts/ready.mjs';

/** The variable by which a process is known, which all that it starts has too, whatever its group and its parent. */
const mark = 'ENDING_TEST';

/** The processes that run with this mark. */
const marked = (id: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`${mark}=${id}`);
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);

/** What a process runs. */
function nameOf(pid: number): string {
  try {
    return `${pid} ${readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')}`;
  } catch {
    return `${pid}`;
  }
}

/** A command that runs with a mark, and is killed with all that it has started with the test at the latest. */
function started(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const id = randomUUID();
  const child = spawn(process.execPath, args, {
    cwd: resolve('.'),
    env: { ...process.env, HOST: '', UPSTREAM: '', STORE_URL: '', ...env, [mark]: id },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()));
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
  onTestFinished(() => marked(id).forEach((pid) => process.kill(pid, 'SIGKILL')));
  return { child, printed: () => printed, left: () => marked(id).map(nameOf) };
}
type Started = ReturnType<typeof started>;

const patience = { timeout: 60_000, interval: 5 };
const twice =
  (signal: NodeJS.Signals) =>
  ({ child }: Started) => {
    child.kill(signal);
    setTimeout(() => child.kill(signal), 50);
  };

/** The ways in which a process is ended from outside. */
const signals: Readonly<Record<string, (started: Started) => void>> = {
  SIGTERM: ({ child }) => void child.kill('SIGTERM'),
  SIGINT: ({ child }) => void child.kill('SIGINT'),
  SIGHUP: ({ child }) => void child.kill('SIGHUP'),
  SIGKILL: ({ child }) => void child.kill('SIGKILL'),
  'SIGTERM twice': twice('SIGTERM'),
  'SIGINT twice': twice('SIGINT'),
};
const withInput: typeof signals = { ...signals, 'the end of its input': ({ child }) => void child.stdin.end() };

/** A program that runs on, with a child, whatever it is asked; `flag` is there once it runs. */
const stubborn = (flag: string) => ['sh', '-c', `trap '' TERM INT HUP; sleep 300 & touch ${flag}; wait; sleep 300`];

/** A command at a moment of its work, in which it has started what would go on. */
interface Moment {
  at: string;
  begin: () => Promise<Started>;
  by?: typeof signals;
}

function verify(until: (run: Started, flag: string) => Promise<unknown>, only = 'works') {
  return async () => {
    const flag = join(temporaryFolder(), 'runs');
    const args = ['scripts/start.mjs', 'verify', '--only', only, '--', ...stubborn(flag)];
    const run = started(args, { DATA_DIR: temporaryFolder() });
    await until(run, flag);
    return run;
  };
}

/** The messages by which an agent calls a tool. */
const called = (name: string, input: object) =>
  [
    {
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name, arguments: input } },
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('');

function agent(name: string, input: (flag: string) => object, until: (run: Started, flag: string) => Promise<unknown>) {
  return async () => {
    const flag = join(temporaryFolder(), 'runs');
    const run = started(['scripts/start.mjs', 'mcp']);
    run.child.stdin.write(called(name, input(flag)));
    await until(run, flag);
    return run;
  };
}

/** Waits for so many processes, and until their starter knows of the last one. */
const count = (least: number) => async (run: Started) => {
  await expect.poll(() => run.left().length, patience).toBeGreaterThanOrEqual(least);
  await pause(200);
};
const runs = (_: Started, flag: string) => expect.poll(() => existsSync(flag), patience).toBe(true);
/** Likewise for two instances that start at the same time. */
const bothRun = (run: Started, flag: string) => runs(run, flag).then(() => pause(200));
const says = (text: string) => (run: Started) => expect.poll(run.printed, patience).toContain(text);
const verifying = (flag: string) => ({ command: stubborn(flag), only: ['works'] });

/** A command by npm, which passes signals to its shell alone; npm itself is asked to end. */
function byNpm(args: readonly string[], until: (run: Started) => Promise<unknown>) {
  return async () => {
    const npm = realpathSync(execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim());
    const run = started([npm, ...args], { DATA_DIR: temporaryFolder() });
    return until(run).then(() => run);
  };
}
/** npm goes on after SIGINT, which a terminal sends to all of its processes. */
const ofNpm = Object.fromEntries(Object.entries(signals).filter(([how]) => !how.startsWith('SIGINT')));
const worlds = ['run', 'simulate', '--', '--seeds', '100000'];

function journey(until: (run: Started) => Promise<unknown>) {
  return async () => {
    const run = started(['scripts/journey.mjs', '--scenario', 'upstreamDown']);
    await until(run);
    return run;
  };
}

const moments: readonly Moment[] = [
  { at: 'verify, just started', begin: verify(count(1)) },
  { at: 'verify, at its first line', begin: verify(says('elapsed')) },
  { at: 'verify, while the program runs', begin: verify(runs) },
  { at: 'verify, while instances stand still', begin: verify(bothRun, 'two-instances') },
  { at: 'mcp, asked to verify', begin: agent('verify_program', verifying, count(1)), by: withInput },
  { at: 'mcp, preparing a verification', begin: agent('verify_program', verifying, count(3)), by: withInput },
  { at: 'mcp, while a program is verified', begin: agent('verify_program', verifying, runs), by: withInput },
  { at: 'mcp, starting its console', begin: agent('read_state', () => ({}), count(3)), by: withInput },
  { at: 'mcp, with its console', begin: agent('read_state', () => ({}), says('http://')), by: withInput },
  { at: 'journey, starting its console', begin: journey(count(3)) },
  { at: 'journey, on its way', begin: journey(says('done')) },
  { at: 'simulate by npm, just started', begin: byNpm(worlds, count(2)), by: ofNpm },
  { at: 'simulate by npm, with its worlds', begin: byNpm(worlds, count(5)), by: ofNpm },
  { at: 'drift by npm, at its service', begin: byNpm(['run', 'drift'], count(3)), by: ofNpm },
];

const table = moments.flatMap(({ at, begin, by = signals }) =>
  Object.entries(by).map(([how, end]) => ({ at, begin, how, end })),
);

describe.runIf(process.platform === 'linux')('A command', { timeout: 120_000 }, () => {
  beforeAll(ready, 240_000);

  it.each(table)('leaves no process: $at, ended by $how (behaviour 10.19.7)', async ({ begin, end }) => {
    const run = await begin();
    end(run);
    await expect.poll(run.left, { timeout: 20_000 }).toEqual([]);
  });

  it('leaves no process although nobody reads its output (behaviour 10.19.7)', async () => {
    const run = started(['scripts/start.mjs', 'verify', '--only', 'works', '--', 'true']);
    run.child.stdout.destroy();
    run.child.stderr.destroy();
    await expect.poll(run.left, { timeout: 60_000 }).toEqual([]);
  });
});

describe.runIf(process.platform === 'linux')('A group of processes', { timeout: 60_000 }, () => {
  const ends: typeof signals = {
    ...signals,
    'an error': ({ child }) => void child.stdin.write('throw\n'),
    'its own end': ({ child }) => void child.stdin.write('exit\n'),
    'its signal': ({ child }) => void child.stdin.write('abort\n'),
  };

  it.each(Object.entries(ends))('ends when its starter is ended by %s (behaviour 10.19.7)', async (_, end) => {
    const folder = temporaryFolder();
    const flags = [join(folder, 'first'), join(folder, 'second')];
    const file = join(folder, 'starter.mjs');
    writeFileSync(
      file,
      `import { startGroup } from ${JSON.stringify(pathToFileURL('scripts/processes.mjs').href)};
       const ending = new AbortController();
       const signal = ending.signal;
       await new Promise((done) => startGroup('true', [], { signal }).child.once('exit', done)); // leaves the others alone
       for (const flag of ${JSON.stringify(flags)})
         startGroup('sh', ['-c', "trap '' TERM; sleep 300 & touch " + flag + '; wait; sleep 300'], { signal });
       process.stdin.on('data', (text) => {
         if (String(text) === 'throw\\n') throw new Error('as asked');
         if (String(text) === 'exit\\n') process.exit(0);
         ending.abort(new Error('as asked'));
         process.stdin.unref();
       });`,
    );
    const run = started([file]);
    for (const flag of flags) await runs(run, flag);
    end(run);
    await expect.poll(run.left, { timeout: 20_000 }).toEqual([]);
  });
});

it.runIf(process.platform === 'linux')(
  'A command never runs if its starter is killed as soon as it has started it (behaviour 10.19.7)',
  async () => {
    const folder = temporaryFolder();
    const [flag, file] = [join(folder, 'flag'), join(folder, 'starter.mjs')];
    writeFileSync(
      file,
      `import { Socket } from 'node:net';
       import { startGroup } from ${JSON.stringify(pathToFileURL('scripts/processes.mjs').href)};
       const { write } = Socket.prototype;
       Socket.prototype.write = function (text, ...more) {
         if (String(text).startsWith('+ ')) process.kill(process.pid, 'SIGKILL'); // before the keeper knows of it
         return write.call(this, text, ...more);
       };
       startGroup('sh', ['-c', 'touch ' + ${JSON.stringify(flag)} + '; sleep 300']);`,
    );
    const run = started([file]);
    await once(run.child, 'exit');
    await expect.poll(run.left, { timeout: 20_000 }).toEqual([]);
    expect(existsSync(flag)).toBe(false);
  },
);

describe.runIf(process.platform === 'linux')('A command for development', { timeout: 180_000 }, () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const)(
    'leaves no process by %s: dev and test (behaviour 10.19.7)',
    async (signal) => {
      const free = {
        PORT: String(await freePort()),
        SANDBOX_PORT: '0',
        DATA_DIR: temporaryFolder(),
        ALL_PATHS: 'true',
      };
      const commands = [
        ['scripts/dev.mjs'],
        ['scripts/test.mjs', '--project', 'node', 'tests/server/http/networks.test.ts'],
      ];
      for (const args of commands) {
        const run = started(args, free);
        await count(3)(run);
        run.child.kill(signal);
        await expect.poll(run.left, { timeout: 20_000 }).toEqual([]);
      }
    },
  );
});
