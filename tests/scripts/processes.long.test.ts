import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ready } from '../../scripts/ready.mjs';
import { temporaryFolder } from '#tests/support/store.ts';

/** Whether a process runs; one that has ended stays listed until its parent has read its status. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) Z /.test(readFileSync(path, 'utf8'));
}

/** The processes that a process has started, with those that they have started. */
function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

/** Starts a command that is ended with the test at the latest, and collects its output. */
function started(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()));
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, pid: child.pid!, printed: () => printed };
}

/** Ends a process by a signal; asserts that all that it had started ends too. */
async function endsWithAll(
  { child, pid }: { child: ChildProcess; pid: number },
  signal: NodeJS.Signals,
): Promise<void> {
  const all = descendants(pid);
  onTestFinished(() => all.filter(isAlive).forEach((each) => process.kill(each, 'SIGKILL')));
  expect(all.length).toBeGreaterThan(0);
  child.kill(signal);
  await once(child, 'exit');
  await expect.poll(() => all.filter(isAlive), { timeout: 10_000 }).toEqual([]);
}

const within = { timeout: 30_000 };

describe.runIf(process.platform === 'linux')('What npm start has started', { timeout: 120_000 }, () => {
  beforeAll(ready, 120_000);
  const free = { PORT: '0', SANDBOX_PORT: '0', HOST: '', UPSTREAM: '', STORE_URL: '' };

  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'ends with npm alone by %s: the console (behaviour 10.19.7)',
    async (signal) => {
      const data = temporaryFolder();
      const npm = started('npm', ['start', '--', '--port', '0', '--data', data], resolve('.'), free);
      await expect.poll(npm.printed, within).toContain('Press Ctrl+C to stop');
      await endsWithAll(npm, signal);
    },
  );

  it('goes on after the shell that started it without npm has ended', async () => {
    const data = temporaryFolder();
    const { npm_command: _, npm_lifecycle_event: __, ...env } = process.env;
    const command = `${process.execPath} scripts/start.mjs --port 0 --data ${data} & echo "pid $!"; sleep 0.1`;
    const shell = spawn('sh', ['-c', command], { env: { ...env, ...free }, stdio: ['ignore', 'pipe', 'ignore'] });
    let printed = '';
    shell.stdout.on('data', (text: Buffer) => (printed += text.toString()));
    await expect.poll(() => printed, within).toContain('Press Ctrl+C to stop');
    const pid = Number(/pid (\d+)/.exec(printed)?.[1]);
    onTestFinished(() => void (isAlive(pid) && process.kill(pid, 'SIGKILL')));
    await new Promise((later) => setTimeout(later, 1000));
    expect(isAlive(pid)).toBe(true);
    process.kill(pid, 'SIGTERM');
    await expect.poll(() => isAlive(pid), within).toBe(false);
  });

  /** A project whose build, and installation if `npm` is asked for, take a minute; also in a process of their own. */
  function slowProject(): string {
    const folder = temporaryFolder();
    for (const each of ['scripts', 'src', 'server', 'public', 'node_modules']) mkdirSync(join(folder, each));
    for (const name of ['node', 'options', 'processes', 'ready', 'start'])
      copyFileSync(`scripts/${name}.mjs`, join(folder, `scripts/${name}.mjs`));
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: object }; // it has some
    const scripts = { start: 'node scripts/start.mjs' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', engines, scripts }));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: { '': {} } }));
    writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: {} }));
    writeFileSync(
      join(folder, 'scripts/build.mjs'),
      `import { spawn } from 'node:child_process';
       import { endWithParent } from './processes.mjs';
       endWithParent();
       spawn('sleep', ['60'], { stdio: 'inherit' });
       setTimeout(() => undefined, 60_000);`,
    );
    return folder;
  }

  it.each([
    ['npm', 'SIGTERM'],
    ['node', 'SIGTERM'],
    ['node', 'SIGINT'],
    ['node', 'SIGHUP'],
  ] as const)('ends with %s by %s: a build, with what it has started (behaviour 10.19.7)', async (command, signal) => {
    const args = command === 'npm' ? ['start'] : ['scripts/start.mjs'];
    const run = started(command, args, slowProject());
    await expect.poll(run.printed, within).toContain('Building …');
    await expect.poll(() => descendants(run.pid).length, within).toBeGreaterThanOrEqual(command === 'npm' ? 5 : 3);
    await endsWithAll(run, signal);
  });

  it('ends with a killed start script: a build', async () => {
    const run = started('node', ['scripts/start.mjs'], slowProject());
    await expect.poll(() => descendants(run.pid).length, within).toBe(3);
    await endsWithAll(run, 'SIGKILL');
  });
});

describe.runIf(process.platform === 'linux')('The console of a journey', { timeout: 120_000 }, () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('ends with the journey by %s (behaviour 10.19.7)', async (signal) => {
    const run = started(process.execPath, ['scripts/journey.mjs', '--scenario', 'upstreamDown'], resolve('.'));
    await expect.poll(() => descendants(run.pid).length, within).toBe(2); // the console and the keeper
    await endsWithAll(run, signal);
  });

  it('ends with npm alone', async () => {
    const run = started('npm', ['run', 'journey', '--', '--scenario', 'upstreamDown'], resolve('.'));
    await expect.poll(() => descendants(run.pid).length, within).toBe(4);
    await endsWithAll(run, 'SIGTERM');
  });
});
