import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storedVerdict } from '#server/programs/verdicts.ts';
import { progressFile, readProgress, readReport } from '#server/programs/storedVerification.ts';
import { scenarios } from '#server/verify/scenarios/index.ts';
import { openStoredReport } from '#server/verify/storedReport.ts';
import { judged } from '#server/verify/verification.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { batch, evidence, pay } from '../programs/checks/madeEvidence.ts';

const found = (id: string, more: Parameters<typeof evidence>[0]) =>
  judged(
    scenarios.find((each) => each.id === id)!, // one of them
    { evidence: evidence({ scenario: id, ...more }), outputs: [], url: 'http://127.0.0.1:1', ms: 10, trouble: '' },
    true,
  );
const works = found('works', { calls: [pay(1, 0, 'k1')], batches: [batch(1)] });
const twice = found('lost-response', {
  calls: [pay(1, 0, 'key-of-one', { status: 0, fault: 'answerLost' }), pay(2, 900, 'key-of-two')],
  batches: [batch(1), batch(2)],
});
const once = found('lost-response', { calls: [pay(1, 0, 'k1')], batches: [batch(1)] });

/** A verification of one of two scenarios if it is a `part`, otherwise of both. */
const opened = (
  folder: string,
  more: { own?: string[]; program?: string[]; part?: true; allowed?: Record<string, string> } = {},
) => {
  const complaints: string[] = [];
  const complain = (line: string) => void complaints.push(line);
  const program = more.program ?? ['node', 'pay.mjs'];
  return openStoredReport({
    folder,
    own: more.own ?? [],
    program,
    complain,
    of: more.part ? 1 : 2,
    all: 2,
    allowed: more.allowed ?? {},
  }).then((stored) => ({
    ...stored,
    complaints,
  }));
};

describe('the stored report of a verification', () => {
  it('has the advice on what was seen in place of the general one, each once (behaviour 10.21.10)', async () => {
    const folder = temporaryFolder();
    const { ended } = await opened(folder);
    const advised = (own: string | undefined, from: typeof twice) => ({
      ...from,
      verdicts: from.verdicts.map(({ check, verdict }) => ({
        check,
        verdict:
          verdict.verdict === 'failed'
            ? { ...verdict, seen: verdict.seen.map(({ says, calls }) => ({ says, calls, ...(own && { mend: own }) })) }
            : verdict,
      })),
    });
    const adviceOf = async (id: string) =>
      (await storedVerdict(folder)).report?.checks.find((each) => each.id === id)?.mend;
    const id = twice.verdicts.find(({ verdict }) => verdict.verdict === 'failed')!.check.id; // it pays twice
    await ended([works, advised('Store the key.', twice)]);
    expect(await adviceOf(id)).toBe('Store the key.');
    await (await opened(folder)).ended([works, advised(undefined, twice)]);
    expect(await adviceOf(id)).toBe(twice.verdicts.find(({ check }) => check.id === id)!.check.mend);
  });

  it('holds the verdicts before it on the same program, with the checks that failed (behaviour 10.21.10)', async () => {
    const folder = temporaryFolder();
    const failing = twice.verdicts
      .filter(({ verdict }) => verdict.verdict === 'failed')
      .map(({ check }) => check.title);
    await (await opened(folder)).ended([works, twice]);
    await (await opened(folder)).ended([works, once]);
    const history = async () => (await storedVerdict(folder)).report?.history.map(({ failed }) => failed);
    expect(await history()).toEqual([expect.arrayContaining(failing), []]);
    await (await opened(folder, { program: ['node', 'other.mjs'] })).ended([works, once]);
    expect(await history(), 'of another program').toEqual([[]]);
  });

  it('says how far it is, and then its verdict with the calls that show a mistake (behaviour 10.21.10)', async () => {
    const folder = temporaryFolder();
    const { judged: tell, ended } = await opened(folder);
    expect(await readProgress(folder)).toMatchObject({ done: 0, of: 2, failure: '', pid: process.pid });
    await tell();
    expect(await readProgress(folder)).toMatchObject({ done: 1, of: 2 });
    await ended([works, twice]);
    expect(readdirSync(folder)).toEqual(['verification.json']);
    const report = await readReport(folder);
    expect(report).toMatchObject({ command: 'node pay.mjs', folder: process.cwd() });
    expect(report?.scenarios[1]?.calls).toMatchObject([
      { status: 0, fault: 'answerLost', key: 'key-…ne' },
      { status: 201, key: 'key-…wo' },
    ]);
    expect(report?.scenarios[1]?.verdicts['write-same-key']).toMatchObject({ verdict: 'failed' });
  });

  it('keeps the other scenarios if only some run again, of the same program only', async () => {
    const folder = temporaryFolder();
    await (await opened(folder)).ended([works, twice]);
    await (await opened(folder, { part: true })).ended([once]);
    const merged = await readReport(folder);
    expect(merged?.scenarios.map(({ id, calls }) => [id, calls.length])).toEqual([
      ['works', 1],
      ['lost-response', 1],
    ]);
    expect(merged).toMatchObject({ latest: 1, all: 2 });
    await (await opened(folder, { program: ['node', 'other.mjs'], part: true })).ended([twice]);
    expect(await readReport(folder)).toMatchObject({ scenarios: [{ id: 'lost-response' }], latest: 1, all: 2 });
  });

  it('holds which checks may fail and why, without secrets (behaviour 10.21.13)', async () => {
    const folder = temporaryFolder();
    const allowed = {
      'write-same-key': 'Mended in May',
      'write-paid': 'see https://user:hunter2hunter2@bank.example/',
    };
    await (await opened(folder, { allowed })).ended([works, twice]);
    const report = await readReport(folder);
    expect(report?.allowed['write-same-key']).toBe('Mended in May');
    expect(JSON.stringify(report)).not.toContain('hunter2hunter2');
  });

  it.each([
    [
      ['--only', 'works', '--timeout', '20'],
      ['--timeout', '20'],
    ],
    [['--report=out.xml', '--keep', 'kept', '--seed', '7', '--service'], ['--service']],
    [
      ['--config', 'ci.json', '--data=elsewhere'],
      ['--config', 'ci.json'],
    ],
  ])('repeats the options that belong to the program: %j', async (own, options) => {
    const folder = temporaryFolder();
    await (await opened(folder, { own })).ended([works]);
    expect((await readReport(folder))?.again).toEqual({ options, program: ['node', 'pay.mjs'] });
  });

  it.each([
    ['hunter2hunter2', ['node', 'pay.mjs', '--password=hunter2hunter2']],
    ['hunter2hunter2', ['curl', 'https://user:hunter2hunter2@bank.example/']],
    ['eyJhbGciOiJIUzI1NiJ9', ['run', '--jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl']],
  ])('contains no secret, and no command to run again that has one: %s', async (secret, program) => {
    const folder = temporaryFolder();
    const stored = await opened(folder, { program });
    await stored.failed(`It said {"password":"${secret}"}`);
    await stored.ended([{ ...works, evidence: { ...works.evidence, secrets: ['Nothing fails'] } }]);
    const text = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('Nothing fails');
    expect((await readReport(folder))?.again).toBeUndefined();
  });

  it('says why there is no verdict, and leaves the last one', async () => {
    const folder = temporaryFolder();
    await (await opened(folder)).ended([works]);
    await (await opened(folder)).failed('node was not found.');
    expect(await readProgress(folder)).toMatchObject({ failure: 'node was not found.' });
    expect((await readReport(folder))?.scenarios).toHaveLength(1);
  });

  it('is not stored without a data folder, and says once if it cannot be', async () => {
    const missing = join(temporaryFolder(), 'none');
    await (await opened(missing)).ended([works]);
    expect(existsSync(missing)).toBe(false);
    const blocked = temporaryFolder();
    mkdirSync(progressFile(blocked));
    writeFileSync(join(progressFile(blocked), 'x'), '');
    const stored = await opened(blocked);
    await stored.judged();
    await stored.ended([works]);
    expect(stored.complaints).toHaveLength(1);
  });
});
