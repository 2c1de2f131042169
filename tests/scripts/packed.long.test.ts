import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { allPaths } from '#tests/support/coverage.ts';
import { freePort } from '#tests/support/consoleProcess.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { nodeFromNpm } from '#tests/deploy/node.ts';

/** Variables of the package's user, who has none for the console; the sandbox takes any free port. */
const clean = { ...env, DATA_DIR: '', HOST: '', STORE_URL: '', UPSTREAM: '', SANDBOX_PORT: '0', LOG_LEVEL: 'warn' };

/** Each of these runs the package in `npm run test:all`; otherwise the one of the tests does. */
const versions = ['20.19.0', '22.12.0', '24.21.0', '26.10.0'];

describe('the package from npm run package', { timeout: 60_000 }, () => {
  let folder: string;
  /** The program of this name that npm has installed. */
  const program = (name: string) => join(folder, 'node_modules/.bin', name);

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'packed-'));
    execFileSync('npm', ['run', 'package', '--', '--pack-destination', folder], { stdio: 'pipe' });
    const [archive] = readdirSync(folder);
    const options = ['--prefix', folder, '--no-audit', '--no-fund'];
    execFileSync('npm', ['install', ...options, join(folder, archive!)], { cwd: folder, stdio: 'pipe' });
  }, 240_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Starts console and sandbox in `cwd`; resolves once they listen, or when the process ends. */
  async function started(cwd: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) {
    const child = spawn(program('payments-out-console'), args, {
      cwd,
      env: { ...clean, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'close').then(([code]: unknown[]) => code);
    let printed = '';
    const listens = new Promise<void>((resolve) => {
      const keep = (chunk: Buffer) => {
        printed += chunk.toString();
        if (printed.includes('Press Ctrl+C')) resolve();
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
    });
    await Promise.race([listens, ended]);
    return { child, ended, printed: () => printed };
  }

  /** Runs a program that ends by itself. */
  function ran(name: string, ...args: string[]) {
    const options = { cwd: temporaryFolder(), env: clean, encoding: 'utf8' } as const;
    const { status, stdout, stderr } = spawnSync(program(name), args, options);
    return { status, stdout, stderr };
  }

  it('installs only the packages that the built server needs', () => {
    const { dependencies } = JSON.parse(readFileSync('dist/packedManifest.json', 'utf8')) as { dependencies: object }; // it has some
    const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, { dependencies?: object }>>;
    }; // npm's format
    expect(packages['node_modules/payments-out-console']!.dependencies).toEqual(dependencies);
    for (const name of ['react', 'koa', 'vite', 'typescript'])
      expect(existsSync(join(folder, 'node_modules', name))).toBe(false);
  });

  it('starts console and sandbox in an empty folder, and keeps all data in .payments-out', async () => {
    const cwd = temporaryFolder();
    const port = await freePort();
    const { child, ended, printed } = await started(cwd, ['--port', String(port)]);
    expect(printed()).toMatch(
      /^Payments Out Console: http:\/\/127\.0\.0\.1:\d+\nSandbox: http:\/\/127\.0\.0\.1:\d+\nPress Ctrl\+C to stop\n$/,
    );
    const answer = await fetch(`http://127.0.0.1:${port}`);
    const page = await answer.text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!; // the page has one
    expect((await fetch(`http://127.0.0.1:${port}${script}`)).status).toBe(200);
    await expect.poll(() => fetch(`http://127.0.0.1:${port}/readyz`).then(({ ok }) => ok)).toBe(true);
    expect(readdirSync(cwd)).toEqual(['.payments-out']);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it('exports createSandbox, which runs and compiles in a project of its own (behaviour 10.22.1)', () => {
    const cwd = temporaryFolder();
    symlinkSync(join(folder, 'node_modules'), join(cwd, 'node_modules'));
    writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
    const lines = [
      "import { createSandbox, type Prepared, type RecordedCall } from 'payments-out-console/sandbox';",
      'const sandbox = await createSandbox({ seed: 1 });',
      "const { subscriptionId }: Prepared = await sandbox.prepare('payable');",
      'const calls: readonly RecordedCall[] = sandbox.calls();',
      'const [id, count]: [string, number] = [subscriptionId, calls.length];',
      'await sandbox.close();',
      'console.log(id.length, count);',
    ];
    writeFileSync(join(cwd, 'program.ts'), lines.join('\n'));
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom'], types: [] };
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
    const tsc = ['node_modules/typescript/bin/tsc', '-p', cwd];
    const compiled = spawnSync(process.execPath, tsc, { encoding: 'utf8' });
    expect(compiled.stdout).toBe('');
    const { stdout, stderr } = spawnSync(process.execPath, ['program.js'], { cwd, env: clean, encoding: 'utf8' });
    expect([stdout, stderr]).toEqual(['36 0\n', '']);
  });

  it('keeps its data where --data, DATA_DIR or a .env file says', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, '.env'), 'DATA_DIR=named-by-file\nPORT=0\n');
    const { DATA_DIR: _, ...unset } = clean;
    const files = async (args: readonly string[], more: NodeJS.ProcessEnv) => {
      const { child, ended } = await started(cwd, args, more);
      child.kill('SIGTERM');
      await ended;
      return readdirSync(cwd).filter((name) => name !== '.env');
    };
    expect(await files([], { ...unset, DATA_DIR: undefined })).toEqual(['named-by-file']);
    expect(await files([], { DATA_DIR: 'named-by-variable' })).toContain('named-by-variable');
    expect(await files(['--data', 'named'], { DATA_DIR: 'other' })).toEqual([
      'named',
      'named-by-file',
      'named-by-variable',
    ]);
  });

  it.runIf(allPaths).each(versions)('starts on Node %s', async (version) => {
    const path = `${nodeFromNpm(version)}${delimiter}${env['PATH']}`;
    const { child, ended, printed } = await started(temporaryFolder(), ['--port', '0'], { PATH: path });
    expect(printed()).toContain('Press Ctrl+C to stop\n');
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });

  it('names its own command and data folder in --help', () => {
    const { status, stdout } = ran('payments-out-console', '--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Usage: payments-out-console .*\n/);
    expect(stdout).toContain('./.payments-out');
  });

  it('runs a journey with payments-out-journey', () => {
    const { status, stdout } = ran('payments-out-journey', '--journey', 'settings');
    expect(stdout).toContain('Settings');
    expect(status).toBe(0);
  });
});
