import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Runs node with these arguments in the project's folder; returns its exit code and what it printed. */
function ran(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

const range = 'give a port number from 0 to 65535, 0 for any free one.';

describe('npm start', () => {
  it.each([
    ['an unknown option', ['--prot', '1'], '--prot is not an option: --help lists the options.'],
    ['an unknown short option', ['-p', '1'], '-p is not an option: --help lists the options.'],
    ['an unknown argument', ['elsewhere'], 'elsewhere is not known: --help lists what is.'],
    ['an unknown argument after --', ['--', 'elsewhere'], '-- is not known: --help lists what is.'],
    ['a port that is not a number', ['--port', 'abc'], `--port is "abc": ${range}`],
    ['a port with a fraction', ['--port', '1e3'], `--port is "1e3": ${range}`],
    ['a port out of range', ['--port=65536'], `--port is "65536": ${range}`],
    ['an option in place of a port', ['--port', '--help'], `--port is "--help": ${range}`],
    ['a missing port', ['sandbox', '--port'], `--port has no value: ${range}`],
    ['a missing folder', ['--data'], '--data has no value: give a folder.'],
    ['an empty folder', ['--data', ''], '--data has no value: give a folder.'],
    ['a seed that is not a number', ['sandbox', '--seed', 'x'], '--seed is "x": give a whole number.'],
    [
      'a seed of the console',
      ['--seed', '1'],
      '--seed is an option of the sandbox alone: payments-out-console sandbox --seed 1',
    ],
    ['a value of an option that takes none', ['--help=all'], '--help takes no value.'],
  ])('exits with code 2 and one sentence for %s', (_, args, sentence) => {
    expect(ran('scripts/start.mjs', ...args)).toEqual({ status: 2, stdout: '', stderr: `${sentence}\n` });
  });

  it('--version prints the version of package.json', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }; // it is there
    expect(ran('scripts/start.mjs', '--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('--help lists every option', () => {
    const { status, stdout } = ran('scripts/start.mjs', '--help');
    expect(status).toBe(0);
    for (const option of ['sandbox', '--port', '--data', '--seed', '--accept-store', '--version', '--help'])
      expect(stdout).toContain(option);
  });
});

describe('the start check of Node’s version', () => {
  const check = (version: string) =>
    ran(
      '--eval',
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
       import('./scripts/node.mjs')`,
    );

  it.each(['20.19.0', '20.20.2', '22.12.0', '24.0.0', '26.10.0'])('accepts %s', (version) => {
    expect(check(version)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each(['18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.0', '25.1.0', '27.0.0'])(
    'refuses %s with one sentence',
    (version) => {
      expect(check(version)).toEqual({
        status: 1,
        stdout: '',
        stderr: `This is Node ${version}: install Node 20 (20.19 or newer), 22 (22.12 or newer), 24 or 26.\n`,
      });
    },
  );
});
