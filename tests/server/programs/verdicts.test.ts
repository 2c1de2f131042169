import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withoutVariables } from '#server/config/config.ts';
import { progressFile, reportFile } from '#server/programs/storedVerification.ts';
import { connectionOf, createVerdicts, type RunProgram } from '#server/programs/verdicts.ts';
import { testConsole } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { temporaryFolder } from '#tests/support/store.ts';
import { call, pay } from './checks/madeEvidence.ts';

const seen = { says: 'It paid twice', calls: [1, 2] };
const report = {
  version: 1,
  command: 'node pay.mjs',
  folder: '/app',
  endedAt: '2026-01-31T09:00:00.000Z',
  ms: 21_000,
  again: { options: ['--timeout', '20'], program: ['node', 'pay.mjs'] },
  scenarios: [
    { id: 'works', title: 'Nothing fails', calls: [], verdicts: { 'write-paid': { verdict: 'passed', seen: [] } } },
    {
      id: 'lost-response',
      title: 'The response to the batch is lost',
      calls: [],
      verdicts: { 'write-lost-response': { verdict: 'failed', seen: [seen] }, gone: { verdict: 'passed', seen: [] } },
    },
  ],
};
const progress = { version: 1, pid: process.pid, startedAt: '2026-01-31T09:00:00.000Z', done: 2, of: 18, failure: '' };

function folderWith(stored: { report?: object; progress?: object }): string {
  const folder = temporaryFolder();
  if (stored.report) writeFileSync(reportFile(folder), JSON.stringify(stored.report));
  if (stored.progress) writeFileSync(progressFile(folder), JSON.stringify(stored.progress));
  return folder;
}

/** Verdicts whose runs are noted, and end with `end`. */
function verdictsIn(folder: string, script = '/console/verify.mjs') {
  const runs: Parameters<RunProgram>[] = [];
  let end: (value: Awaited<ReturnType<RunProgram>>) => void = () => undefined;
  const run: RunProgram = (...given) => {
    runs.push(given);
    return new Promise((resolve) => (end = resolve));
  };
  const verdicts = createVerdicts({ folder, script, env: { PATH: '/bin' } }, run);
  return { ...verdicts, runs, end: async (status: number, said = '') => (end({ status, said }), Promise.resolve()) };
}

describe('the verdict of the latest verification', () => {
  it('combines the scenarios: what failed in one has failed, with what was seen (behaviour 10.21.10)', async () => {
    const { report: shown, blocked } = await verdictsIn(folderWith({ report })).read();
    const verdicts = Object.fromEntries(shown?.checks.map(({ id, verdict }) => [id, verdict]) ?? []);
    expect(verdicts).toMatchObject({
      'write-paid': 'passed',
      'write-lost-response': 'failed',
      'write-key': 'not exercised',
    });
    expect(shown?.checks.find(({ id }) => id === 'write-lost-response')?.seen).toEqual([
      { ...seen, scenario: 'lost-response' },
    ]);
    expect(shown?.failed.map(({ id }) => id)).toEqual(['lost-response']);
    expect([shown?.scenarios, shown?.latest, shown?.all, blocked]).toEqual([2, 2, 2, '']);
  });

  it('says how much of a verification it is, and which checks may fail (behaviour 10.21.10, 10.21.13)', async () => {
    const part = { ...report, latest: 1, all: 18, allowed: { 'write-lost-response': 'Mended in May' } };
    const { report: shown } = await verdictsIn(folderWith({ report: part })).read();
    expect(shown).toMatchObject({ scenarios: 2, latest: 1, all: 18 });
    expect(shown?.checks.flatMap(({ id, allowed }) => (allowed ? [[id, allowed]] : []))).toEqual([
      ['write-lost-response', 'Mended in May'],
    ]);
  });

  it.each([
    ['is followed while its process lives', progress, { done: 2, of: 18 }, ''],
    ['says why it ended', { ...progress, failure: 'No program.' }, null, 'No program.'],
    ['is over if its process is', { ...progress, pid: 2 ** 22 + 1 }, null, 'ended before its verdict'],
  ])('%s', async (_, stored, running, stopped) => {
    const shown = await verdictsIn(folderWith({ progress: stored })).read();
    if (running) expect(shown.running).toMatchObject(running);
    else expect(shown.running).toBeNull();
    expect(shown.stopped).toContain(stopped);
    expect(shown.report).toBeNull();
  });

  it.each(['{', '[]', '{"version":2}', ''])('is absent if the stored file is %j', async (text) => {
    const folder = temporaryFolder();
    writeFileSync(reportFile(folder), text);
    writeFileSync(progressFile(folder), text);
    expect(await verdictsIn(folder).read()).toEqual({ running: null, stopped: '', blocked: '', report: null });
  });
});

describe('running a scenario again', () => {
  it('starts the stored command in its folder, once at a time (behaviour 10.21.11)', async () => {
    const folder = folderWith({ report });
    const { again, read, runs, end } = verdictsIn(folder);
    await again('lost-response');
    expect(runs).toEqual([
      [
        [
          process.execPath,
          '/console/verify.mjs',
          '--timeout',
          '20',
          '--only',
          'lost-response',
          '--data',
          folder,
          '--',
          'node',
          'pay.mjs',
        ],
        { cwd: '/app', env: { PATH: '/bin' } },
      ],
    ]);
    expect((await read()).running).toMatchObject({ done: 0, of: 1 });
    await expect(again('works')).rejects.toThrow('running');
    await end(2, 'node was not found.');
    expect(await read()).toMatchObject({
      running: null,
      stopped: expect.stringContaining('node was not found.') as string,
    });
    await again('works');
    expect(runs).toHaveLength(2);
  });

  it.each([
    ['a scenario that was not run', { report }, 'killed', 'no such scenario'],
    ['options in place of a scenario', { report }, '--keep=/tmp/x', 'no such scenario'],
    ['no report', {}, 'works', 'no such scenario'],
    ['a command with a secret', { report: { ...report, again: undefined } }, 'works', 'secret'],
    ['a verification that runs elsewhere', { report, progress }, 'works', 'running'],
  ])('is refused for %s', async (_, stored, scenario, why) => {
    const { again, runs } = verdictsIn(folderWith(stored));
    await expect(again(scenario)).rejects.toThrow(why);
    expect(runs).toEqual([]);
  });

  it('is refused by a console that other machines reach (threat 1.11)', async () => {
    const { again, read, runs } = verdictsIn(folderWith({ report }), '');
    await expect(again('works')).rejects.toThrow('this machine alone');
    expect([(await read()).blocked, runs]).toEqual([expect.stringContaining('this machine alone'), []]);
  });

  it.each([
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
  ])('is refused to a page of %s (threat 1.11)', async (_, headers, status) => {
    const folder = folderWith({ report });
    const { url } = await testConsole({
      upstreamUrl: (await fakeUpstream({})).url,
      verify: { folder, script: '/none', env: {} },
    });
    const response = await fetch(`${url}/api/programs/verdict`, {
      method: 'POST',
      body: JSON.stringify({ scenario: 'works' }),
      headers: { 'content-type': 'application/json', ...headers },
    });
    expect(response.status).toBe(status);
  });

  it('is refused, and nothing is shown, where verifications are not told of (threat 1.11)', async () => {
    const { done, call: ask } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
    expect(await ask('runScenario', { body: { scenario: 'works' } })).toMatchObject({ status: 403 });
    expect((await done('getProgramVerdict')).data).toEqual({
      connection: null,
      running: null,
      stopped: '',
      blocked: '',
      report: null,
    });
  });

  it('gives the program none of the console’s own settings', () => {
    const given = { PATH: '/bin', UPSTREAM: 'live', STORE_KEY: 's', STORE_KEY_FILE: 'f', MINE: '1' };
    expect(withoutVariables(given)).toEqual({ PATH: '/bin', MINE: '1' });
  });
});

describe('how far a program has come', () => {
  it('is its first call, its first payment that was made, and the number of its calls', () => {
    const refused = pay(2, 100, 'k', { status: 400 });
    expect(connectionOf({ calls: [call(1, 0), refused, pay(3, 200, 'k')] })).toMatchObject({
      calls: 3,
      call: { status: 200 },
      payment: { status: 201 },
    });
    expect(connectionOf({ calls: [refused] }).payment?.status).toBe(400);
    expect(connectionOf({ calls: [] })).toEqual({ calls: 0, lastAt: '', call: null, payment: null });
  });
});
