import { describe, expect, it } from 'vitest';
import { checks } from '#server/programs/checks/index.ts';
import { emptyConfig, parseConfig } from '#server/verify/config.ts';
import { optionsOf, repeatedOptions } from '#server/verify/options.ts';
import { UseError } from '#rules/useError.ts';
import { scenarios } from '#server/verify/scenarios/index.ts';

const read = (...args: string[]) => optionsOf(args, 7);

describe('the options of verify', () => {
  it('are the usual ones for a command alone, which begins at -- or at the first word', () => {
    const usual = read('--', 'node', 'pay.mjs', '--fast');
    expect(usual).toMatchObject({ command: ['node', 'pay.mjs', '--fast'], seed: 7, limit: 60_000, parallel: 8 });
    const once = scenarios.filter(({ repeats }) => !repeats);
    expect([usual.scenarios.length, usual.all, usual.checks.length]).toEqual([once.length, once.length, checks.length]);
    expect(read('node', 'pay.mjs', '--fast')).toEqual(usual);
    expect(read('--seed', '3', 'node', '--', 'x')).toMatchObject({ command: ['node', '--', 'x'], seed: 3 });
  });

  it('say how often each scenario is run, and whether the first failure ends all (behaviour 10.21.27)', () => {
    expect(read('--', 'a')).toMatchObject({ repetitions: 1, failsFast: false });
    expect(read('--repeat', '10', '--fail-fast', '--', 'a')).toMatchObject({ repetitions: 10, failsFast: true });
    expect(() => read('--repeat', '0', '--', 'a')).toThrow('--repeat 0 is not possible');
  });

  it('are repeated by a run of one scenario as far as they are about the program (behaviour 10.21.26)', () => {
    const own = [
      '--only',
      'works',
      '--service',
      '--repeat=3',
      '--config',
      'a.json',
      '--fail-fast',
      '--keep',
      'k',
      '--timeout=9',
    ];
    expect(repeatedOptions(own)).toEqual(['--service', '--config', 'a.json', '--timeout=9']);
  });

  it('restrict scenarios and checks by the ids of either', () => {
    expect(read('--only', 'killed,webhooks', '--', 'a').scenarios.map(({ id }) => id)).toEqual(['killed', 'webhooks']);
    const ofCheck = read('--only', 'write-backoff', '--', 'a');
    expect(ofCheck.scenarios.map(({ id }) => id)).toEqual(['works', 'unavailable']);
    expect(ofCheck.checks).toEqual(['write-backoff']);
    expect(read('--only', 'killed', '--only', 'write-backoff', '--', 'a').checks).toHaveLength(checks.length);
  });

  it.each<[string, ReturnType<typeof read>]>([
    ['the command line', read('--repeated-invoices', '--', 'a')],
    ['verify.json', optionsOf(['--', 'a'], 7, { ...emptyConfig, repeatedInvoices: true })],
  ])('take in files that repeat invoices where %s says that there may be some (behaviour 10.21.19)', (_, options) => {
    expect([options.scenarios, options.all]).toEqual([scenarios, scenarios.length]);
  });

  it('run files that repeat invoices by their names too, but for no check alone (behaviour 10.21.19)', () => {
    const ids = (only: string) => read('--only', only, '--', 'a').scenarios.map(({ id }) => id);
    expect(ids('repeated-unknown')).toEqual(['repeated-unknown']);
    expect(ids('write-paid')).toEqual(['works', 'names', 'next-invoices']);
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
    [['--rport', 'x.xml', '--', 'a'], '--rport is no option: --help lists them. Did you mean --report?'],
    [['--olny', 'works', '--', 'a'], '--olny is no option: --help lists them. Did you mean --only?'],
    [['--requires=write-key', '--', 'a'], '--requires is no option: --help lists them. Did you mean --require?'],
    [['-x', '--', 'a'], '-x is no option: --help lists them.'],
    [['--seed', '--', 'a'], '--seed has no value: --help says what it takes.'],
    [['--only'], '--only has no value: --help says what it takes.'],
    [['--service=no', '--', 'a'], expect.stringMatching(/^Option '--service' does not take an argument/) as string],
    [
      ['--require', 'write-payd', '--', 'a'],
      '--require write-payd is no check: --list names them. Did you mean write-paid?',
    ],
    [
      ['--only', 'two-instance', '--', 'a'],
      '--only two-instance is neither a scenario nor a check: --list names them. Did you mean two-instances?',
    ],
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
    [['--fast', '--', 'a'], '--fast is no option: --help lists them.'],
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
      command: given.command,
      env: given.env,
      isService: false,
      required: ['webhook-forged', 'write-paid'],
      allowed: given.allowedToFail,
    });
    expect(optionsOf(['--', 'other'], 7, config).command).toEqual(['other']);
    expect(optionsOf(['--fail-on-not-exercised'], 7, config).required).toEqual(checks.map(({ id }) => id));
    expect(optionsOf(['--', 'a'], 7, emptyConfig)).toMatchObject({ required: [], allowed: {} });
  });

  it.each([
    ['no JSON', '{\n  "command":', /^verify\.json is not JSON(?: at line 2, column 13)?: [^\n]+\.$/],
    ['no JSON in a line', '{\n "env": {},\n}', /^verify\.json is not JSON at line 3, column 1: Expected [^\n]+\.$/],
    [
      'checks that are no list',
      '{"require":"write-paid"}',
      /^verify\.json is wrong at require: list the checks, such as \["write-paid"\]\.$/,
    ],
    ['a variable that is a number', '{"env":{"MODE":1}}', /at env\.MODE: give a text, such as "1"\.$/],
    [
      'variables in a list',
      '{"env":["MODE"]}',
      /at env: name variables with their values, such as \{ "MODE": "test" \}\.$/,
    ],
    ['a service that is a text', '{"service":"yes"}', /at service: give true or false\.$/],
    [
      'checks that may fail in a list',
      '{"allowedToFail":["write-paid"]}',
      /at allowedToFail: name the checks that may fail, each/,
    ],
    [
      'an unknown member',
      '{"comand":["a"]}',
      'verify.json is wrong at its top: comand is no member here: the names are in docs/verify.md.',
    ],
    [
      'an unknown check',
      '{"require":["write-payd"]}',
      /^verify\.json is wrong at require\.0: write-payd is no check: verify --list names them\. Did you mean write-paid\?$/,
    ],
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
      /at allowedToFail\.write-pay: write-pay is no check: verify --list names them\. Did you mean write-key or write-paid\?$/,
    ],
  ])('is refused with the place for %s', (_, text, message) => {
    expect(() => parseConfig('verify.json', text)).toThrow(message);
    expect(() => parseConfig('verify.json', text)).toThrow(UseError);
  });

  it('a required check that does not exist is refused', () => {
    expect(() => optionsOf(['--require', 'nothing', '--', 'a'], 7)).toThrow('--require nothing is no check');
  });
});
