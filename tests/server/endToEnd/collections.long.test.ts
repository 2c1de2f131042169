import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { beforeAll, expect, it } from 'vitest';
import { collectionPaths } from '#contract/exports.ts';
import { plain } from '#runner/file.ts';
import { runHttpFile } from '#tests/support/httpFileRunner.ts';
import { testSandbox } from '#tests/support/console.ts';
import { walkerOn } from '#tests/support/journeyRunner.ts';
import { sandboxCredentials } from '#tests/support/sandboxCredentials.ts';
import { temporaryFolder } from '#tests/support/store.ts';

const execute = promisify(execFile);

/** Runs a program; what it printed is in the error. */
const run = (...[file, args, options]: [file: string, args: string[], options?: { cwd: string }]) =>
  execute(file, args, options).catch((error: { stdout?: string }) => {
    throw new Error(`${file} failed: ${error.stdout?.slice(-4000)}`);
  });

/** Where the tools stay installed: to remove their thousands of files takes as long as the tests. */
const folder = join(import.meta.dirname, '../../../node_modules/.cache/collection-tools');
/** The path of a program that is installed for these tests. */
const program = (name: string) => join(folder, 'node_modules/.bin', name);

beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{}');
  const tools = ['newman@6.2.2', '@usebruno/cli@4.1.0', 'httpyac@6.16.7'];
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...tools], { cwd: folder });
}, 300_000);

/** Time (ms) between two requests, in which the sandbox does what they have asked for. */
const pause = 300;

type Values = Record<string, string>;
/** The files of an export by name, and its user's values for variables. */
type Runner = (files: Record<string, string>, values: Values) => Promise<unknown>;

/** Writes files into a folder and returns it. */
function written(files: Record<string, string>): string {
  const place = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(place, name)), { recursive: true });
    writeFileSync(join(place, name), text);
  }
  return place;
}

const options = (values: Values) =>
  Object.entries(values).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);

const runners: Record<string, [download: keyof typeof collectionPaths, run: Runner]> = {
  'newman 6.2.2': [
    'postman',
    (files, values) =>
      run(
        program('newman'),
        ['run', join(written(files), 'postman'), '--delay-request', String(pause)].concat(options(values)),
      ),
  ],
  'Bruno CLI 4.1.0': [
    'bruno',
    (files, values) =>
      run(
        program('bru'),
        ['run', '--env', 'sandbox', '--sandbox', 'developer', '--delay', String(pause), ...options(values)],
        { cwd: join(written(files), 'payments-out') },
      ),
  ],
  // A user writes the address into the file, and the secrets into the environment.
  'httpyac 6.16.7': [
    'httpFile',
    ({ httpFile = '' }, { baseUrl = '', ...secrets }) => {
      const text = httpFile
        .replace(/^@baseUrl = .*$/m, `@baseUrl = ${baseUrl}`)
        .replaceAll('### ', '###\n# @sleep 300\n# ');
      const place = written({
        'way.http': text,
        'http-client.private.env.json': JSON.stringify({ sandbox: secrets }),
      });
      return run(program('httpyac'), ['send', 'way.http', '--all', '--env', 'sandbox', '--bail'], { cwd: place });
    },
  ],
  'our runner of .http files': ['httpFile', ({ httpFile = '' }, values) => runHttpFile(httpFile, values, pause)],
};

/** A console on which a company has paid a batch and a bank file, and its exports. */
async function recorded(query: string, useNetwork: 'true' | 'false') {
  const { walker, server } = await walkerOn();
  await walker.all([{ journey: 'settings', values: { useNetwork }, choices: {} }]);
  const walked = [
    ...(await walker.guided()),
    ...(await walker.all([plain('filePayment'), plain('batch'), plain('consumerHealth')])),
  ];
  expect(walked.filter(({ end }) => end !== 'done')).toEqual([]);
  const download = async (name: keyof typeof collectionPaths): Promise<Record<string, string>> => {
    const bytes = new Uint8Array(await (await fetch(server.url + collectionPaths[name] + query)).arrayBuffer());
    if (name !== 'bruno') return { [name]: strFromU8(bytes) };
    return Object.fromEntries(Object.entries(unzipSync(bytes)).map(([path, text]) => [path, strFromU8(text)]));
  };
  return { server, download };
}

const { apiKey, signingKey } = sandboxCredentials;

it.each([
  ['its way from nothing to its last batch', '?of=company', ['PaymentFileAvailable']],
  ['a selection of the timeline', '?kind=service', ['Completed', 'PaymentFileAvailable']],
])(
  'the calls of a company, by %s, bring a new company to its batches and their file with each tool, and hold no secret (behaviour 10.25.1, 10.25.3, 10.25.4)',
  { timeout: 600_000 },
  async (_, query, statuses) => {
    const { download } = await recorded(query, 'false');
    for (const [name, [format, runWith]] of Object.entries(runners)) {
      const files = await download(format);
      for (const secret of [apiKey, signingKey]) expect(Object.values(files).join('\n')).not.toContain(secret);
      const sandbox = await testSandbox();
      await sandbox.faults.add({ on: 'authorisation', fault: { kind: 'approve', ms: 0 }, times: 'always' });
      await runWith(files, { apiKey, signingKey, baseUrl: sandbox.url });
      const calls = sandbox.calls();
      expect(
        calls.filter(({ status }) => status >= 400).map(({ method, path, status }) => [method, path, status]),
        name,
      ).toEqual([]);
      expect(
        calls.filter(({ path }) => path.startsWith('/files/')).map(({ status }) => status),
        name,
      ).toEqual([200]);
      const keys = calls.map(({ headers }) => headers['x-idempotency-key']).filter(Boolean);
      expect(new Set(keys).size, name).toBe(keys.length);
      await sandbox.settled();
      await expect
        .poll(async () => (await sandbox.batches()).map(({ status }) => status).toSorted(), { message: name })
        .toEqual(statuses);
    }
  },
);

it(
  'the calls with a user token create account and data set with each tool, with the token that the user gives (behaviour 10.25.3)',
  { timeout: 600_000 },
  async () => {
    const { server, download } = await recorded('?kind=service&name=createAccount,createDataset', 'true');
    const { userJwt = '' } = await server.store.settings.read();
    const [{ url = '' } = {}] = (await server.done('getTimeline', { query: { name: 'createAccount' } })).data.slice(-1);
    for (const [name, [format, runWith]] of Object.entries(runners)) {
      const files = await download(format);
      expect(Object.values(files).join('\n'), name).not.toContain(userJwt);
      await runWith(files, { apiKey, userToken: userJwt, baseUrl: new URL(url).origin });
    }
  },
);
