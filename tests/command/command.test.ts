import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { labOf } from '#command/lab.ts';
import { main } from '#command/main.ts';
import { consoleWithSandbox, testSandbox } from '#tests/support/console.ts';
import { sharedSandbox } from '#tests/support/consoleWithUsers.ts';

const folder = mkdtempSync(join(tmpdir(), 'journeys-'));

/** Runs the command in this process with these variables; what it prints, and its exit code. */
async function runAs(env: Record<string, string>, ...args: string[]) {
  const [printed, complained]: [string[], string[]] = [[], []];
  const code = await main(
    args,
    { root: '.', env },
    { print: (line) => printed.push(line), complain: (line) => complained.push(line) },
  );
  return { code, printed: printed.join('\n'), complained: complained.join('\n') };
}

const run = (...args: string[]) => runAs({}, ...args);

const fileWith = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const journeysFile = (name: string, journeys: unknown) =>
  fileWith(name, JSON.stringify({ kind: 'payments-out-journeys', version: 1, journeys }));

describe('the journey command exits with code 2 and explains the error for', () => {
  it.each([
    ['an unknown option', ['--jurney', 'settings'], /--jurney.*--help lists the options\.$/s],
    ['an option without its value', ['--console'], /--console.*--help/s],
    ['an unknown journey', ['--journey', 'pay'], /^--journey pay is not a journey: there are settings, /],
    [
      'an invalid console address',
      ['--console', 'localhost'],
      /^--console localhost is not an address: give one such as http/,
    ],
    ['an invalid number', ['--retries', 'many'], /^--retries many is not possible: give a whole number from 0\.$/],
    [
      'a time-out above the maximum',
      ['--timeout', '99999999999'],
      /^--timeout 99999999999 is not possible: give a whole number from 1 to 2147483\.$/,
    ],
    [
      'a report in a folder that does not exist',
      ['--junit', '/nowhere/at/all.xml'],
      /^--junit \/nowhere\/at\/all\.xml cannot be written: /,
    ],
    [
      'a folder in place of a report',
      ['--json', tmpdir()],
      /^--json .+ cannot be written: it is a folder, where a file would be right/,
    ],
    ['a host name without a console', ['--console', 'http://localhost:9'], /^No console answers at .+9: \w+/],
    [
      'a malformed fault',
      ['--fault', 'createBatch'],
      /^--fault createBatch is not a rule: give one such as createBatch:answerLost/,
    ],
    [
      'a fault that its operation lacks',
      ['--fault', 'createBatch:duplicate'],
      /nothing named createBatch has the fault duplicate/,
    ],
    [
      'a fault with an invalid option value',
      ['--fault', 'debtor:approve,ms=x'],
      /not a rule: fault\.ms: give a whole number from 0/,
    ],
    ['an option that the fault lacks', ['--fault', 'createBatch:status,code=500'], /not a rule: fault: give /],
    ['a fault that is invalid JSON', ['--fault', '{on:1}'], /^--fault \{on:1\} is not JSON: /],
    [
      'an unknown scenario',
      ['--scenario', 'earthquake'],
      /^--scenario earthquake is not a scenario: there are answerLost, .+, all\.$/,
    ],
    ...['--values', '--junit', '--json'].map((option): [string, string[], RegExp] => [
      `an empty ${option}`,
      [option, ''],
      new RegExp(`^${option} has no value: give a file, or leave it out\\.$`),
    ]),
    ['an empty address', ['--console', ''], /^--console {2}is not an address/],
    ['a scenario with journeys', ['--scenario', 'all', '--journey', 'company'], /leave out --journey\.$/],
    ['a missing file', ['--values', '/nowhere/at/all.json'], /^--values \/nowhere\/at\/all\.json cannot be read: /],
    [
      'an address without a console',
      ['--console', 'http://127.0.0.1:9'],
      /^No console answers at http:\/\/127\.0\.0\.1:9/,
    ],
  ])('%s', async (_, args, says) => {
    const { code, complained, printed } = await run(...args);
    expect({ code, printed }).toEqual({ code: 2, printed: '' });
    expect(complained).toMatch(says);
  });

  it('an invalid journey file, before any journey runs', async () => {
    const { code, complained } = await run('--values', journeysFile('wrong.json', ['settings', 'pay']));
    expect({ code, complained }).toMatchObject({ code: 2 });
    expect(complained).toMatch(/^journeys\[1\]\.journey is "pay"/);
  });

  it('a journey file in another encoding, but none with a byte order mark', async () => {
    const path = journeysFile('encoded.json', ['pay']);
    const text = readFileSync(path, 'utf8');
    for (const bytes of [Buffer.from(`\uFEFF${text}`), Buffer.from(`\uFEFF${text}`, 'utf16le')]) {
      writeFileSync(path, bytes);
      expect((await run('--values', path)).complained).toMatch(/^journeys\[0\]\.journey is "pay"/);
    }
    writeFileSync(path, Buffer.from(text, 'utf16le'));
    expect(await run('--values', path)).toMatchObject({
      code: 2,
      complained: `--values ${path} holds NUL characters, perhaps as UTF-16: save it in UTF-8.`,
    });
  });

  it('a malformed session cookie, which is not printed', async () => {
    const { code, complained } = await runAs(
      { CONSOLE_COOKIE: 'session=secret\nline' },
      '--console',
      'http://127.0.0.1:9',
    );
    expect({ code, complained }).toEqual({
      code: 2,
      complained: 'CONSOLE_COOKIE is not a cookie: give the one of a session, name=value, in one line.',
    });
  });

  it('an address of a server other than a console', async () => {
    const { url } = await testSandbox();
    const { code, complained } = await run('--console', url);
    expect({ code, complained }).toEqual({
      code: 2,
      complained: `What answers at ${url} is not a console: it has no /api/settings.`,
    });
  });
});

it('the journey command runs as the user of CONSOLE_COOKIE if users sign in, and demands it', async () => {
  const { url, signedIn } = await sharedSandbox();
  const { code, complained } = await run('--console', url);
  expect(code).toBe(2);
  expect(complained).toMatch(/has its users sign in: set CONSOLE_COOKIE/);
  const user = await signedIn('ada');
  const cookie = [...user.cookiesFor(url)].map(([name, value]) => `${name}=${value}`).join('; ');
  const args = ['--console', url, '--journey', 'settings', '--journey', 'organisation'];
  expect(await runAs({ CONSOLE_COOKIE: cookie }, ...args)).toMatchObject({ code: 0, complained: '' });
  expect((await user.done('getFacts')).settings.organisationId).not.toBe('');
  const faulty = ['--journey', 'company', '--fault', 'createCompany:status', '--retries', '1'];
  expect(await runAs({ CONSOLE_COOKIE: cookie }, '--console', url, ...faulty)).toMatchObject({ code: 0 });
});

it('the journey command prints its options, journeys and exit codes for --help', async () => {
  const { code, printed } = await run('--help');
  expect(code).toBe(0);
  for (const word of [
    '--console URL',
    '--journey ID',
    '--values FILE',
    '--fault RULE',
    '--junit FILE',
    '--json FILE',
    'electronicPayment',
    'Exit code',
  ])
    expect(printed).toContain(word);
});

it('the journey command runs a file, reports it, resumes, and exits with 1 if a journey fails (behaviour 10.19.2)', async () => {
  const { url, done } = await consoleWithSandbox();
  const [junit, json] = [join(folder, 'junit.xml'), join(folder, 'report.json')];
  const values = journeysFile('company.json', [
    { journey: 'settings', values: { providerCountry: 'GB', fileFormatCountry: 'GB', useNetwork: 'false' } },
    'organisation',
    { journey: 'company', values: { name: 'Sons & <Daughters>' } },
  ]);
  const first = await run('--console', url, '--values', values, '--json', json);
  expect({ ...first, printed: '' }).toEqual({ code: 0, printed: '', complained: '' });
  expect(first.printed).toMatch(/done {4}Create Company \(company\), \d+\.\d\d s/);
  expect(first.printed).toMatch(/All done in .+ waiting for polls; CPU time/);
  expect((await done('getFacts')).companies).toMatchObject([{ companyName: 'Sons & <Daughters>' }]);
  const report = JSON.parse(readFileSync(json, 'utf8')) as object;
  expect(report).toMatchObject({ kind: 'payments-out-journeys-report', version: 1, environment: 'sandbox', ok: true });
  expect(report).toMatchObject({
    parts: [
      {
        journeys: [
          { journey: 'settings', end: 'done' },
          { journey: 'organisation', end: 'done' },
          { journey: 'company', end: 'done', made: { companyId: expect.any(String) as string } },
        ],
      },
    ],
  });
  expect(readFileSync(json, 'utf8')).not.toMatch(/signingkey|eyJ/i);

  const second = await run(
    '--console',
    url,
    '--journey',
    'company',
    '--journey',
    'batch',
    '--journey',
    'providers',
    '--junit',
    junit,
  );
  expect(second.code).toBe(1);
  expect(second.printed).toMatch(
    /FAILED {2}?Get Batch \(batch\).*: There are no payments to list, try posting a payment/,
  );
  const xml = readFileSync(junit, 'utf8');
  expect(xml).toContain('tests="3" failures="1" errors="0" skipped="1"');
  expect(xml).toContain('<failure message="There are no payments to list, try posting a payment">');

  const rest = await run('--console', url);
  expect(rest.code).toBe(0);
  expect(rest.printed).not.toContain('(organisation)');
  expect(rest.printed).toContain('(electronicPayment)');
  expect((await run('--console', url)).printed).toContain('All of the guided path is done already.');
});

it('the journey command sets and removes faults of the sandbox, and retries with --retries', async () => {
  const { url, done } = await consoleWithSandbox();
  const fault = [
    '--console',
    url,
    '--journey',
    'settings',
    '--journey',
    'organisation',
    '--fault',
    'createOrganisation:status,status=500',
  ];
  const failed = await run(...fault);
  expect(failed.code).toBe(1);
  expect(failed.printed).toMatch(/FAILED {2}?Create Organisation/);
  // The first is refused, because the run before may have created an organisation; the second meets the fault.
  const tried = await run(...fault, '--retries', '2');
  expect({ code: tried.code, complained: tried.complained }).toEqual({ code: 0, complained: '' });
  expect((await done('getFacts')).settings.organisationId).not.toBe('');
  expect((await run('--console', url, '--journey', 'company')).code).toBe(0);
});

it('the journey command removes its faults when it is interrupted', async () => {
  const { url, done } = await consoleWithSandbox();
  const lab = await labOf((await done('getFacts')).sandbox!.url); // it is embedded
  const interrupting = new AbortController();
  const complained: string[] = [];
  let set = 0;
  const code = await main(
    ['--console', url, '--fault', 'createCompany:slow', '--journey', 'organisation', '--journey', 'company'],
    { root: '.', env: {}, interrupted: interrupting.signal },
    {
      print: () =>
        void lab.rules().then(({ length }) => {
          set = length;
          interrupting.abort(new Error('SIGINT was received'));
        }),
      complain: (line) => complained.push(line),
    },
  );
  expect({ code, complained, set }).toEqual({
    code: 1,
    complained: ['The run has ended early: SIGINT was received'],
    set: 1,
  });
  expect(await lab.rules()).toEqual([]);
});

it('the journey command runs a scenario and writes its check into the reports', async () => {
  const { url } = await consoleWithSandbox();
  const [junit, json] = [join(folder, 'scenario.xml'), join(folder, 'scenario.json')];
  const { code, printed } = await run('--console', url, '--scenario', 'answerLost', '--junit', junit, '--json', json);
  expect(code).toBe(0);
  expect(printed).toMatch(/right {3}The response is lost after paying: The payment is resent with the same key/);
  expect(readFileSync(junit, 'utf8')).toContain('<testsuite name="scenario answerLost"');
  expect(JSON.parse(readFileSync(json, 'utf8'))).toMatchObject({
    ok: true,
    parts: [{ scenario: { id: 'answerLost', because: '' } }],
  });
});

it('the journey command names a value whose field the form lacks, and exits with 1', async () => {
  const { url } = await consoleWithSandbox();
  await run('--console', url, '--journey', 'settings', '--journey', 'organisation', '--journey', 'company');
  const values = journeysFile('field.json', [{ journey: 'subscription', values: { colour: 'red' } }]);
  const { code, printed } = await run('--console', url, '--values', values);
  expect(code).toBe(1);
  expect(printed).toMatch(/values\.colour is not a field of subscription here: there are \w+/);
});
