import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownCommands } from '#server/http/ownCommands.ts';
import { version } from '#server/version.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** A folder of a console whose script prints its arguments. */
function consoleIn(name: string): string {
  const root = join(temporaryFolder(), name);
  mkdirSync(join(root, 'scripts'), { recursive: true });
  writeFileSync(join(root, 'scripts/verify.mjs'), 'console.log(JSON.stringify(process.argv.slice(2)));');
  return root;
}

describe('the command that verifies a program', () => {
  it.each(['console', 'my console', "the user's", 'über $HOME `x` "y"'])(
    'runs in a shell, in any folder, from a console in "%s" (behaviour 10.21.7)',
    (name) => {
      const command = ownCommands(consoleIn(name), true).verify;
      const output = execFileSync('/bin/sh', ['-c', command], { cwd: temporaryFolder(), encoding: 'utf8' });
      expect(JSON.parse(output)).toEqual(['--', 'node', 'your-app.mjs']);
    },
  );

  it.each([
    ['my data', ['--data', 'my data']],
    ["x'y", ['--data', "x'y"]],
    ['.data', []],
  ])('names the data folder of its console unless it is the usual one: %s (behaviour 10.21.10)', (name, options) => {
    const root = consoleIn('console');
    const command = ownCommands(root, true, join(root, name)).verify;
    const output = execFileSync('/bin/sh', ['-c', command], { cwd: temporaryFolder(), encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual([
      ...options.map((each) => (each === name ? join(root, name) : each)),
      '--',
      'node',
      'your-app.mjs',
    ]);
  });

  it.each([
    ['for users at other machines', () => consoleIn('console'), false],
    ['without the script, as in a container', () => temporaryFolder(), true],
  ])('names the package %s', (_, root, isOwnMachine) => {
    const command = `npx ./payments-out-console-${version}.tgz verify -- node your-app.mjs`;
    expect(ownCommands(root(), isOwnMachine).verify).toBe(command);
  });
});
