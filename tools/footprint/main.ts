/**
 * Counts the files and functions that a request passes in the console's server, by V8's precise coverage of the real server
 * in this process: `npm run footprint`, or `npm run footprint -- <folder>` for another checkout. Each request was made once
 * before, so that what is made at the first one does not count. Prints the lines of the folders as well.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, chdir, env, execPath, exit, stdout } from 'node:process';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { calls } from '../../src/contract/calls.ts';
import { credentialsOf } from '../../server/sandbox/credentials.ts';

const tree = resolve(argv[2] ?? '.');
const secret = 'the secret of the measured sandbox';

/** How long (ms) the server works at what follows an answer, such as the timeline. */
const aftermath = 2500;

/** Starts console and sandbox in this process, and returns the console's URL. */
async function startServer(): Promise<string> {
  chdir(tree);
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'footprint-'));
  Object.assign(env, {
    PORT: '0',
    SANDBOX_PORT: '0',
    LOG_LEVEL: 'silent',
    LOG_FORMAT: 'text',
    SANDBOX_SECRET: secret,
    DATA_DIR,
  });
  const write = stdout.write.bind(stdout);
  let printed = '';
  stdout.write = (text: string | Uint8Array) => {
    printed += String(text);
    return true;
  };
  await import(pathToFileURL(join(tree, 'server/main.ts')).href);
  stdout.write = write;
  const [, url] = /Console: (http:\S+)/.exec(printed) ?? [];
  if (url === undefined) throw new Error(`The server has not started: ${printed}`);
  return url;
}

/** Walks the guided path in another process, so that a batch can be paid. */
async function pay(url: string): Promise<void> {
  const program = `
    import { main } from './src/command/main.ts';
    const code = await main(['--console', '${url}'], { root: '.', env: process.env }, { print: () => undefined, complain: console.error });
    process.exit(code);`;
  const options = ['--import', 'tsx', '--input-type=module', '--eval', program];
  await promisify(execFile)(execPath, options, { cwd: tree });
}

const session = new Session();
session.connect();

type Profiler = Awaited<ReturnType<typeof coverage>>;
const coverage = async () => (await session.post('Profiler.takePreciseCoverage')).result;

/** Files of the server and of what it shares with the page, without the sandbox, which stands for the service. */
const isCounted = (path: string): boolean =>
  /^(?:server|src)\//.test(path) && !/^server\/(?:sandbox|embedded)\//.test(path);

interface Passed {
  files: string[];
  functions: number;
}

/** Returns the files that have run a function since the coverage was taken before, and the number of these functions. */
function passed(found: Profiler): Passed {
  const own = pathToFileURL(`${tree}/`).href;
  const run = found.flatMap(({ url, functions }) => {
    const path = url.startsWith(own) ? url.slice(own.length).replace(/\?.*/, '') : '';
    // The function without a name at the start of a file is the file itself, which runs when it is loaded.
    const called = functions.filter(
      ({ functionName, ranges: [range] }) => range!.count > 0 && (functionName !== '' || range!.startOffset > 0),
    );
    return isCounted(path) && called.length > 0 ? [{ path, called: called.length }] : [];
  });
  return {
    files: run.map(({ path }) => path).sort(),
    functions: run.reduce((sum, { called }) => sum + called, 0),
  };
}

/** Makes a request; returns what it has passed until its answer, and what until its aftermath has ended. */
async function measure(request: () => Promise<unknown>): Promise<[answer: Passed, whole: Passed]> {
  await wait(aftermath);
  await coverage();
  await request();
  const answer = passed(await coverage());
  await wait(aftermath);
  const rest = passed(await coverage());
  const files = [...new Set([...answer.files, ...rest.files])].sort();
  return [answer, { files, functions: answer.functions + rest.functions }];
}

/** The lines and files of TypeScript below a folder, in words. */
function sizeOf(folder: string): string {
  const files = readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const lines = files.map((file) => readFileSync(join(tree, folder, file), 'utf8').split('\n').length - 1);
  return `${lines.reduce((sum, each) => sum + each, 0).toLocaleString('en')} lines in ${files.length} files`;
}

const url = await startServer();
await pay(url);
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const read = (path: string) => async () => {
  const { status, text } = await send('GET', path);
  if (status !== 200) throw new Error(`GET ${path} was answered ${status}: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
};

/** The payment of the guided path, made again under another key. */
async function paymentAgain() {
  const { data } = (await read(`${calls.getTimeline.path}?limit=200`)()) as {
    data: { name: string; request: { body: string } }[];
  };
  const found = data.find(({ name }) => name === 'createBatch');
  if (!found) throw new Error('The timeline has no payment.');
  const body = { ...(JSON.parse(found.request.body) as object), externalId: randomUUID() };
  return (key: string) =>
    send(calls.createBatch.method, `${calls.createBatch.path}?again=true`, body, { 'idempotency-key': key });
}

/** Delivers a webhook about the batch that was paid last. */
async function webhook(batchId: string): Promise<void> {
  const { webhookSecret, webhookHeader } = credentialsOf(secret);
  const [id, at] = [randomUUID(), new Date()];
  const text = JSON.stringify({ type: 'batchUpdated', resource: { id: batchId, type: 'batch' } });
  const { status, text: answer } = await send('POST', '/notifications', text, {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(webhookSecret).sign(id, at, text),
    [webhookHeader.name]: webhookHeader.value,
  });
  if (status !== 204) throw new Error(`The webhook was answered ${status}: ${answer}`);
}

const rows: [string, [Passed, Passed]][] = [];
const row = async (name: string, request: () => Promise<unknown>) => {
  const found = await measure(request);
  rows.push([name, found]);
};

for (const [name, path] of [
  ['`/healthz`', '/healthz'],
  ['settings', calls.getSettings.path],
  ['facts', calls.getFacts.path],
] as const) {
  await read(path)();
  await row(name, read(path));
}
const { batchId } = (await read(calls.getSettings.path)()) as { batchId: string };
await webhook(batchId);
await row('a webhook about a batch', () => webhook(batchId));
const sendAgain = await paymentAgain();
const key = randomUUID();
const fault = { on: 'call', of: 'createBatch', fault: { kind: 'answerLost' }, times: 1 };
const set = await send(calls.setFault.method, calls.setFault.path, fault);
if (set.status !== 200) throw new Error(`The fault was answered ${set.status}: ${set.text}`);
await row('a batch whose response is lost', async () => {
  const { status, text } = await sendAgain(key);
  if (status < 500) throw new Error(`The batch was answered ${status}: ${text}`);
});
await row('its repeat', async () => {
  const { status, text } = await sendAgain(key);
  if (status !== 200) throw new Error(`The repeat was answered ${status}: ${text}`);
});

console.log('| request | files, functions until the answer | with what follows |\n| --- | ---: | ---: |');
for (const [name, [answer, whole]] of rows)
  console.log(`| ${name} | ${answer.files.length}, ${answer.functions} | ${whole.files.length}, ${whole.functions} |`);
for (const folder of ['server', 'server/sandbox', 'src/app', 'src/machines', 'src/steps', 'src/ui'])
  console.log(`${folder}: ${sizeOf(folder)}`);
if (env['FILES'] !== undefined)
  for (const [name, [answer]] of rows) console.log(`\n${name}\n${answer.files.join('\n')}`);
exit(0);
