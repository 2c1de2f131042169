import { describe, expect, it } from 'vitest';
import { checks } from '#server/programs/checks/index.ts';
import { optionsOf, UseError } from '#server/verify/options.ts';
import { scenarios } from '#server/verify/scenarios.ts';

const read = (...args: string[]) => optionsOf(args, 7);

describe('the options of verify', () => {
  it('are the usual ones for a command alone, which begins at -- or at the first word', () => {
    const usual = read('--', 'node', 'pay.mjs', '--fast');
    expect(usual).toMatchObject({ command: ['node', 'pay.mjs', '--fast'], seed: 7, limit: 60_000, parallel: 6 });
    expect([usual.scenarios.length, usual.checks.length]).toEqual([scenarios.length, checks.length]);
    expect(read('node', 'pay.mjs', '--fast')).toEqual(usual);
    expect(read('--seed', '3', 'node', '--', 'x')).toMatchObject({ command: ['node', '--', 'x'], seed: 3 });
  });

  it('restrict scenarios and checks by the ids of either', () => {
    expect(read('--only', 'killed,webhooks', '--', 'a').scenarios.map(({ id }) => id)).toEqual(['killed', 'webhooks']);
    const ofCheck = read('--only', 'write-backoff', '--', 'a');
    expect(ofCheck.scenarios.map(({ id }) => id)).toEqual(['works', 'unavailable']);
    expect(ofCheck.checks).toEqual(['write-backoff']);
    expect(read('--only', 'killed', '--only', 'write-backoff', '--', 'a').checks).toHaveLength(checks.length);
  });

  it('run scenarios one after another on a given port', () => {
    expect(read('--webhook-port', '8080', '--parallel', '9', '--', 'a')).toMatchObject({
      webhookPort: 8080,
      parallel: 1,
    });
  });

  it.each([
    [[], 'The program is missing: give its command, such as verify -- node pay.mjs.'],
    [['--seed', '1', '--'], 'The program is missing: give its command, such as verify -- node pay.mjs.'],
    [['--only', 'nothing', '--', 'a'], '--only nothing is neither a scenario nor a check: --list names them.'],
    ...['', ' ', ',', ' , '].map((ids): [string[], string] => [
      ['--only', ids, '--', 'a'],
      '--only has no value: give scenarios or checks, which --list names, or leave it out.',
    ]),
    [['--only', 'killed', '--only', '', '--', 'a'], expect.stringMatching(/^--only has no value: /) as string],
    [['--only', 'killed,nothing', '--', 'a'], '--only nothing is neither a scenario nor a check: --list names them.'],
    [['--keep', '', '--', 'a'], '--keep has no value: give a folder, or leave it out.'],
    [['--report', '', '--', 'a'], '--report  is not possible: the name ends with .xml, .json, .html.'],
    [['--', ''], 'The program is missing: give its command, such as verify -- node pay.mjs.'],
    [['--report', 'a.txt', '--', 'a'], '--report a.txt is not possible: the name ends with .xml, .json, .html.'],
    [['--timeout', '0', '--', 'a'], '--timeout 0 is not possible: give a whole number from 1 to 3600.'],
    [['--seed', 'x', '--', 'a'], '--seed x is not possible: give a whole number from 0 to 60466175.'],
    [['--fast', '--', 'a'], expect.stringContaining("Unknown option '--fast'") as string],
  ])('are refused with the right form: %j (behaviour 10.21.4)', (args, message) => {
    const refused = (() => {
      try {
        return read(...args);
      } catch (error) {
        return error;
      }
    })();
    expect(refused).toBeInstanceOf(UseError);
    expect((refused as UseError).message).toEqual(message);
  });

  it('need no command for help and list', () => {
    expect(read('--help')).toMatchObject({ help: true });
    expect(read('--list')).toMatchObject({ list: true });
  });
});
