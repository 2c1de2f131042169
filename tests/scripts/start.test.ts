import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OptionError, optionsOf } from '../../scripts/options.mjs';

/** Runs node with these arguments in the project's folder; returns its exit code and what it printed. */
function ran(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** The sentence by which options are refused. */
function refusalOf(args: readonly string[]): string | undefined {
  try {
    optionsOf(args);
  } catch (error) {
    if (error instanceof OptionError) return error.message;
    throw error;
  }
  return undefined;
}

const range = 'give a port number from 0 to 65535, 0 for any free one.';

describe('npm start', () => {
  it.each([
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
    ['a value of an option that takes none', ['--help=all'], '--help takes no value.'],
  ])('refuses %s with one sentence', (_, args, sentence) => {
    expect(refusalOf(args)).toBe(sentence);
  });

  it('exits with code 2 and one sentence for wrong options', () => {
    for (const [args, sentence] of [
      [['--prot', '1'], '--prot is not an option: --help lists the options.'],
      [['--seed', '1'], '--seed is an option of the sandbox alone: payments-out-console sandbox --seed 1'],
    ] as const)
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
  const accepted = ['20.19.0', '20.20.2', '22.12.0', '24.0.0', '26.10.0'];
  const refused = ['18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.0', '25.1.0', '27.0.0'];

  it('ends the process with one sentence for a version that package.json does not allow, and for no other', () => {
    const checked = ran(
      '--input-type=module',
      '--eval',
      `let node = '';
       Object.defineProperty(process, 'versions', { value: { ...process.versions, get node() { return node; } } });
       process.exit = (code) => process.stderr.write('ends with ' + code + '\\n');
       for (node of ${JSON.stringify([...accepted, ...refused])}) await import('./scripts/node.mjs?' + node);`,
    );
    const sentence = 'install Node 20 (20.19 or newer), 22 (22.12 or newer), 24 or 26.';
    expect(checked.stderr).toBe(refused.map((node) => `This is Node ${node}: ${sentence}\nends with 1\n`).join(''));
  });
});
