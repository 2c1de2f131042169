import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished, describe } from 'vitest';
import Koa from 'koa';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import type { ConsoleOptions } from '#server/sandbox/options.ts';
import type { SandboxOptions } from '#server/sandbox/api.ts';
import type { AnsweredCall } from '#server/sandbox/records/recorder.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { createRecordBudget, weightOf } from '#server/sandbox/records/budget.ts';
import { notesOf } from '#server/sandbox/records/call.ts';
import { listening } from '#tests/support/listen.ts';
import { recorderOf } from '../recorderDouble.ts';

async function opened(options: SandboxOptions & ConsoleOptions = { port: 0 }) {
  const events: AnsweredCall[] = [];
  const sandbox = await createSandbox({ onCall: (call) => events.push(call), ...options });
  onTestFinished(() => sandbox.close());
  const common = {
    [header.application]: sandbox.credentials.applicationId,
    [header.apiKey]: sandbox.credentials.apiKey,
  };
  /** Makes a call over a connection of its own; resolves with its port and the answer, '' if there is none. */
  const call = (method: string, path: string, headers: Record<string, string> = {}, body: string | Buffer = '') =>
    new Promise<{ port: number; answer: string }>((resolve) => {
      let port = 0;
      const calling = request(sandbox.url + path, { method, agent: false, headers: { ...common, ...headers } });
      calling.on('socket', (socket) => socket.on('connect', () => (port = socket.localPort ?? 0)));
      calling.on('error', () => resolve({ port, answer: '' }));
      calling.on('response', (response) => {
        void text(response).then(
          (answer) => resolve({ port, answer }),
          () => resolve({ port, answer: '' }),
        );
      });
      calling.end(body);
    });
  return { sandbox, events, call };
}

const providers = `${endpoints.providers}?country=GB`;

it('A slow answer is recorded with the body that its program has received (behaviour 10.22.3)', async () => {
  const { sandbox, events, call } = await opened();
  await sandbox.faults.add({ on: 'call', fault: { kind: 'slow', ms: 20 } });
  const { answer } = await call('GET', providers);
  expect(answer).toContain('"data"');
  expect(sandbox.calls()).toMatchObject([{ status: 200, fault: 'slow', response: { body: answer } }]);
  expect(events.map(({ response }) => response.bytes.toString())).toEqual([answer]);
});

it.each([
  ['compressed', { 'content-encoding': 'gzip' }, gzipSync('{"a":"é"}'), '{"a":"é"}'],
  ['in another charset', { 'content-type': 'application/json; charset=latin1' }, Buffer.from('{"a":"é"}', 'latin1'), '{"a":"é"}'], // prettier-ignore
  ['not as its headers say', { 'content-encoding': 'gzip' }, Buffer.from('{"a":"b"}'), '{"a":"b"}'],
  ['no JSON', { 'content-type': 'application/json' }, Buffer.from('nothing'), 'nothing'],
  ['of a refused type', { 'content-type': 'image/png' }, Buffer.from('PNG'), 'PNG'],
])(
  'A call whose body is %s is reported with its bytes, and listed with their text (behaviour 10.22.3)',
  async (_, headers, body, shown) => {
    const { sandbox, events, call } = await opened();
    await call('POST', endpoints.batches, { 'content-type': 'application/json', ...headers }, body);
    expect(events.map((each) => each.request.bytes)).toEqual([body]);
    expect(sandbox.calls().map((each) => each.body)).toEqual([shown]);
  },
);

it.each([endpoints.batches, `${endpoints.providers}?country=GB&country=US`, '/v3/nothing'])(
  'A HEAD of %s that is refused is recorded without a body, and with what is wrong as for a GET (behaviour 10.22.3)',
  async (path) => {
    const { sandbox, call } = await opened();
    await call('HEAD', path);
    await call('GET', path);
    const [head, get] = sandbox.calls();
    expect(head?.status).toBe(get?.status);
    expect(head?.response.body).toBe('');
    expect(get?.mistakes).not.toEqual([]);
    expect(head?.mistakes).toEqual(get?.mistakes.map((each) => each.replace('GET', 'HEAD')));
  },
);

it.each(['reset', 'answerLost', 'truncated'] as const)(
  'A call with the fault %s is one event, as it is listed, and its caller learns the fault once (behaviour 10.20.4)',
  async (kind) => {
    const { sandbox, events, call } = await opened();
    const { ruleId } = await sandbox.faults.add({ on: 'call', fault: { kind }, times: 1 });
    const interactionId = randomUUID();
    await call('GET', providers, { [header.interaction]: interactionId });
    await sandbox.settled();
    const identity = { interactionId, method: 'GET', path: endpoints.providers };
    const [recorded] = sandbox.calls();
    expect(events).toMatchObject([{ status: recorded?.status, fault: `${kind}; rule=${ruleId}` }]);
    expect(events[0]?.response.bytes.toString()).toBe(recorded?.response.body);
    expect(events[0]?.status).toBe(kind === 'truncated' ? 200 : 0);
    expect(sandbox.takeFault({ ...identity, interactionId: randomUUID() })).toBe('');
    expect([sandbox.takeFault(identity), sandbox.takeFault(identity)]).toEqual([`${kind}; rule=${ruleId}`, '']);
  },
);

it('A repeat of a call that no fault affects has no fault, although the call before had one (behaviour 10.20.4)', async () => {
  const { sandbox, call } = await opened();
  await sandbox.faults.add({ on: 'call', fault: { kind: 'reset' }, times: 1 });
  const interactionId = randomUUID();
  for (let turn = 0; turn < 2; turn += 1) await call('GET', providers, { [header.interaction]: interactionId });
  expect(sandbox.takeFault({ interactionId, method: 'GET', path: endpoints.providers })).toBe('');
});

it('A call of the console is on the home page, and neither listed nor reported (behaviour 10.21.8, 10.22.10)', async () => {
  const own = new Set<number | undefined>();
  let isConsole = true;
  const { sandbox, events, call } = await opened({
    port: 0,
    isOwn: (port) => isConsole && port !== undefined && own.add(port) !== undefined,
  });
  await call('GET', providers);
  isConsole = false;
  await call('GET', endpoints.localInstruments);
  const page = (await call('GET', '/', { accept: 'text/html' })).answer;
  expect(page).toContain(`GET ${endpoints.providers}<`);
  expect(page).toContain(`GET ${endpoints.localInstruments}<`);
  expect(sandbox.calls().map(({ number, path }) => [number, path])).toEqual([[1, endpoints.localInstruments]]);
  expect(events.map(({ url }) => url)).toEqual([sandbox.url + endpoints.localInstruments]);
});

it('A call that is held keeps its fault while 300 others end (behaviour 10.20.4)', async () => {
  const { sandbox } = await opened();
  const { ruleId } = await sandbox.faults.add({ on: 'call', fault: { kind: 'noAnswer' }, times: 1 });
  const path = `/v3/subscriptions/${'x'.repeat(300)}`;
  const interactionId = randomUUID();
  const held = sandbox.fetch(path, { headers: { [header.interaction]: interactionId } }).catch(() => undefined);
  await expect.poll(() => sandbox.calls().length).toBe(1);
  for (let turn = 0; turn < 300; turn += 1) await sandbox.fetch('/v2/nothing');
  const identity = { interactionId, method: 'GET', path };
  expect(sandbox.takeFault({ ...identity, method: 'POST' })).toBe('');
  expect(sandbox.takeFault(identity)).toBe(`noAnswer; rule=${ruleId}`);
  await sandbox.faults.clear();
  await held;
});

it('The home page lists unknown paths and calls without an answer, and nothing of a preparation (behaviour 10.22.10)', async () => {
  const { sandbox, call } = await opened();
  await sandbox.prepare('payable');
  await call('GET', '/v2/providers');
  await sandbox.faults.add({ on: 'call', fault: { kind: 'answerLost' }, times: 1 });
  await call('GET', providers);
  const page = (await call('GET', '/', { accept: 'text/html' })).answer;
  const rows = [...page.matchAll(/<td class="mono">([^<]*)<\/td>\s*<td class="end (\w+)">([^<]*)</g)];
  expect(rows.map(([, ...row]) => row)).toEqual([
    [`GET ${endpoints.providers}`, 'failed', 'no answer'],
    ['GET /v2/providers', 'failed', '404'],
  ]);
});

const MB = 1024 * 1024;
const delivery = (length: number) => ({
  at: 0,
  ms: 0,
  status: 204,
  outcome: '',
  headers: {},
  body: JSON.stringify({ type: 'batchUpdated', filling: 'x'.repeat(length) }),
});

describe('The records of a sandbox', () => {
  it('hold at most 64 MB of refused calls with long bodies, the latest ones (threat 6.35)', async () => {
    const sandbox = await createSandbox();
    const { url } = sandbox;
    for (let turn = 1; turn <= 12; turn += 1) {
      const body = JSON.stringify({ turn, filling: 'x'.repeat(4 * MB) });
      const request = new Request(`${url}/v3/batchpayments`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
      expect((await sandbox.fetch(request)).status).toBeGreaterThanOrEqual(400);
    }
    const calls = sandbox.calls();
    const characters = calls.reduce((sum, { body, response }) => sum + body.length + response.body.length, 0);
    expect(characters).toBeLessThan(32 * MB);
    expect(calls.at(-1)).toMatchObject({ number: 12 });
    expect((JSON.parse(calls.at(-1)!.body) as { turn: number }).turn).toBe(12);
    expect(calls.map(({ number }) => number)).toEqual(calls.map((_, at) => 13 - calls.length + at));
    await sandbox.close();
  }, 60_000);

  it('hold at most 64 MB of all applications together (threat 6.35)', async () => {
    const sandbox = await createSandbox({ port: 0 });
    const made = async () => {
      const headers = { authorization: `Bearer ${sandbox.credentials.controlToken}` };
      const answer = await fetch(`${sandbox.url}/sandbox/applications`, { method: 'POST', headers });
      return ((await answer.json()) as { data: { url: string; credentials: { controlToken: string } } }).data;
    };
    const all = [await made(), await made(), await made()];
    for (let turn = 0; turn < 12; turn += 1)
      await fetch(`${all[turn % 3]!.url}/v3/batchpayments`, {
        method: 'POST',
        body: 'x'.repeat(4 * MB),
        headers: { 'content-type': 'application/json' },
      });
    const lists = await Promise.all(
      all.map(async ({ url, credentials }) => {
        const headers = { authorization: `Bearer ${credentials.controlToken}` };
        const answer = (await (await fetch(`${url}/sandbox/calls`, { headers })).json()) as {
          data: { body: string }[];
        };
        return answer.data.filter(({ body }) => body.length > MB).length;
      }),
    );
    const kept = lists.reduce((sum, each) => sum + each, 0);
    expect(kept).toBeLessThanOrEqual(8);
    expect(kept).toBeGreaterThan(3);
    await sandbox.close();
  }, 60_000);

  it('of webhooks drop the oldest with all their deliveries, and a long one itself (threat 6.35)', () => {
    const recorder = recorderOf({ budget: createRecordBudget(9000) });
    const ids = () => recorder.webhooks().map(({ webhookId, deliveries }) => `${webhookId}:${deliveries.length}`);
    for (const id of ['a', 'b', 'c']) recorder.addDelivery(id, undefined, delivery(1000));
    recorder.addDelivery('c', undefined, delivery(1000));
    expect(ids()).toEqual(['b:1', 'c:2']);
    recorder.addDelivery('d', undefined, delivery(20_000));
    expect(ids()).toEqual([]);
    recorder.addDelivery('e', undefined, delivery(10));
    recorder.replace({ calls: [], webhooks: [] });
    for (const id of ['f', 'g', 'h']) recorder.addDelivery(id, undefined, delivery(1000));
    expect(ids()).toEqual(['f:1', 'g:1', 'h:1']);
  });

  it('of requests hold short texts only, also of calls whose text to sign is long (threat 6.35)', async () => {
    const recorder = recorderOf({ maximum: 0 });
    const app = new Koa().use(recorder.record).use((ctx) => {
      Object.assign(notesOf(ctx), { expected: 'x'.repeat(MB), signed: 'x'.repeat(MB), mistakes: ['x'.repeat(MB)] });
      ctx.status = 401;
    });
    const handle = app.callback();
    const url = await listening((request, response) => void handle(request, response));
    const headers = { [header.interaction]: 'x'.repeat(10_000) };
    for (let turn = 0; turn < 3; turn += 1) await fetch(`${url}/v3/${'x'.repeat(2000)}`, { headers });
    expect(recorder.latest()).toHaveLength(3);
    expect(weightOf(recorder.latest())).toBeLessThan(5000);
    expect(recorder.calls()).toEqual([]);
  });

  it('weigh all their texts, also those in lists and the names of headers', () => {
    expect(weightOf({ body: 'x'.repeat(1000) })).toBeGreaterThan(2000);
    expect(weightOf([['x'.repeat(1000)], { ['y'.repeat(1000)]: null }])).toBeGreaterThan(4000);
  });
});
