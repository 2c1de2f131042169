import { describe, expect, it } from 'vitest';
import { htmlReport, jsonReport, junitReport, markdownReport, reportFor } from '#server/verify/reports.ts';
import { scenarios } from '#server/verify/scenarios/index.ts';
import { progressLine, summaryLines } from '#server/verify/summary.ts';
import { transcriptOf } from '#server/verify/transcript.ts';
import {
  hasFailed,
  isToRepeat,
  judged,
  outcomesOf,
  warningsOf,
  worksIn,
  type Verification,
} from '#server/verify/verification.ts';
import { checks } from '#server/programs/checks/index.ts';
import { batch, bodyFor, evidence, pay, read, run } from '../programs/checks/madeEvidence.ts';

const scenarioOf = (id: string) => scenarios.find((each) => each.id === id)!;
const observed = (more: Parameters<typeof evidence>[0]) => ({
  evidence: evidence(more),
  outputs: ['done <&>'],
  url: 'http://127.0.0.1:1',
  ms: 1200,
  trouble: '',
});

/** A program that pays, and pays twice after a lost response. */
function verification(required: readonly string[] = [], allowed: Record<string, string> = {}): Verification {
  const calls = [pay(1, 0, 'k1', { status: 0, fault: 'answerLost' }), pay(2, 900, 'k2')];
  const all = [
    judged(scenarioOf('works'), observed({ calls: [pay(1, 0, 'k1')], batches: [batch(1)] }), true, { seed: 7 }),
    judged(
      scenarioOf('lost-response'),
      observed({ scenario: 'lost-response', calls, batches: [batch(1), batch(2)] }),
      true,
      { seed: 7 },
    ),
  ];
  const outcomes = outcomesOf(all, { checks: checks.map(({ id }) => id), required, allowed, unjudged: {} });
  return {
    command: ['node', '<pay>.mjs'],
    options: ['--service'],
    seed: 7,
    repetitions: 1,
    startedAt: '2026-01-31T09:00:00.000Z',
    ms: 3400,
    scenarios: all,
    outcomes,
  };
}

describe('a report of a verification', () => {
  it.each(['report.xml', 'report.json', 'report.html'])('masks the secrets in what a program says: %s', (path) => {
    const made = verification();
    const [secret, said] = ['hunter2-hunter2', 'It sent Authorization: Basic dXNlcjpodW50ZXIy, {"pin":"4711"}'];
    const outcomes = made.outcomes.map((outcome) => ({
      ...outcome,
      seen: outcome.seen.map((seen) => ({ ...seen, says: `${said} and password=${secret}` })),
    }));
    const report = reportFor(path, { ...made, outcomes });
    expect(report).toContain('It sent');
    for (const each of [secret, 'dXNlcjpodW50ZXIy', '4711']) expect(report).not.toContain(each);
    if (path.endsWith('.json')) expect(() => JSON.parse(report) as unknown).not.toThrow();
  });
});

describe('a verification', () => {
  it('has the checks that failed in one scenario, with the calls that show it (behaviour 10.21.2)', () => {
    const { outcomes } = verification();
    const failed = outcomes.filter(({ verdict }) => verdict === 'failed');
    expect(failed.map(({ check }) => check.id)).toEqual(['write-same-key', 'write-lost-response', 'write-once']);
    expect(failed[0]!.seen).toEqual([
      {
        scenario: 'lost-response',
        says: 'The program sent the same payments again under another idempotency key',
        calls: [1, 2],
        seed: 7,
        shown: ['1 POST /v3/batchpayments no response (answerLost)', '2 POST /v3/batchpayments 201'],
      },
    ]);
    expect(outcomes.find(({ check }) => check.id === 'write-paid')).toMatchObject({
      verdict: 'passed',
      exercisedBy: ['works'],
    });
    expect(hasFailed({ outcomes })).toBe(true);
  });

  it.each([
    [
      'is late',
      'unavailable',
      [pay(1, 0, 'k', { status: 503 }), pay(2, 20, 'k', { status: 503 }), pay(3, 900, 'k')],
      [],
      true,
    ],
    ['pays twice', 'lost-response', [pay(1, 0, 'k1', { status: 0 }), pay(2, 900, 'k2')], ['write-once'], false],
  ] as const)(
    'excuses a program that %s where the machine stood still by the machine alone (behaviour 10.21.31)',
    (_, id, calls, failed, isRepeated) => {
      const batches = isRepeated ? [batch(1)] : calls.map(({ number }) => batch(number));
      const seen = { ...observed({ scenario: id, calls: [...calls], batches }), stoodStill: 3200 };
      const found = judged(scenarioOf(id), seen, true, { seed: 7 });
      const outcomes = outcomesOf([found], {
        checks: checks.map((each) => each.id),
        required: [],
        allowed: {},
        unjudged: {},
      });
      const of = (verdict: string) => outcomes.filter((each) => each.verdict === verdict);
      expect(of('failed').map(({ check }) => check.id)).toEqual(expect.arrayContaining([...failed]));
      expect(of('failed').filter(({ check }) => check.id === 'write-backoff')).toEqual([]);
      expect(isToRepeat(found)).toBe(isRepeated);
      expect(of('not exercised').find(({ check }) => check.id === 'write-backoff')?.unjudged).toBe(
        isRepeated ? 'The machine stood still for 3.2 s in unavailable' : undefined,
      );
      const text = summaryLines({ ...verification(), scenarios: [found], outcomes }).at(-1);
      expect(text).toMatch(/; the machine stood still for up to 3\.2 s$/);
    },
  );

  it('knows by the first scenario whether the program pays at all', () => {
    expect(worksIn(verification().scenarios[0]!)).toBe(true);
    const unpaid = judged(
      scenarioOf('works'),
      observed({ calls: [pay(1, 0, 'k1')], runs: [run(0, 900, { exitStatus: 1 })] }),
      true,
    );
    expect(worksIn(unpaid)).toBe(false);
  });

  it('is summed up with failed checks first, what was seen and how to mend it', () => {
    const lines = summaryLines(verification());
    expect(lines.slice(0, 7)).toEqual([
      '',
      'FAILED  write-same-key: A retry has the key of the first attempt',
      '  - lost-response: The program sent the same payments again under another idempotency key (call 1 POST /v3/batchpayments no response (answerLost), 2 POST /v3/batchpayments 201)',
      expect.stringMatching(/^ {2}Why: /),
      expect.stringMatching(/^ {2}Mend: /),
      expect.stringMatching(/^ {2}Right: docs\/verify\.md, .*; wire, section 4$/),
      "  Alone: verify --service --only lost-response --seed 7 --keep verify-kept -- node '<pay>.mjs'",
    ]);
    expect(lines.at(-1)).toMatch(
      /^3 failed, \d+ passed, \d+ not exercised in 3\.4 s \(seed 7\): \d+ of \d+ checks exercised$/,
    );
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^ {2}write-restart +scenario killed, killed-early, killed-unanswered, killed-reading, killed-at-minute-end$/,
      ),
    );
  });

  it('says that no file was tried that repeats invoices, unless one was (behaviour 10.21.23)', () => {
    const of = (...ids: string[]) => {
      const all = ids.map((id) => judged(scenarioOf(id), observed({ scenario: id }), true));
      return summaryLines({ ...verification(), scenarios: all }).filter((line) => line.includes('--repeated-invoices'));
    };
    expect(of('works', 'next-invoices')).toEqual([
      'Not tried: a file that repeats invoices of an earlier one. If yours may, add --repeated-invoices.',
    ]);
    expect(of('works', 'next-invoices', 'repeated-unknown')).toEqual([]);
    expect(of('works', 'killed')).toEqual([]);
  });

  it.each([
    ['warns of a day to come, on which nothing is paid before', '2023-11-15', true],
    ['has no warning on the day itself', '2023-11-14', false],
  ])('%s (behaviour 10.21.25)', (_, day, isWarned) => {
    const body = bodyFor(['A', 'B'], { requestedExecutionDateTime: `${day}T00:00:00Z` });
    const calls = [pay(1, 0, 'k1', { body }), read(2, 900)];
    const all = [judged(scenarioOf('works'), observed({ calls, batches: [batch(1)] }), true)];
    const warnings = [expect.stringContaining(`on a day to come (requestedExecutionDateTime ${day})`) as string];
    expect(warningsOf(all)).toEqual(isWarned ? warnings : []);
    const lines = summaryLines({ ...verification(), scenarios: all });
    expect(lines.filter((line) => line.startsWith('WARNING  '))).toHaveLength(isWarned ? 1 : 0);
    expect(JSON.parse(jsonReport({ ...verification(), scenarios: all }))).toMatchObject({
      warnings: isWarned ? warnings : [],
    });
  });

  it.each<[string, string, Parameters<typeof evidence>[0], readonly string[]]>([
    [
      'each kill that did not follow its fault',
      'killed-refused',
      {
        calls: [pay(1, 0, 'k', { status: 503, fault: 'status' }), pay(2, 2000, 'k')],
        runs: [run(0, 900, { ended: 'killed' }), run(1000, 3000)],
      },
      ['the kill after tooMany of createBatch, the kill after expiredToken of createBatch', '1 of 3 faults arose'],
    ],
    [
      'a kill before which the program ended by itself',
      'killed',
      { calls: [pay(1, 0, 'k', { status: 201, fault: 'noBody' })], runs: [run(0, 900)] },
      ['the kill after noBody of createBatch', '0 of 1 fault arose'],
    ],
    [
      'each of several faults by its status',
      'conflict',
      { calls: [pay(1, 0, 'k', { status: 0, fault: 'answerLost' }), pay(2, 1, 'k', { status: 403, fault: 'html' })] },
      ['status 409 of createBatch', '2 of 3 faults arose'],
    ],
    [
      'that there was no run, because time changes no key',
      'minute-ends',
      { runs: [] },
      ['the whole scenario: the keys do not change with the time', '0 of 1 fault arose'],
    ],
    ['nothing where all have arisen', 'lost-response', { calls: [pay(1, 0, 'k', { fault: 'answerLost' })] }, []],
    [
      'the kill after a webhook that nobody took',
      'returned-by-event',
      { runs: [run(0, 900)] },
      ['the kill after a webhook of a return', '0 of 1 fault arose'],
    ],
    ['nothing of faults that are no call’s', 'slow-batch', {}, []],
  ])('lists of what did not arise in a scenario %s (behaviour 10.21.32)', (_, id, met, [listed, counted]) => {
    const found = judged(scenarioOf(id), observed({ scenario: id, ...met }), true);
    const passed = { ...found, verdicts: [] };
    const lines = summaryLines({ ...verification(), scenarios: [found] });
    const head = lines.indexOf('Did not arise, so that nothing is said of it:');
    expect(head < 0 ? undefined : lines[head + 1]?.trim().split(/ {2,}/)).toEqual(listed && [id, listed]);
    expect(progressLine(passed, { done: 1, of: 1, elapsed: 0 }).split('passed')[1]).toBe(counted ? `, ${counted}` : '');
    const report = JSON.parse(jsonReport({ ...verification(), scenarios: [found] })) as {
      scenarios: { notArisen: string[] }[];
    };
    expect(report.scenarios[0]!.notArisen).toEqual(listed?.split(', ') ?? []);
  });

  it.each(['reading-unknown-members', 'reading-null-members', 'reading-unknown-status'])(
    'says of a program that pays wrongly why %s is not judged, and not that it did not arise (behaviour 10.21.32)',
    (id) => {
      const faults = ['extraMembers', 'nullMembers', 'unknownStatus'];
      const calls = [pay(1, 0, 'k'), ...faults.map((fault, index) => read(index + 2, 900 * (index + 1), { fault }))];
      const all = [judged(scenarioOf('works'), observed({ calls }), false)];
      const [outcome] = outcomesOf(all, { checks: [id], required: [], allowed: {}, unjudged: {} });
      expect(outcome?.unjudged).toMatch(/^The program does not pay/);
    },
  );

  it('warns of keys that are made from the invoices where the program’s clock cannot be set on (behaviour 10.21.28)', () => {
    const at = (batches: readonly ReturnType<typeof batch>[], isClockLeft: boolean) => {
      const seen = observed({ scenario: 'killed', calls: [pay(1, 0, 'k1'), read(2, 900)], batches });
      return [judged(scenarioOf('killed'), { ...seen, isClockLeft }, true)];
    };
    const isWarned = (all: Parameters<typeof warningsOf>[0]) => warningsOf(all).some((each) => each.includes('UTC'));
    expect(isWarned(at([batch(1)], true))).toBe(true);
    expect(isWarned(at([batch(1)], false))).toBe(false);
    // A key with the minute fails already.
    expect(isWarned(at([batch(1), batch(2)], true))).toBe(false);
  });

  it('names at most five calls of a finding, each with what it was, and counts the others (behaviour 10.21.26)', () => {
    const calls = Array.from({ length: 9 }, (_, index) =>
      pay(index + 1, index * 900, `k${index}`, { status: 503, isDone: false }),
    );
    const all = [judged(scenarioOf('unavailable'), observed({ scenario: 'unavailable', calls }), true)];
    const outcomes = outcomesOf(all, { checks: ['write-backoff'], required: [], allowed: {}, unjudged: {} });
    const [line = ''] = summaryLines({ ...verification(), scenarios: all, outcomes }).filter((each) =>
      each.startsWith('  - '),
    );
    expect(line).toMatch(/\(call 1 POST \/v3\/batchpayments 503, (\d POST \/v3\/batchpayments 503, ){4}and 4 more\)$/);
  });

  it('tells what led to a failed check: runs and calls, those that show it marked, and no secret (behaviour 10.21.26)', () => {
    const [, second] = verification().scenarios;
    const { check, verdict } = second!.verdicts.find((each) => each.check.id === 'write-same-key')!;
    const text = transcriptOf(second!, check, verdict.verdict === 'failed' ? verdict.seen : []);
    expect(text).toContain('write-same-key failed in lost-response');
    expect(text).toContain('What is right: docs/verify.md, "Checks", "What counts as correct"; wire, section 4');
    expect(text).toMatch(
      /^> +0\.00 s {2}1 {2}POST \/v3\/batchpayments {2}no response \(answerLost\) after 0\.02 s {2}key k1$/m,
    );
    expect(text).toMatch(/^ +10\.00 s {2}run 1 ends, with status 0$/m);
    expect(text).not.toContain('token-number-1');
  });

  it('prints a line for each scenario, with the time since the beginning', () => {
    const [, second] = verification().scenarios;
    expect(progressLine(second!, { done: 2, of: 18, elapsed: 65_432 })).toMatch(
      /^ 2\/18 +65\.4 s {2}lost-response +1\.2 s {2}FAILED {2}write-same-key, write-lost-response, write-once$/,
    );
  });
});

describe('the reports of a verification (behaviour 10.21.5)', () => {
  it('in JUnit’s format have a case for each check, with failures and what was not exercised', () => {
    const xml = junitReport(verification());
    expect(xml).toContain(`<testsuites name="payments-out-verify" tests="${checks.length}" failures="3" errors="0"`);
    expect(xml).toContain('<failure message="lost-response: A was paid 2 times, under 2 idempotency keys (call 1 POST');
    expect(xml).toContain('name="write-restart: ');
    expect(xml).toContain('<skipped message="The situation did not arise"/>');
  });

  it('as JSON have checks, runs and calls, and neither bodies nor keys', () => {
    const text = jsonReport(verification());
    const report = JSON.parse(text) as { ok: boolean; checks: { id: string; verdict: string }[]; scenarios: object[] };
    expect(report).toMatchObject({ kind: 'payments-out-verify-report', version: 1, ok: false, ms: 3400, seed: 7 });
    expect(report.scenarios[1]).toMatchObject({
      id: 'lost-response',
      runs: [{ ended: 'itself', exitStatus: 0, ms: 10_000 }],
      calls: [
        { number: 1, status: 0, fault: 'answerLost' },
        { number: 2, status: 201 },
      ],
    });
    expect(text).not.toMatch(/token-number-1|externalId|x-idempotency-key":/);
  });

  it('as a page escape what they show, and list failed checks first', () => {
    const page = htmlReport(verification());
    expect(page).toContain('<code>node &lt;pay&gt;.mjs</code>');
    expect(page.indexOf('How to mend it')).toBeLessThan(page.indexOf('All checks'));
  });
});

describe('a required check that was not exercised, and one that may fail (behaviour 10.21.22)', () => {
  const reason = 'Our keys are made by a library.';
  const made = verification(['webhook-forged'], { 'write-same-key': reason });

  it('are in JUnit’s report a failure and a case that was skipped', () => {
    const xml = junitReport(made);
    expect(xml).toContain(`tests="${checks.length}" failures="3" errors="0"`);
    expect(xml).toContain('<failure message="Required, but not exercised in webhooks">');
    expect(xml).toContain(`<skipped message="Failed, as is allowed: ${reason}"/>`);
  });

  it('are marked in the JSON', () => {
    const report = JSON.parse(jsonReport(made)) as { ok: boolean; checks: { id: string }[] };
    const of = (id: string) => report.checks.find((each) => each.id === id);
    expect(of('webhook-forged')).toMatchObject({ verdict: 'not exercised', required: true });
    expect(of('write-same-key')).toMatchObject({ verdict: 'failed', allowedToFail: reason });
    expect(of('write-once')).not.toHaveProperty('required');
  });

  it('are counted in the page, which leads with the one that fails the verification', () => {
    const page = htmlReport(made);
    expect(page).toMatch(/<h1>Failed: 3 failed \(1 allowed\), \d+ passed, \d+ not exercised \(1 required\)<\/h1>/);
    expect(page).toContain('<li>Required, but not exercised in webhooks</li>');
    expect(page).toContain(`<td>failed, as is allowed: ${reason}</td>`);
    expect(page.match(/How to mend it/g)).toHaveLength(3);
  });

  it('are in the summary of a job, with the reason', () => {
    const summary = markdownReport(made);
    expect(summary).toMatch(/^## verify: 3 failed \(1 allowed\), \d+ passed, \d+ not exercised \(1 required\)\n/);
    expect(summary).toContain('| `webhook-forged` | Required, but not exercised in webhooks |');
    expect(summary).toContain(`| \`write-same-key\` | failed, as is allowed: ${reason}; lost-response: The program`);
  });

  it('pass together, if the one is exercised and nothing else fails', () => {
    const all = { 'write-same-key': reason, 'write-lost-response': reason, 'write-once': reason };
    const passed = verification(['write-paid'], all);
    expect(htmlReport(passed)).toContain('<h1>Passed: 3 failed (3 allowed), ');
    expect(junitReport(passed)).toContain('failures="0"');
  });
});
