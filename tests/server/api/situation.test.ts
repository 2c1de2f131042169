import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SituationFile } from '#contract/situation.ts';
import { readSession } from '#rules/harSession.ts';
import { runSituation } from '#server/situations/runSituation.ts';
import { withNewKeys, withoutKeys } from '#server/situations/keys.ts';
import { consoleWithSandbox, testConsole, testSandbox } from '#tests/support/console.ts';
import { companyBody } from '#tests/support/bodies.ts';
import { walkerOn } from '#tests/support/journeyRunner.ts';

/** A console that has paid a batch, whose sandbox has a fault and another time. */
async function paid() {
  const { walker, server } = await walkerOn();
  await walker.all([{ journey: 'settings', values: { useNetwork: 'false' }, choices: {} }]);
  await walker.guided();
  await server.done('setFault', {
    body: { on: 'call', of: 'banks', fault: { kind: 'status', status: 503 }, times: 'always', probability: 1, seed: 1 },
  });
  await server.done('changeClock', { body: { move: 3_600_000, still: true } });
  return { server, walker };
}

describe('A situation file', () => {
  it(
    'reopens sandbox, company, batch, fault and time on another console, with new keys (behaviour 10.27.1, 10.27.2)',
    { timeout: 60_000 },
    async () => {
      const { server } = await paid();
      const { data: lab } = await server.done('getLab');
      const file = await server.done('saveSituation', { query: { step: '/getbatch' } });
      const before = await server.done('getSettings', { query: {} });
      expect(file.company.signingKey).toMatch(/^\{\{key \d+\}\}$/);
      expect(file.keys.length).toBeGreaterThan(0);

      const other = await consoleWithSandbox();
      const opened = (await other.done('openSituation', { body: file })).data;
      expect(opened).toEqual({ step: '/getbatch', notes: [] });
      const after = await other.done('getSettings', { query: {} });
      for (const key of ['organisationId', 'companyId', 'subscriptionId', 'batchId'] as const)
        expect([key, after[key]]).toEqual([key, before[key]]);
      expect(after.subscriptions.length).toBe(before.subscriptions.length);
      expect(after.subscriptions).not.toContain(new URL(file.address).host);
      const batch = (await other.done('getBatch', { params: { batchId: before.batchId } })).data;
      expect(batch.batchId).toBe(before.batchId);
      const { data: now } = await other.done('getLab');
      expect(now.rules.map(({ on, of, fault }) => ({ on, of, fault }))).toEqual(
        lab.rules.map(({ on, of, fault }) => ({ on, of, fault })),
      );
      expect([now.clock.now, now.clock.still]).toEqual([file.sandbox.clock.now, true]);
      const again = await other.done('saveSituation', { query: {} });
      expect(again.company).toMatchObject({ organisationId: before.organisationId, companyId: before.companyId });
      const { entries } = readSession(JSON.stringify(file));
      expect(entries.length).toBeGreaterThan(10);
    },
  );

  it.each([
    [
      'another version of the file',
      (file: SituationFile) => ({ ...file, version: 2 }),
      'this console opens no other version',
    ],
    [
      'another version of the console',
      (file: SituationFile) => ({ ...file, console: '9.9.9' }),
      'version 9.9.9 of the console',
    ],
    ['another kind', (file: SituationFile) => ({ ...file, kind: 'recipe' }), 'give a file that this console has saved'],
    ['a page elsewhere', (file: SituationFile) => ({ ...file, step: '//evil.example' }), 'a path of the page'],
    ['no sandbox', ({ sandbox: _, ...file }: SituationFile) => file, 'sandbox'],
    [
      'tables that are none',
      (file: SituationFile) => ({ ...file, sandbox: { ...file.sandbox, tables: { resources: [{ a: 1 }] } } }),
      'was not changed',
    ],
  ])('of %s is refused with the reason, and nothing changes (behaviour 10.27.3)', async (_, change, reason) => {
    const server = await consoleWithSandbox();
    const body = {
      externalId: 'o',
      sageCRMId: 'crm-1',
      primaryCountry: 'GBR',
      adminEmail: 'a@example.com',
      defaultLanguage: 'EN',
    };
    const { organisationId } = await server.done('createOrganisation', { body });
    const file = await server.done('saveSituation', { query: {} });
    const reply = await server.call('openSituation', { body: change(file) as SituationFile });
    expect(reply).toMatchObject({ ok: false, status: 400 });
    expect(JSON.stringify(reply)).toContain(reason);
    expect((await server.done('getSettings', { query: {} })).organisationId).toBe(organisationId);
    expect((await server.call('createCompany', { body: companyBody('Acme') })).status).toBe(200);
  });

  const stored = ({ sandbox: { tables, ...sandbox }, ...file }: SituationFile, change: (text: string) => string) => ({
    ...file,
    sandbox: { ...sandbox, tables: JSON.parse(change(JSON.stringify(tables))) as typeof tables },
  });

  it.each([
    [
      'whose company is another one',
      (file: SituationFile) => ({ ...file, company: { ...file.company, companyId: 'x' } }),
    ],
    ['whose tables are gone', (file: SituationFile) => stored(file, () => '{}')],
    ['whose records are cut', (file: SituationFile) => stored(file, (text) => text.replaceAll('"{\\"', '"{'))],
    [
      'of the first year',
      (file: SituationFile) => ({
        ...file,
        sandbox: { ...file.sandbox, clock: { ...file.sandbox.clock, now: '0001-01-01T00:00:00Z' } },
      }),
    ],
  ])('%s leaves sandbox and company as they were (behaviour 10.27.3)', { timeout: 60_000 }, async (_, change) => {
    const { server } = await paid();
    const file = await server.done('saveSituation', { query: {} });
    const reply = await server.call('openSituation', { body: change(file) });
    expect(reply.ok).toBe(false);
    const again = await server.done('saveSituation', { query: {} });
    expect([again.company, again.sandbox.clock]).toEqual([file.company, file.sandbox.clock]);
    expect(again.sandbox.tables['resources']?.length).toBe(file.sandbox.tables['resources']?.length);
    const { batchId } = await server.done('getSettings', { query: {} });
    expect((await server.done('getBatch', { params: { batchId } })).data.batchId).toBe(batchId);
  });

  it('is neither saved nor opened where the service is live (behaviour 10.27.3)', async () => {
    const sandbox = await consoleWithSandbox();
    const file = await sandbox.done('saveSituation', { query: {} });
    const live = await testConsole({ upstreamUrl: (await testSandbox()).url, changes: { environment: 'live' } });
    for (const reply of [
      await live.call('saveSituation', { query: {} }),
      await live.call('openSituation', { body: file }),
    ])
      expect(JSON.stringify(reply)).toContain('this console uses a live service');
  });

  it('is saved and opened by the command, which says what is wrong (behaviour 10.27.1, 10.27.3)', async () => {
    const server = await consoleWithSandbox();
    const path = join(mkdtempSync(join(tmpdir(), 'situation-')), 'a.json');
    const run = async (...args: string[]) => {
      const told: string[] = [];
      const tell = (line: string) => void told.push(line);
      return { status: await runSituation(args, { print: tell, complain: tell }), told: told.join('\n') };
    };
    expect(await run('save', path, '--console', server.url, '--step', '/banks')).toMatchObject({ status: 0 });
    expect(await run('open', path, '--console', server.url)).toMatchObject({
      status: 0,
      told: expect.stringContaining('/banks') as unknown,
    });
    writeFileSync(path, readFileSync(path, 'utf8').replace('"version": 1', '"version": 3'));
    const wrong = await run('open', path, '--console', server.url);
    expect([wrong.status, wrong.told]).toEqual([2, expect.stringContaining('this console opens no other version')]);
    for (const [args, words] of [
      [['open', path], '--console is ""'],
      [['keep', path, '--console', server.url], 'Give save or open'],
      [['open', '/nowhere/a.json', '--console', server.url], 'cannot be read'],
      [['save', '/nowhere/a.json', '--console', server.url], 'cannot be written'],
      [['save', path, '--console', 'http://127.0.0.1:9'], 'unreachable'],
      [['save', path, '--colour', 'red'], 'colour'],
    ] as const)
      expect(await run(...args)).toMatchObject({ status: 2, told: expect.stringContaining(words) as unknown });
    expect((await run('--help')).status).toBe(0);
  });
});

it('keys are found in texts of JSON too, and replaced by other keys of their length, each by one (behaviour 10.27.2)', () => {
  const key = 'k'.repeat(20);
  const value = {
    a: { signingKey: key },
    rows: [{ value: JSON.stringify({ primarySigningKey: key, jwt: 'j'.repeat(30), name: 'n'.repeat(30) }) }],
  };
  const { value: without, keys } = withoutKeys(value);
  expect(keys).toEqual([30, 20]);
  expect(JSON.stringify(without)).not.toMatch(/k{20}|j{30}/);
  expect(JSON.stringify(without)).toContain('n'.repeat(30));
  const anew = withNewKeys(without, keys);
  expect(anew.a.signingKey).toHaveLength(20);
  expect(JSON.parse(anew.rows[0]!.value)).toMatchObject({ primarySigningKey: anew.a.signingKey });
  expect(withNewKeys(without, keys).a.signingKey).not.toBe(anew.a.signingKey);
});
