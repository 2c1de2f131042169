import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { env } from 'node:process';
import { expect, it } from 'vitest';
import { faultKinds, type FaultKind } from '#contract/faults.ts';
import type { TestRunner } from '#contract/exports.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { paymentForm } from '#rules/field.ts';
import { testedCall } from '#rules/replay.ts';
import { practice, type Practice } from '#tests/support/faultScenarios.ts';
import { batchBody } from '#tests/support/guidedPath.ts';
import { temporaryFolder } from '#tests/support/store.ts';

/** The latest recorded write of this operation. */
async function latest({ server }: Practice, operation: string) {
  const { data } = await server.done('getTimeline', { query: { kind: 'service', limit: '100' } });
  const entry = data.find((each) => testedCall(each) === operation);
  if (!entry) throw new Error(`No ${operation} was recorded`);
  return entry;
}

/** A folder in which nothing is installed but the package, with the tests that were made. */
function project(files: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/payments-out-console'));
  // A runner is not of the package.
  symlinkSync(resolve('node_modules/vitest'), join(folder, 'node_modules/vitest'));
  mkdirSync(join(folder, 'vitest'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|NODE_ENV)/.test(name)));

/** Runs node in a folder; returns its exit code, with its output where that is not 0. */
function ran(cwd: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, env: clean, encoding: 'utf8' });
  return status === 0 ? status : stdout + stderr;
}

const made = async ({ server }: Practice, { id }: TimelineEntry, runner: TestRunner) =>
  (await server.done('getTest', { params: { entryId: id }, query: { runner } })).data.text;

/** The faults of a call, with options that a test waits for shortly. */
const callFaults = Object.entries<FaultKind>(faultKinds.call).map(([kind, { options = {} }]) => ({
  kind,
  ...('ms' in options && { ms: 300 }),
  ...('path' in options && { path: 'data.status' }),
}));

const kinds = [
  'createOrganisation',
  'createCompany',
  'createAccount',
  'createDataset',
  'createSubscription',
  'debtoraccountputs',
  'creditorputs',
  'createBatch',
];

it(
  'tests made of each recorded write, of a refused one, and of a payment under each fault of a call pass where only the package is installed (behaviour 10.25.10)',
  { timeout: 600_000 },
  async () => {
    const practised = await practice();
    const { server, lab, subscriptionId, creditorId, rules } = practised;
    const files: Record<string, string> = {};
    const keep = async (name: string, entry: TimelineEntry, runner: TestRunner = 'node') => {
      files[name] = await made(practised, entry, runner);
    };
    for (const kind of kinds) await keep(`${kind}.test.mjs`, await latest(practised, kind));
    await keep('vitest/createBatch.test.mjs', await latest(practised, 'createBatch'), 'vitest');
    await server.done('patchSubscription', {
      params: { subscriptionId },
      body: { data: { suspendedByConsumer: true } },
    });
    await keep('patchSubscription.test.mjs', await latest(practised, 'patchSubscription'));
    await server.done('patchSubscription', {
      params: { subscriptionId },
      body: { data: { suspendedByConsumer: false } },
    });
    for (const fault of callFaults) {
      const { ruleId } = await lab.set({ on: 'call', of: 'createBatch', fault });
      const body = await batchBody(server, subscriptionId, paymentForm(rules));
      await server.call('createBatch', { body, key: randomUUID(), query: { again: 'true' } });
      // The first attempt: the console may have repeated it under its key.
      const { data } = await server.done('getTimeline', { query: { kind: 'service', text: body.externalId } });
      const [entry] = data.filter((each) => testedCall(each) === 'createBatch').toReversed();
      if (!entry) throw new Error(`No payment was recorded under ${fault.kind}`);
      // Without its rule, the test has what its response shows.
      if (fault.kind === 'html') await lab.remove(ruleId);
      await keep(`${fault.kind}.test.mjs`, entry);
      await lab.stop();
    }
    const body = await batchBody(server, subscriptionId, paymentForm(rules));
    const [first, ...others] = body.payments;
    const nameless = { ...first, creditor: { ...first?.creditor, name: '' } } as (typeof body.payments)[number];
    await server.call('createBatch', {
      body: { ...body, payments: [nameless, ...others] },
      key: randomUUID(),
      query: { again: 'true' },
    });
    await keep('refused.test.mjs', await latest(practised, 'createBatch'));
    expect(files['refused.test.mjs']).toMatch(/status 4\d\d/);
    await server.done('deleteCreditor', { body: { data: { subscriptionId, creditorId } } });
    await keep('creditordeletes.test.mjs', await latest(practised, 'creditordeletes'));
    const folder = project(files);
    expect(ran(folder, '--test', ...Object.keys(files).filter((name) => !name.includes('/')))).toBe(0);
    expect(ran(folder, resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', join(folder, 'vitest'))).toBe(0);
  },
);
