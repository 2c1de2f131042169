import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, describe } from 'vitest';
import { journeyOrder } from '#machines/journeys.ts';
import { plain } from '#runner/file.ts';
import { path, walkerOn } from '#tests/support/journeyRunner.ts';
import { restore } from '#app/effects/practice.ts';
import { labOf } from '#command/lab.ts';
import { bringAbout, rehearse } from '#runner/rehearse.ts';
import { practised } from '#runner/practice.ts';
import { scenarios } from '#runner/scenarios.ts';
import type { Seen } from '#runner/scenarioChecks.ts';
import { withValues, type SituationId } from '#runner/situations.ts';
import { rehearsalName } from '#rules/rehearsal.ts';
import type { Facts } from '#contract/facts.ts';

/** Runs the command as its user does, from a folder that is not the console's; also builds what is missing. */
const run = (...args: string[]) =>
  new Promise<{ code: number; printed: string; complained: string }>((done) => {
    const child = execFile(
      process.execPath,
      [resolve('scripts/journey.mjs'), ...args],
      { cwd: tmpdir() },
      (_, printed, complained) => done({ code: child.exitCode ?? -1, printed, complained }),
    );
  });

it(
  'npm run journey without options runs the guided path on its own sandbox and exits with 0 (behaviour 10.19.1)',
  { timeout: 120_000 },
  async () => {
    const { code, printed } = await run();
    expect(code).toBe(0);
    expect(printed).toMatch(/done {4}Get Batch \(batch\)/);
    const [, cpu] = /CPU time (\d+\.\d+) s/.exec(printed) ?? [];
    expect(Number(cpu)).toBeLessThan(2);
  },
);

it(
  'npm run journey exits with 2 for a wrong option and with 1 for a failed journey (behaviour 10.19.2)',
  { timeout: 120_000 },
  async () => {
    expect(await run('--journey', 'nothing')).toMatchObject({ code: 2 });
    const failed = await run('--journey', 'batchList');
    expect(failed).toMatchObject({ code: 1 });
    expect(failed.printed).toContain('There are no payments to list, try posting a payment');
  },
);

it(
  'npm run journey leaves neither process nor folder behind when it is interrupted',
  { timeout: 120_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'interrupted-'));
    const child = spawn(process.execPath, [resolve('scripts/journey.mjs'), '--scenario', 'upstreamDown'], {
      env: { ...process.env, TMPDIR: folder },
    });
    let complained = '';
    child.stderr.on('data', (text: Buffer) => (complained += text.toString()));
    await once(child.stdout, 'data');
    expect(readdirSync(folder)).toHaveLength(1);
    child.kill('SIGINT');
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(complained).toBe('The run has ended early: SIGINT was received\n');
    expect(readdirSync(folder)).toEqual([]); // it is removed once the process has ended
  },
);

it('npm run journey completes although its standard output is closed', { timeout: 120_000 }, async () => {
  const child = spawn(process.execPath, [resolve('scripts/journey.mjs'), '--journey', 'settings']);
  let complained = '';
  child.stderr.on('data', (text: Buffer) => (complained += text.toString()));
  child.stdout.destroy();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(complained).toBe('');
});

const ends = (walked: readonly { journey: string; end: string; because: string }[]) =>
  walked.map(({ journey, end, because }) => ({ journey, end, because }));
const done = (journeys: readonly string[]) => journeys.map((journey) => ({ journey, end: 'done', because: '' }));

it('the journey runner completes the guided path and every other journey with a user’s events (behaviour 10.19.1)', async () => {
  const { walker, server } = await walkerOn();
  expect(ends(await walker.guided())).toEqual(done(path));
  const { settings, batches } = await walker.facts();
  expect(batches).toBe(1);
  const { data: batch } = await server.done('getBatch', { params: { batchId: settings.batchId } });
  expect(batch.status).toBe('Completed');
  expect(await walker.guided()).toEqual([]);

  // The new subscription of a bank is the current one, without debtors and creditors.
  const byBank = 'bankSubscription';
  const others = [...journeyOrder.filter((id) => !path.includes(id) && id !== byBank), byBank] as const;
  expect(ends(await walker.all(others.map(plain)))).toEqual(done(others));
});

async function rehearsing() {
  const { walker } = await walkerOn();
  return { walker, lab: await labOf((await walker.facts()).service.consumer) };
}

describe('a scenario run by the journey command', () => {
  it.each([...new Set([...scenarios, ...practised])].map((scenario) => [scenario.name, scenario] as const))(
    'passes its check: %s (behaviour 10.19.6)',
    async (_, scenario) => {
      const { walker, lab } = await rehearsing();
      const { because } = await rehearse(scenario, walker, lab, restore);
      expect(because).toBe('');
      expect(await lab.rules()).toEqual([]);
    },
  );

  it('restores the previous company and settings (behaviour 10.20.13)', async () => {
    const { walker, lab } = await rehearsing();
    const own = withValues('company', { name: 'Own Ltd' });
    await walker.all([withValues('settings', { providerCountry: 'CA' }), plain('organisation'), own]);
    const found = await walker.factsNow();
    const { because } = await rehearse(scenarios[0]!, walker, lab, restore);
    const { settings, companies } = await walker.factsNow();
    expect([because, settings.companyId, settings.providerCountry]).toEqual(['', found.settings.companyId, 'CA']);
    expect(companies.map(({ companyName }) => companyName).sort()).toEqual(['Own Ltd', rehearsalName]);
  });

  it('fails its check if nothing happened or the payment was made twice (behaviour 10.19.6)', async () => {
    const { walker } = await rehearsing();
    const facts = await walker.facts();
    const seen: Seen = { walked: [], before: facts, facts, batches: [], webhooks: [], rules: [] };
    for (const { check } of [...scenarios, ...practised]) expect(check(seen)).not.toEqual([]);
    const batch = { batchId: 'b', companyId: 'c', status: 'Completed', next: null, payments: 1, at: '' };
    const [lost] = scenarios;
    expect(lost?.check({ ...seen, batches: [batch, batch] })).toContain(
      'The sandbox has 2 new batches, and should have 1',
    );
  });

  it('has a name, a sentence and a unique id', () => {
    const all = [...new Set([...scenarios, ...practised])];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { name, shows } of all) expect([name.length > 0, shows.endsWith('.')]).toEqual([true, true]);
  });
});

describe('the preparation of a starting situation by journeys', () => {
  const of: Record<SituationId, (facts: Facts) => unknown> = {
    organised: ({ settings }) => expect([settings.organisationId !== '', settings.companyId]).toEqual([true, '']),
    onboarded: ({ accessToken, subscription }) => expect([accessToken, subscription]).toEqual([true, null]),
    authorised: ({ subscription }) => expect(subscription?.status).toBe('Authorised'),
    payable: ({ debtors, creditors, batches }) => expect([debtors, creditors, batches]).toEqual([1, 1, 0]),
    tenCreditors: ({ creditors }) => expect(creditors).toBe(10),
    partlyFailed: ({ batchStatus }) => expect(batchStatus).toBe('PartiallyCompleted'),
    tokenAboutToExpire: ({ debtors }) => expect(debtors).toBe(1),
  };
  it.each(Object.entries(of) as [SituationId, (facts: Facts) => unknown][])('reaches %s', async (id, holds) => {
    const { walker, lab } = await rehearsing();
    expect(await bringAbout(id, walker, lab)).toMatchObject({ because: '' });
    holds(await walker.factsNow());
  });
});
