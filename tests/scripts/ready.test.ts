import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '#tests/support/store.ts';

type Packages = Readonly<Record<string, { version?: string; dev?: boolean; optional?: boolean }>>;

const forRunning: Packages = { '': {}, 'node_modules/koa': { version: '3.0.0' } };
const forDevelopment: Packages = { ...forRunning, 'node_modules/vitest': { version: '4.0.0', dev: true } };
/** As in the lock file, with one that is only for other machines. */
const packages: Packages = { ...forDevelopment, 'node_modules/elsewhere': { version: '1.0.0', optional: true } };

let folder: string;

/** A project with these scripts, a build that takes no time, and an npm that writes down how it was called. */
beforeEach(() => {
  folder = temporaryFolder();
  for (const each of ['scripts', 'src', 'server', 'public', 'bin']) mkdirSync(join(folder, each));
  for (const file of ['package.json', 'scripts/node.mjs', 'scripts/processes.mjs', 'scripts/ready.mjs'])
    copyFileSync(file, join(folder, file));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
  writeFileSync(
    join(folder, 'scripts/build.mjs'),
    `import { mkdirSync, writeFileSync } from 'node:fs';
     for (const [room, file] of [['dist/page/.vite', 'routes.json'], ['dist/server', 'main.js']]) {
       mkdirSync(room, { recursive: true });
       writeFileSync(room + '/' + file, '');
     }
     console.log('the output of the build');`,
  );
  npmIs('echo "$*" >> calls; echo "the output of npm"');
});

const npmIs = (command: string) => writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\n${command}\n`, { mode: 0o755 });

/** Leaves the receipt that npm writes for what it has installed. */
function installed(found: Packages): void {
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: found }));
}

/** Calls a function of ready.mjs; returns how npm was called, the exit code and what was printed. */
function called(name: 'ready' | 'readyForDevelopment') {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--eval', `import('./scripts/ready.mjs').then((ready) => ready.${name}())`],
    { cwd: folder, encoding: 'utf8', env: { ...env, PATH: `${join(folder, 'bin')}${delimiter}${env['PATH']}` } },
  );
  const calls = join(folder, 'calls');
  const npm = existsSync(calls) ? readFileSync(calls, 'utf8').trim() : '';
  return { npm: npm.replace(/ --no-audit.*/, ''), status, stdout, stderr };
}

describe.skipIf(process.platform === 'win32')('the preparation of npm start', () => {
  it('installs without development packages and builds in a fresh clone, with one line for each', () => {
    const { npm, status, stdout, stderr } = called('ready');
    expect({ npm, status, stdout }).toEqual({ npm: 'ci --omit=dev', status: 0, stdout: '' });
    expect(stderr).toMatch(/^Installing packages … \d+ s\nBuilding … \d+ s\n$/);
  });

  it('installs, builds and prints nothing if everything is up to date', () => {
    installed(forRunning);
    called('ready');
    expect(called('ready')).toEqual({ npm: '', status: 0, stdout: '', stderr: '' });
  });

  it('rebuilds if a source file is newer than the build', () => {
    installed(forRunning);
    called('ready');
    writeFileSync(join(folder, 'src/new.ts'), '');
    expect(called('ready').stderr).toMatch(/^Building … \d+ s\n$/);
  });

  it('for development adds development packages to the installed ones', () => {
    installed(forRunning);
    const { npm, stderr } = called('readyForDevelopment');
    expect(npm).toBe('install --no-save --include=dev');
    expect(stderr).toMatch(/^Installing packages for development … \d+ s\n$/);
  });

  it('for development installs all packages at once in a fresh clone', () => {
    expect(called('readyForDevelopment').npm).toBe('ci --include=dev');
  });

  it('keeps installed development packages, also when another package has changed', () => {
    installed(forDevelopment);
    expect(called('ready').npm).toBe('');
    installed({ ...forDevelopment, 'node_modules/koa': { version: '2.0.0' } });
    expect(called('ready').npm).toBe('install --no-save --include=dev');
  });

  it('fails with npm’s output if npm fails', () => {
    npmIs('echo "npm error network"; exit 7');
    const { status, stderr } = called('ready');
    expect({ status, stderr }).toEqual({ status: 1, stderr: 'Installing packages … failed\nnpm error network\n' });
  });

  it('fails with the build’s output if the build fails', () => {
    installed(forRunning);
    writeFileSync(join(folder, 'scripts/build.mjs'), 'console.error("unresolved import"); process.exit(1);');
    expect(called('ready')).toMatchObject({ status: 1, stderr: 'Building … failed\nunresolved import\n' });
  });

  it('does nothing in the packed product, which has no lock file', () => {
    rmSync(join(folder, 'package-lock.json'));
    expect(called('ready')).toEqual({ npm: '', status: 0, stdout: '', stderr: '' });
  });
});
