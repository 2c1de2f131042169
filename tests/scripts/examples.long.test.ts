import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#tests/support/store.ts';

/** Without what this test run tells its own workers. */
const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_ENV)/.test(name)));

/** Runs node in a folder; returns its exit code, with its output where that is not 0. */
function ran(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env: clean, encoding: 'utf8' });
  return status === 0 ? status : stdout + stderr;
}

describe('the example of a test with createSandbox', { timeout: 240_000 }, () => {
  it('passes in node:test (behaviour 10.22.1)', () => {
    expect(ran('.', '--test', 'examples/tests/node-test/')).toBe(0);
  });

  it('passes in Vitest (behaviour 10.22.1)', () => {
    // Its own configuration: that of the project looks for other tests.
    expect(
      ran('.', 'node_modules/vitest/vitest.mjs', 'run', '--config', 'examples/tests/vitest/vitest.config.mjs'),
    ).toBe(0);
  });

  it('passes in Jest, installed with the package in a project of its own (behaviour 10.22.1)', () => {
    const folder = temporaryFolder();
    execFileSync('npm', ['run', 'package', '--', '--pack-destination', folder], { stdio: 'pipe' });
    const [archive] = readdirSync(folder);
    cpSync('examples/tests', folder, { recursive: true });
    const project = join(folder, 'jest');
    const options = ['--no-audit', '--no-fund', join(folder, archive!)];
    execFileSync('npm', ['install', ...options], { cwd: project, env: clean, stdio: 'pipe' });
    expect(ran(project, '--experimental-vm-modules', 'node_modules/jest/bin/jest.js')).toBe(0);
  });
});
