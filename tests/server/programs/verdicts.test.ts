import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { progressFile, reportFile } from '#server/programs/storedVerification.ts';
import { connectionOf, storedVerdict } from '#server/programs/verdicts.ts';
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

describe('the verdict of the latest verification', () => {
  it('combines the scenarios: what failed in one has failed, with what was seen (behaviour 10.21.10)', async () => {
    const { report: shown } = await storedVerdict(folderWith({ report }));
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
    expect([shown?.scenarios, shown?.latest, shown?.all]).toEqual([2, 2, 2]);
  });

  it('says how much of a verification it is, and which checks may fail (behaviour 10.21.10, 10.21.13)', async () => {
    const part = { ...report, latest: 1, all: 18, allowed: { 'write-lost-response': 'Mended in May' } };
    const { report: shown } = await storedVerdict(folderWith({ report: part }));
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
    const shown = await storedVerdict(folderWith({ progress: stored }));
    if (running) expect(shown.running).toMatchObject(running);
    else expect(shown.running).toBeNull();
    expect(shown.stopped).toContain(stopped);
    expect(shown.report).toBeNull();
  });

  it.each(['{', '[]', '{"version":2}', ''])('is absent if the stored file is %j', async (text) => {
    const folder = temporaryFolder();
    writeFileSync(reportFile(folder), text);
    writeFileSync(progressFile(folder), text);
    expect(await storedVerdict(folder)).toEqual({ running: null, stopped: '', report: null });
  });
});

describe('the command of a verification', () => {
  it.each([
    ['its options, as words of a shell', ['--timeout', '20', '--forms', 'a b.json'], "--timeout 20 --forms 'a b.json'"],
    ['nothing of one without options', [], ''],
  ])('is repeated with %s (behaviour 10.21.11)', async (_, options, again) => {
    const stored = { ...report, again: { options, program: ['node', 'pay.mjs'] } };
    const { report: shown } = await storedVerdict(folderWith({ report: stored }));
    expect([shown?.command, shown?.again]).toEqual(['node pay.mjs', again]);
  });

  it('is not told if it has a secret (behaviour 10.21.11)', async () => {
    const { report: shown } = await storedVerdict(folderWith({ report: { ...report, again: undefined } }));
    expect(shown?.again).toBeNull();
  });

  it('is shown with its verdict by a console of one user, and starts nothing', async () => {
    const { done, url } = await testConsole({
      upstreamUrl: (await fakeUpstream({})).url,
      verified: folderWith({ report }),
    });
    expect((await done('getProgramVerdict')).data.report).toMatchObject({ again: '--timeout 20' });
    const response = await fetch(`${url}/api/programs/verdict`, {
      method: 'POST',
      body: JSON.stringify({ scenario: 'works' }),
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(405);
  });

  it('is not shown where verifications are not told of', async () => {
    const { done } = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
    expect((await done('getProgramVerdict')).data).toEqual({
      connection: null,
      running: null,
      stopped: '',
      report: null,
    });
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
