import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { main } from '#server/verify/main.ts';
import { scenarios } from '#server/verify/scenarios/index.ts';
import { correctPrograms } from './correct/programs.ts';

/** The time that a verification may take on a busy machine, in ms. */
const patience = 240_000;

interface Report {
  checks: { id: string; verdict: 'passed' | 'failed' | 'not exercised' }[];
}

/** Runs the command; returns its exit status, what it printed, and the ids of checks by verdict. */
const verify = (...args: string[]) => verifyWith({}, ...args);

/** Likewise, with more variables. */
async function verifyWith(more: Readonly<Record<string, string>>, ...args: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'verify-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [report, keep] = [join(folder, 'report.json'), join(folder, 'keep')];
  const [printed, complained]: [string[], string[]] = [[], []];
  const status = await main(
    ['--parallel', '4', '--report', report, '--keep', keep, ...args],
    { env: { ...process.env, ...more } },
    { print: (line) => printed.push(line), complain: (line) => complained.push(line) },
  );
  const text = await readFile(report, 'utf8').catch(() => '');
  const { checks } = text === '' ? { checks: [] } : (JSON.parse(text) as Report);
  const of = (wanted: string) => checks.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  return { status, printed, complained, failed: of('failed'), untried: of('not exercised'), keep };
}

describe('an example of an integration', () => {
  it.each([
    ['Node', ['node', 'examples/integration-node/pay.mjs']],
    ['Python', ['python3', 'examples/integration-python/pay.py']],
  ])(
    'in %s passes every check (behaviour 10.21.3)',
    async (_, command) => {
      const { failed, untried, status } = await verify('--', ...command);
      expect({ failed, untried, status }).toEqual({ failed: [], untried: [], status: 0 });
    },
    patience,
  );
});

describe('a program that remembers its invoices one by one', () => {
  it.each<readonly [string, readonly string[]]>([
    ['the example in Node', ['node', 'examples/integration-node/pay.mjs']],
    ['the example in Python', ['python3', 'examples/integration-python/pay.py']],
    ...correctPrograms.filter(([, command]) => !command.some((word) => word.endsWith('/pay.sh'))),
  ])(
    '%s: pays once what a later file repeats (behaviour 10.21.19)',
    async (style, command) => {
      const { failed, status } = await verify('--only', 'works,repeated-invoices,repeated-unknown', '--', ...command);
      expect({ style, failed, status }).toEqual({ style, failed: [], status: 0 });
    },
    patience,
  );
});

describe('a correct program in another style', () => {
  it.each(correctPrograms)(
    '%s: fails no check (behaviour 10.21.3)',
    async (style, command) => {
      const { failed, status } = await verify('--', ...command);
      expect({ style, failed, status }).toEqual({ style, failed: [], status: 0 });
    },
    patience,
  );
});

it(
  'a program that never reads fails nothing by saying unknown, unless truth-paid is required (behaviour 10.21.21)',
  async () => {
    const program = ['--only', 'works', '--', 'bash', 'tests/server/verify/correct/cron.sh'];
    const { failed, untried, status } = await verify(...program);
    expect([failed, status]).toEqual([[], 0]);
    expect(untried).toContain('truth-paid');
    expect((await verify('--require', 'truth-paid', ...program)).status).toBe(1);
  },
  patience,
);

const twice = ['write-restart', 'write-instances', 'write-once'];
const payingAgain = ['write-lost-response', 'write-timeout', ...twice];

/** The checks that each naive program fails. */
const mistakes: Record<string, readonly string[]> = {
  'prints-token': ['request-secret-in-output'],
  'wrong-signature': ['request-signature', 'write-paid', 'write-settled'],
  // A service that has seen the nonce gives no token to the next run.
  'reused-nonce': ['request-nonce', 'write-paid', 'write-settled'],
  'token-per-call': ['request-token-reused'],
  'token-not-renewed': ['request-token-renewed'],
  'renews-for-writes': ['request-token-renewed'],
  'key-in-address': ['request-secret-in-address'],
  'unknown-member': ['request-members'],
  'no-key': ['write-key', 'write-paid', ...payingAgain],
  'key-sent-twice': ['write-key-form', 'write-paid'],
  'new-key-for-retry': ['write-same-key', 'write-paid', ...payingAgain],
  // The service refuses another body under the key, so that the outcome stays unknown.
  'new-body-for-retry': ['write-same-body', 'write-settled'],
  'one-key-for-all': ['write-new-key', 'write-paid', 'write-settled'],
  'key-from-amounts': ['write-new-key', 'write-paid'],
  'key-from-day': ['write-restart', 'write-once'],
  'key-from-utc-day': ['write-restart', 'write-once'],
  'key-from-minute': ['write-same-key', 'write-timeout', 'write-restart', 'write-once'],
  'counts-in-doubles': ['write-paid'],
  'knows-one-currency': ['write-paid'],
  'escapes-names': ['write-paid'],
  'cuts-names': ['write-paid'],
  'id-as-reference': ['write-paid'],
  'rebuilds-body': ['write-same-body', 'write-settled'],
  'repeats-lost-at-once': ['write-backoff'],
  'looks-then-plans': ['write-instances', 'write-once'],
  'plans-before-calls': ['write-instances', 'write-once'],
  'forgets-the-end': ['webhook-duplicate', 'webhook-order', 'truth-failed'],
  'key-from-file': ['write-paid', 'write-once', 'write-lost-response'],
  'pays-one-creditor': ['write-paid'],
  'counts-characters': ['write-paid'],
  // Which of several equal payments has failed or come back, nobody can tell.
  'no-reference': ['write-paid', 'truth-paid', 'truth-failed', 'truth-returned'],
  'pays-all-again-after-a-failure': ['write-refused', 'write-once'],
  'pays-anew-on-unknown-status': ['write-same-key', 'write-lost-response', 'write-once'],
  'pays-anew-on-conflict': ['write-lost-response', 'write-once'],
  // Each instance pays what the other one has planned.
  'pays-earlier-invoices': ['write-paid', 'write-instances', 'write-once'],
  'stale-lock': ['write-settled'],
  'breaks-old-lock': ['write-lost-response', 'write-restart', 'write-once'],
  'gives-up-after-a-failure': ['write-settled'],
  'never-asks-again': ['write-settled'],
  'skips-begun-files': ['write-settled'],
  'says-unknown-of-all': ['write-settled', 'truth-unknown'],
  'drops-last-batch': ['write-paid', 'write-settled'],
  'retries-at-once': ['write-backoff'],
  'ignores-retry-time': ['write-retry-after'],
  'follows-redirects': ['request-redirect'],
  'credentials-with-link': ['request-file-link'],
  'verifies-parsed-webhooks': ['webhook-bytes'],
  'takes-one-signature': ['webhook-signatures'],
  'trusts-failed-webhooks': ['webhook-hint', 'truth-failed'],
  'refuses-early-webhooks': ['webhook-answered'],
  'trusts-webhook-status': ['webhook-hint', 'truth-paid'],
  'processing-is-paid': ['truth-paid'],
  'constant-pauses': ['write-backoff'],
  'ignores-retry-after': ['write-retry-after'],
  'retries-refusals': ['write-refused'],
  'forgets-when-killed': ['write-lost-response', ...twice],
  'no-lock': ['write-instances', 'write-once'],
  'trusts-any-webhook': ['webhook-forged', 'webhook-altered', 'webhook-old'],
  'trusts-old-webhooks': ['webhook-old'],
  'dies-of-short-signatures': ['webhook-forged'],
  'refuses-unknown-webhooks': ['webhook-unknown-type'],
  'refuses-duplicate-webhooks': ['webhook-duplicate'],
  'refuses-late-webhooks': ['webhook-order'],
  'closed-schema': ['reading-unknown-members'],
  'unknown-status-fails': ['reading-unknown-status', 'truth-failed', 'truth-returned'],
  'reads-into-null': ['reading-null-members'],
  'polls-fast': ['reading-polls'],
  'link-used-again': ['reading-file-link'],
  'paid-when-sent': ['truth-paid'],
  'not-found-fails': ['truth-failed'],
  'failed-reading-fails': ['truth-failed'],
  'matches-by-creditor': ['truth-paid'],
  'accepted-is-paid': ['truth-paid'],
  'cut-is-paid': ['truth-paid', 'truth-unknown'],
  'page-is-paid': ['truth-paid', 'truth-unknown'],
  'page-refuses': ['truth-failed'],
  'waits-for-the-body': ['truth-ends'],
  'half-is-paid': ['truth-paid', 'truth-unknown'],
  'gateway-error-fails': ['truth-failed', 'truth-unknown'],
  'knows-no-rejected': ['truth-unknown'],
  'locked-is-done': ['truth-paid'],
  'pays-again-on-return': ['write-returned'],
  'retries-returned': ['write-returned', 'truth-returned'],
  'returned-is-paid': ['truth-returned'],
  'ignores-returns': ['truth-returned'],
  'returns-in-memory': ['truth-returned'],
  'pays-anew-on-stale-status': ['write-once'],
  'guesses-paid': ['truth-unknown', 'truth-paid'],
  'guesses-failed': ['truth-failed', 'truth-unknown'],
};

/** The options of a program whose mistake the usual ones do not show, or not alone. */
const declared: Readonly<Record<string, readonly string[]>> = {
  'key-from-file': ['--repeated-invoices'],
  // Of its other batches it mistakes one for another as soon as one is missing.
  'forgets-the-end': ['--only', 'works,webhooks'],
  // A minute may end in any other scenario as well.
  'key-from-day': ['--only', 'works,minute-ends,killed-at-minute-end'],
  'key-from-utc-day': ['--only', 'works,minute-ends,killed-at-minute-end'],
  'key-from-minute': ['--only', 'works,minute-ends,killed-at-minute-end'],
  // Elsewhere it depends on the machine whether a webhook comes late.
  'refuses-late-webhooks': ['--only', 'works,webhooks'],
  // It says of no other payment what it has read of it.
  'trusts-webhook-status': ['--only', 'works,misleading-webhook,payment-fails'],
  // Each run of it that waits so lasts for a minute.
  'waits-for-the-body': ['--only', 'works,late-response'],
  // It changes its state within a millisecond after it has looked.
  'looks-then-plans': ['--only', 'two-instances', '--repeat', '3', '--fail-fast'],
  'plans-before-calls': ['--only', 'two-instances', '--repeat', '3', '--fail-fast'],
};

describe('a naive program', () => {
  it.each(Object.entries(mistakes))(
    '%s fails exactly the checks %j (behaviour 10.21.3)',
    async (name, expected) => {
      const { failed, status } = await verify(...(declared[name] ?? []), '--', 'node', `examples/naive/${name}.mjs`);
      expect([failed.sort(), status]).toEqual([[...expected].sort(), 1]);
    },
    patience,
  );

  it('is tested here, whichever it is', async () => {
    const files = await readdir('examples/naive');
    expect(files.sort()).toEqual([...Object.keys(mistakes).map((name) => `${name}.mjs`), 'client.mjs'].sort());
  });
});

it(
  'a program that pays tomorrow is verified as if that day had come, and the verdict warns of it (behaviour 10.21.25)',
  async () => {
    const program = ['node', 'tests/server/verify/correct/queue.mjs'];
    const only = ['--only', 'works,lost-response,killed', '--', ...program];
    const { failed, printed, status } = await verifyWith({ DAYS_LATER: '1' }, ...only);
    expect([failed, status]).toEqual([[], 0]);
    expect(printed).toContainEqual(expect.stringMatching(/^WARNING {2}The program pays on a day to come/));
  },
  patience,
);

it.each<[string, string, readonly string[]]>([
  ['makes its keys from the invoices', 'examples/naive/key-from-minute.mjs', ['write-restart', 'write-once']],
  [
    'makes its keys from the invoices and the local day',
    'examples/naive/key-from-day.mjs',
    ['write-restart', 'write-once'],
  ],
  [
    'makes its keys from the invoices and the day in UTC',
    'examples/naive/key-from-utc-day.mjs',
    ['write-restart', 'write-once'],
  ],
  ['stores its keys', 'examples/integration-node/pay.mjs', []],
  ['makes its keys from the invoices alone', 'examples/naive/key-from-file.mjs', []],
])(
  'a minute and a day end between a kill and the next run of a program that %s: %s fails %j (behaviour 10.21.28)',
  async (style, program, expected) => {
    const { failed, untried } = await verify('--only', 'killed-at-minute-end', '--', 'node', program);
    expect({ style, failed: failed.filter((id) => expected.includes(id)) }).toEqual({ style, failed: expected });
    expect(untried.includes('write-restart')).toBe(expected.length === 0);
  },
  patience,
);

it(
  'a program that says unknown of what it has read is not started again for that (behaviour 10.21.18)',
  async () => {
    const program = ['node', 'examples/naive/says-unknown-of-all.mjs'];
    const { failed, keep } = await verify('--only', 'works,lost-response', '--', ...program);
    const runs = JSON.parse(await readFile(join(keep, 'lost-response/runs.json'), 'utf8')) as unknown[];
    expect([failed, runs.length]).toEqual([['truth-unknown'], 1]);
  },
  patience,
);

it.each(['start', 'token', 'send'])(
  'two instances that share an SQLite database, and plan in it without a transaction at %s, are found to pay twice (behaviour 10.21.29)',
  async (moment) => {
    const program = ['python3', '-B', 'tests/server/verify/naive/unlocked.py', moment];
    const often = ['--only', 'two-instances', '--repeat', '3', '--fail-fast'];
    expect((await verify(...often, '--', ...program)).failed).toEqual(['write-instances', 'write-once']);
  },
  patience,
);

describe('verify', () => {
  it('runs each scenario several times, each time with other invoices, until a check fails (behaviour 10.21.27)', async () => {
    const program = ['--', 'node', 'examples/naive/prints-token.mjs'];
    const often = await verify('--only', 'works', '--repeat', '2', ...program);
    expect(often.printed.filter((line) => line.startsWith('Repetition'))).toEqual([
      'Repetition 1 of 2',
      'Repetition 2 of 2',
    ]);
    expect(often.printed).toContain('  In 2 of 2 repetitions');
    expect((await readdir(often.keep)).sort()).toEqual(['1', '2']);
    expect(await readdir(join(often.keep, '2/works'))).toContain('failed-request-secret-in-output.txt');
    const fast = await verify('--only', 'works,lost-response', '--repeat', '2', '--fail-fast', ...program);
    expect([fast.status, fast.failed]).toEqual([1, ['request-secret-in-output']]);
    expect(fast.printed.filter((line) => /^(Repetition|\d\/2 )/.test(line))).toHaveLength(2);
  });

  it('prints no warning of its own beside its lines, however many programs run at the same time (behaviour 10.21.3)', async () => {
    const warnings: Error[] = [];
    const heard = (warning: Error) => void warnings.push(warning);
    process.on('warning', heard);
    onTestFinished(() => void process.off('warning', heard));
    const calls =
      "setTimeout(process.exit, 1000); fetch(process.env.PAYMENTS_URL + '/v3/batchpayments', { method: 'POST' })";
    const many = scenarios.flatMap(({ id, course }) => (course === 'once' ? id : [])).slice(0, 14);
    const { printed } = await verify('--parallel', '14', '--only', many.join(), '--', 'node', '-e', calls);
    expect(printed.filter((line) => /^ *\d+\/14 /.test(line))).toHaveLength(14);
    expect(warnings).toEqual([]);
  });

  it('keeps what was recorded in each scenario, and prints a line for each and a summary', async () => {
    const { printed, keep, status } = await verify(
      '--only',
      'works',
      '--',
      'node',
      'examples/integration-node/pay.mjs',
    );
    expect(status).toBe(0);
    expect(printed[1]).toMatch(/^1\/1 +[\d.]+ s {2}works +[\d.]+ s {2}passed$/);
    expect(printed.at(-1)).toMatch(/^0 failed, \d+ passed/);
    const har = JSON.parse(await readFile(join(keep, 'works/calls.har'), 'utf8')) as {
      log: { entries: { request: { url: string } }[] };
    };
    expect(har.log.entries[0]!.request.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/auth-v1\/accessToken$/);
    expect((await readdir(join(keep, 'works'))).sort()).toEqual([
      'batches.json',
      'calls.har',
      'output-1.txt',
      'runs.json',
      'timeline.json',
      'webhooks.json',
    ]);
  });

  it('appends the verdict to the summary of a job, and says if it cannot (behaviour 10.21.22)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'job-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const summary = join(folder, 'summary.md');
    await writeFile(summary, 'Earlier step\n');
    const program = [
      '--only',
      'works',
      '--require',
      'write-restart',
      '--',
      'node',
      'examples/integration-node/pay.mjs',
    ];
    expect((await verifyWith({ GITHUB_STEP_SUMMARY: summary }, ...program)).status).toBe(1);
    const text = await readFile(summary, 'utf8');
    expect(text).toMatch(/^Earlier step\n## verify: 0 failed, \d+ passed, \d+ not exercised \(1 required\)\n/);
    expect(text).toContain(
      '| `write-restart` | Required, but not exercised in killed, killed-early, killed-unanswered, killed-reading, killed-at-minute-end |',
    );
    const below = join(summary, 'below.md');
    const { complained } = await verifyWith({ GITHUB_STEP_SUMMARY: below }, ...program);
    expect(complained).toEqual([
      `GITHUB_STEP_SUMMARY ${below} cannot be written: a part of its path is a file, where a folder would be right.`,
    ]);
  });

  it.each<[string, string[], string | RegExp]>([
    [
      'a command that is not found',
      ['--', '/nowhere/pay'],
      'The program /nowhere/pay was not found: give a command that exists.',
    ],
    [
      'a script that is not executable',
      ['--', './tests/server/verify/correct/pay.sh'],
      'The program ./tests/server/verify/correct/pay.sh is not executable: give it the right to run, or name the program that runs it, such as sh ./tests/server/verify/correct/pay.sh.',
    ],
    [
      'a command in quotes',
      ['--', 'node pay.mjs'],
      'The program “node pay.mjs” was not found: give the program and its arguments without quotes around them, such as -- node pay.mjs.',
    ],
    [
      'a data folder that is none',
      ['--data', 'package.json', '--', 'true'],
      '--data package.json is no folder: give the data folder of a console that was started.',
    ],
    [
      'a report below a file',
      ['--report', 'package.json/verify.xml', '--', 'true'],
      /^--report package\.json\/verify\.xml cannot be written: a part of its path is a file, where a folder would be right\.$/,
    ],
    [
      'a program that ends before its first call',
      ['--', 'sh', '-c', 'echo no configuration; exit 3'],
      'The program ended with status 3 before its first call: let it pay at PAYMENTS_URL. It printed last: no configuration',
    ],
    [
      'a program that calls nothing until its limit',
      ['--timeout', '1', '--', 'sh', '-c', 'echo waiting; sleep 100'],
      /^The program was ended after \d+ s without a call: let it pay at PAYMENTS_URL, or give it longer by --timeout\. It printed last: waiting$/,
    ],
    [
      'wrong use',
      ['--only', 'nothing', '--', 'true'],
      '--only nothing is neither a scenario nor a check: --list names them.',
    ],
  ])('ends with status 2 and one sentence for %s (behaviour 10.21.4)', async (_, args, sentence) => {
    const { status, complained } = await verify(...args);
    expect([status, complained]).toEqual([2, [expect.stringMatching(sentence)]]);
  });

  it('ends with status 2 if the port for webhooks is taken (behaviour 10.21.4)', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // listening on a port
    const { status, complained } = await verify('--webhook-port', String(port), '--', 'true');
    expect([status, complained]).toEqual([
      2,
      [`Port ${port} is taken: give another --webhook-port, or end what listens there.`],
    ]);
  });

  it.runIf(process.platform === 'linux')(
    'exits by the verdict that it has printed, although a report cannot be written (behaviour 10.21.9)',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'full-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const full = join(folder, 'full.html');
      await symlink('/dev/full', full);
      const { status, printed, complained } = await verify(
        ...['--report', full, '--only', 'works', '--', 'node', 'examples/integration-node/pay.mjs'],
      );
      expect(printed.at(-1)).toMatch(/^0 failed, /);
      expect([status, complained]).toEqual([0, [`--report ${full} cannot be written: its disk is full.`]]);
    },
  );

  it.each([
    ['a file', (folder: string) => join(folder, 'file')],
    ['below a file', (folder: string) => join(folder, 'file', 'keep')],
  ])('ends with status 2 before it starts the program if --keep is %s (behaviour 10.21.9)', async (_, place) => {
    const folder = await mkdtemp(join(tmpdir(), 'keep-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'file'), '');
    const { status, complained, printed } = await verify('--keep', place(folder), '--', 'node', 'pay.mjs');
    expect([status, printed]).toEqual([2, []]);
    expect(complained).toEqual([
      expect.stringMatching(/^--keep \S+ cannot be written: .*is a file, where a folder would be right\.$/),
    ]);
  });

  it('ends, with all programs, if what it keeps cannot be written any more (behaviour 10.21.9)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keep-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const script = `echo in the way > ${folder}/works; exec node examples/integration-node/pay.mjs`;
    const { status, complained } = await verify(
      ...['--keep', folder, '--only', 'works,killed', '--', 'sh', '-c', script],
    );
    expect(status).toBe(2);
    expect(complained).toEqual([
      expect.stringMatching(/^--keep \S+works cannot be written: it is a file, where a folder would be right\.$/),
    ]);
  });

  it('leaves no empty report of a program that could not be run, and none of its control characters (behaviour 10.21.9)', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reports-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { status, complained } = await verify(
      ...['--report', join(folder, 'a.xml'), '--report', join(folder, 'a.html')],
      ...['--', 'sh', '-c', "printf '\\033]0;owned\\007\\033[2Jbad\\rgood'; exit 3"],
    );
    expect([status, complained]).toEqual([
      2,
      [
        'The program ended with status 3 before its first call: let it pay at PAYMENTS_URL. It printed last: \\x1b]0;owned\\x07\\x1b[2Jbad\\x0dgood',
      ],
    ]);
    expect(await readdir(folder)).toEqual([]);
  });
});
