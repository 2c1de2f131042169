import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collectionPaths } from '#contract/exports.ts';
import { brunoOf } from '#rules/collection/bruno.ts';
import { httpFileOf } from '#rules/collection/httpFile.ts';
import { postmanOf } from '#rules/collection/postman.ts';
import { runHttpFile } from '#tests/support/httpFileRunner.ts';
import { testSandbox } from '#tests/support/console.ts';
import { walkerOn } from '#tests/support/journeyRunner.ts';
import { recordedCollection } from '#tests/support/recordedPath.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const run = promisify(execFile);

let folder: string;
/** The path of a program that is installed for these tests. */
const program = (name: string) => join(folder, 'node_modules/.bin', name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'collections-'));
  writeFileSync(join(folder, 'package.json'), '{}');
  const tools = ['newman@6.2.2', '@usebruno/cli@4.1.0'];
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tools], { cwd: folder });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000);

type Recorded = Awaited<ReturnType<typeof recordedCollection>>;

/** Expects that the calls have led to a paid batch, with a key of its own for each write, each done once. */
async function expectPaid({ sandbox, collection }: Recorded): Promise<void> {
  const calls = sandbox.calls();
  expect(
    calls.map(({ method, path, status }) => [method, path, status]).filter(([, , status]) => Number(status) >= 400),
  ).toEqual([]);
  expect(calls).toHaveLength(collection.requests.length);
  const keys = calls.map(({ headers }) => headers['x-idempotency-key']).filter(Boolean);
  expect(new Set(keys).size).toBe(keys.length);
  await sandbox.settled();
  await expect.poll(async () => (await sandbox.batches()).map(({ status }) => status)).toEqual(['Completed']);
}

/** Time (ms) between two requests, in which the sandbox does what they have asked for. */
const pause = 300;

it(
  'an exported Postman collection brings a new company to a paid batch with Newman (behaviour 10.25.1)',
  { timeout: 240_000 },
  async () => {
    const recorded = await recordedCollection();
    const file = join(temporaryFolder(), 'collection.json');
    writeFileSync(file, JSON.stringify(postmanOf(recorded.collection, 'Way')));
    const given = Object.entries({ ...recorded.secrets, baseUrl: recorded.sandbox.url }).flatMap(([name, value]) => [
      '--env-var',
      `${name}=${value}`,
    ]);
    await run(program('newman'), ['run', file, '--delay-request', String(pause), ...given]);
    await expectPaid(recorded);
  },
);

it(
  'an exported Bruno folder brings a new company to a paid batch with its command line (behaviour 10.25.1)',
  { timeout: 240_000 },
  async () => {
    const recorded = await recordedCollection();
    const place = temporaryFolder();
    for (const [name, text] of Object.entries(brunoOf(recorded.collection, 'Way'))) {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), text);
    }
    const given = Object.entries({ ...recorded.secrets, baseUrl: recorded.sandbox.url }).flatMap(([name, value]) => [
      '--env-var',
      `${name}=${value}`,
    ]);
    await run(
      program('bru'),
      ['run', '--env', 'sandbox', '--sandbox', 'developer', '--delay', String(pause), ...given],
      {
        cwd: place,
      },
    );
    await expectPaid(recorded);
  },
);

/** The ways of a company that a console offers for download. */
const ways = { 'its way from nothing': '?of=company', 'a selection of the timeline': '?kind=service' };

it.each(Object.entries(ways))(
  'the calls of a company, by %s, bring a new company to a paid batch with Newman, Bruno and as a .http file, and hold no secret (behaviour 10.25.3, 10.25.4)',
  { timeout: 300_000 },
  async (_, query) => {
    const { walker, server } = await walkerOn();
    await walker.all([{ journey: 'settings', values: { useNetwork: 'false' }, choices: {} }]);
    expect((await walker.guided()).filter(({ end }) => end !== 'done')).toEqual([]);
    const { apiKey, signingKey } = sandboxCredentials;
    const download = async (path: string) =>
      new Uint8Array(await (await fetch(server.url + path + query)).arrayBuffer());
    const place = temporaryFolder();
    const texts = {
      'way.json': await download(collectionPaths.postman),
      ...unzipSync(await download(collectionPaths.bruno)),
    };
    for (const [name, bytes] of Object.entries(texts)) {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), bytes);
      for (const secret of [apiKey, signingKey]) expect(strFromU8(bytes)).not.toContain(secret);
    }
    const commands = [
      ['newman', ['run', join(place, 'way.json'), '--delay-request', String(pause)], place],
      [
        'bru',
        ['run', '--env', 'sandbox', '--sandbox', 'developer', '--delay', String(pause)],
        join(place, 'payments-out'),
      ],
    ] as const;
    for (const [name, args, cwd] of commands) {
      const sandbox = await testSandbox();
      await sandbox.faults.add({ on: 'authorisation', fault: { kind: 'approve', ms: 0 }, times: 'always' });
      const given = Object.entries({ apiKey, signingKey, baseUrl: sandbox.url });
      await run(program(name), [...args, ...given.flatMap(([key, value]) => ['--env-var', `${key}=${value}`])], {
        cwd,
      });
      await sandbox.settled();
      await expect.poll(async () => (await sandbox.batches()).map(({ status }) => status)).toEqual(['Completed']);
    }
    const text = strFromU8(await download(collectionPaths.httpFile));
    for (const secret of [apiKey, signingKey]) expect(text).not.toContain(secret);
    const sandbox = await testSandbox();
    await sandbox.faults.add({ on: 'authorisation', fault: { kind: 'approve', ms: 0 }, times: 'always' });
    await runHttpFile(text, { apiKey, signingKey, baseUrl: sandbox.url }, pause);
    await sandbox.settled();
    await expect.poll(async () => (await sandbox.batches()).map(({ status }) => status)).toEqual(['Completed']);
  },
);

it('an exported .http file brings a new company to a paid batch (behaviour 10.25.1)', { timeout: 60_000 }, async () => {
  const recorded = await recordedCollection();
  const text = httpFileOf(recorded.collection, 'Way');
  await runHttpFile(text, { ...recorded.secrets, baseUrl: recorded.sandbox.url }, pause);
  await expectPaid(recorded);
});
