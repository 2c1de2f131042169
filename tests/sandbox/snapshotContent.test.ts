import { createServer } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { Sandbox } from '#server/sandbox/api.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import type { ConsoleOptions } from '#server/sandbox/options.ts';
import { placelessSnapshots } from '#server/sandbox/store/placelessSnapshot.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';

/** A receiver that refuses the first webhook, or one that is not there, so that its address is in an error. */
async function receiver(isThere: boolean): Promise<string> {
  let count = 0;
  const server = createServer((_, response) => void response.writeHead((count += 1) === 1 ? 503 : 204).end());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on a port
  const close = () => new Promise((resolve) => server.close(resolve));
  if (isThere) onTestFinished(() => void close());
  else await close();
  return `http://127.0.0.1:${port}/notifications`;
}

/** Walks through a payment with lost, refused and delayed calls over HTTP; returns the sandbox. */
async function walked(isThere: boolean, ahead: number, name: string): Promise<Sandbox> {
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
  const data = ahead === 0 ? ':memory:' : folder;
  const machineClock = { ...systemClock, now: () => Date.now() + ahead, steady: () => systemClock.steady() + ahead };
  const options: ConsoleOptions = { machineClock };
  const sandbox = await createSandbox({ seed: 7, port: 0, data, webhookUrl: await receiver(isThere), ...options });
  onTestFinished(async () => {
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  const url = sandbox.url.replace('127.0.0.1', name);
  const { token, subscriptionId, debtorId, creditors } = await sandbox.prepare('ten-creditors');
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    [header.idempotency]: 'key',
    [header.application]: sandbox.credentials.applicationId,
    [header.apiKey]: sandbox.credentials.apiKey,
  };
  const payments = creditors.map(({ creditorId, name: payee }, index) => ({
    instructedAmount: { amount: '0.10', currency: 'GBP' },
    creditor: { creditorId, name: payee },
    remittanceInformation: { reference: `INV-${index}` },
  }));
  const requestedExecutionDateTime = new Date(sandbox.clock.now()).toISOString();
  const body = JSON.stringify({
    data: { externalId: 'one', subscriptionId, debtor: { debtorId }, requestedExecutionDateTime, payments },
  });
  const pay = () => fetch(url + endpoints.batches, { method: 'POST', headers, body }).catch(() => undefined);
  await sandbox.faults.add({ on: 'call', of: 'createBatch', fault: { kind: 'answerLost' } });
  await sandbox.faults.add({ on: 'call', of: 'batch', fault: { kind: 'tooManyUntil', retryAfter: 5 } });
  await pay();
  await sandbox.clock.advance(700);
  const answer = (await (await pay())!.json()) as { data: { batchId: string } };
  for (const times of [1, 2]) {
    await fetch(`${url}${endpoints.batches}/${answer.data.batchId}`, { headers });
    await sandbox.clock.advance(times * 1000);
  }
  await fetch(`${url}/v3/nowhere`, { headers });
  await sandbox.webhooks.send({ type: 'paymentReturned', data: {} });
  await sandbox.clock.stop();
  return sandbox;
}

it.each([
  ['a receiver that refuses', true],
  ['no receiver at its address', false],
])(
  'a snapshot is the same at another port, in another folder, at another time, with %s (behaviour 10.22.5)',
  async (_, isThere) => {
    const first = await walked(isThere, 0, '127.0.0.1');
    const second = await walked(isThere, 90_000_000, 'localhost');
    /** Signatures of webhooks cover the address of the batch. */
    const textOf = async (sandbox: Sandbox) =>
      JSON.stringify(await sandbox.snapshot(), null, 1).replaceAll(/"v1,[^"]+"/g, '"a signature"');
    const text = await textOf(first);
    expect(await textOf(second)).toBe(text);
    for (const ofMachine of [new URL(first.url).port, hostname(), userInfo().username, tmpdir(), String(process.pid)])
      expect(text.includes(`${ofMachine}"`) || text.includes(`:${ofMachine}`), ofMachine).toBe(false);
    expect(text).not.toContain(new Date().toISOString().slice(0, 10));
  },
);

it('a snapshot that is restored at another port has the addresses of that sandbox (behaviour 10.22.5)', async () => {
  const first = await walked(true, 0, '127.0.0.1');
  const second = await createSandbox({ seed: 7, port: 0, webhookUrl: 'http://127.0.0.1:9/hooks' });
  onTestFinished(() => second.close());
  await second.restore(await first.snapshot());
  const there = JSON.stringify([second.calls(), second.webhooks()]);
  expect(there).toContain(`${second.url}/v3/batchpayments/`);
  expect(there).not.toContain(new URL(first.url).host);
  expect(await second.batches()).toEqual(await first.batches());
});

it.each([
  ['http://127.0.0.1:3000/x http://127.0.0.1:30001/y', 'http://127.0.0.1:3000', '127.0.0.1:30001'],
  ['callback=http%3A%2F%2Flocalhost%3A3000%2Fback&x=2127.0.0.1:3000', 'http://127.0.0.1:3000', '2127.0.0.1:3000'],
  ['http://localhost:5173/back, http://localhost/v3', 'http://localhost', 'http://localhost:5173'],
])('of the addresses in %s only those of %s are taken out', (text, url, kept) => {
  const { withoutPlace, withPlace } = placelessSnapshots(url, '');
  const without = withoutPlace({ text }).text;
  expect(without).toContain(kept);
  expect(without).not.toMatch(/(?<!\d)127\.0\.0\.1(:|%3A)3000(?!\d)|localhost(:|%3A)3000/);
  expect(withPlace({ text: without }).text).toContain(new URL(url).host);
});

it('restore of rows that are not those of a snapshot rejects, and leaves the sandbox as it was (behaviour 10.22.5)', async () => {
  const sandbox = await createSandbox({ seed: 1 });
  await sandbox.prepare('batch-partly-failed');
  const saved = await sandbox.snapshot();
  const wrong = { ...saved, tables: { ...saved.tables, resources: [{ nonsense: 1 }] } };
  await expect(sandbox.restore(wrong)).rejects.toThrow('This is no snapshot: give what snapshot() has returned');
  expect(await sandbox.snapshot()).toEqual(saved);
  await sandbox.close();
});

interface Moment {
  tables: { resources: { kind: string; id: string; value: string }[] };
}

/** All that a moment has stored but its clock, which shows when it was opened. */
const recordsIn = ({ tables: { resources } }: Moment) => resources.filter(({ kind }) => kind !== 'clock');

it('whatever is restored, emptied, prepared or read at once acts one after the other, and the sandbox works (behaviour 10.22.5)', async () => {
  const sandbox = await createSandbox({ port: 0 });
  const { controlToken } = sandbox.credentials;
  const ask = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' };
    const text = body && JSON.stringify(body);
    const response = await fetch(`${sandbox.url}/sandbox${path}`, { method, headers, ...(text && { body: text }) });
    return { status: response.status, text: await response.text() };
  };
  const dataOf = <T>({ text }: { text: string }) => (JSON.parse(text) as { data: T }).data;
  await sandbox.prepare('batch-partly-failed');
  const moment = dataOf<Moment>(await ask('GET', '/situation'));
  const { snapshotId } = dataOf<{ snapshotId: string }>(await ask('POST', '/snapshots'));
  const acts = [
    () => ask('PUT', '/situation', moment),
    () => ask('POST', `/snapshots/${snapshotId}/restore`),
    () => ask('POST', '/reset', { token: controlToken }),
    () => ask('POST', '/situations', { situation: 'payable' }),
    () => ask('GET', '/situation'),
    () => ask('POST', '/snapshots'),
  ];
  const pairs = acts.flatMap((one) => acts.map((other) => [one, other] as const));
  for (const pair of pairs) {
    const answers = await Promise.all(pair.map((act) => act()));
    expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
  }
  await ask('PUT', '/situation', moment);
  const again = dataOf<Moment>(await ask('GET', '/situation'));
  expect(recordsIn(again)).toEqual(recordsIn(moment));
  await sandbox.close();
}, 60_000);
