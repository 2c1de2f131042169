import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder with this version of Node's program, from the package that brings it for this platform; installed once for each
 * machine. npm itself is not in it.
 */
export function nodeFromNpm(version: string): string {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const folder = join(tmpdir(), `payments-out-console-node-${version}`);
  const programs = join(folder, 'node_modules', name, 'bin');
  if (!existsSync(join(programs, 'node'))) {
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-save', `${name}@${version}`], {
      stdio: 'pipe',
    });
  }
  return programs;
}
