import { describe, expect, it } from 'vitest';
import { checks } from '#server/programs/checks/index.ts';
import { emptyConfig, parseConfig } from '#server/verify/config.ts';
import { optionsOf } from '#server/verify/options.ts';
import { UseError } from '#server/verify/useError.ts';
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
    [
      ['--only', 'write-key', '--require', 'webhook-forged', '--', 'a'],
      '--require webhook-forged is excluded by --only: name it there as well, or leave out --only.',
    ],
    [['--rport', 'x.xml', '--', 'a'], "Unknown option '--rport'. --help lists the options."],
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

describe('verify.json', () => {
  const given = {
    command: ['node', 'pay.mjs'],
    env: { MODE: 'test' },
    require: ['webhook-forged'],
    allowedToFail: { 'reading-polls': 'The bank asks for it.' },
  };

  it('names the command, its environment, the required checks and those that may fail (behaviour 10.21.4)', () => {
    const config = parseConfig('verify.json', JSON.stringify(given));
    expect(optionsOf(['--require', 'write-paid'], 7, config)).toMatchObject({
      ...{ command: given.command, env: given.env, isService: false },
      ...{ required: ['webhook-forged', 'write-paid'], allowed: given.allowedToFail },
    });
    expect(optionsOf(['--', 'other'], 7, config).command).toEqual(['other']);
    expect(optionsOf(['--fail-on-not-exercised'], 7, config).required).toEqual(checks.map(({ id }) => id));
    expect(optionsOf(['--', 'a'], 7, emptyConfig)).toMatchObject({ required: [], allowed: {} });
  });

  it.each([
    ['no JSON', '{', /^verify\.json is not JSON: /],
    [
      'an unknown member',
      '{"comand":["a"]}',
      'verify.json is wrong at its top: comand is no member here: the names are in docs/verify.md.',
    ],
    ['an unknown check', '{"require":["write-pay"]}', /write-pay/],
    [
      'a check that may fail without a reason',
      '{"allowedToFail":{"write-paid":" "}}',
      /allowedToFail\.write-paid: give the reason/,
    ],
    [
      'a command that is a text',
      '{"command":"node pay.mjs"}',
      /^verify\.json is wrong at command: give the program and its arguments as a list, such as \["node", "pay\.mjs"\]\.$/,
    ],
    ['an empty command', '{"command":[]}', /at command: name the program\.$/],
    [
      'an unknown check that may fail',
      '{"allowedToFail":{"write-pay":"x"}}',
      /at allowedToFail\.write-pay: write-pay is no check: verify --list names them\.$/,
    ],
  ])('is refused with the place for %s', (_, text, message) => {
    expect(() => parseConfig('verify.json', text)).toThrow(message);
    expect(() => parseConfig('verify.json', text)).toThrow(UseError);
  });

  it('a required check that does not exist is refused', () => {
    expect(() => optionsOf(['--require', 'nothing', '--', 'a'], 7)).toThrow('--require nothing is no check');
  });
});
