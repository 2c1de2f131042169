import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { CreateSandbox, Prepared, Sandbox, SandboxOptions } from '#server/sandbox/api.ts';
import type { CallFault } from '#server/sandbox/faultRules.ts';
import { createSandbox as create } from '#server/sandbox/createSandbox.ts';
import { situations } from '#contract/controlCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';

/** As the package declares it. */
const createSandbox: CreateSandbox = create;

async function opened(options: SandboxOptions = { seed: 1 }): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** Pays the creditors of a situation; resolves with the response, rejects without one. */
const pay = (sandbox: Sandbox, { token, subscriptionId, debtorId, creditors }: Prepared, key = 'key-1') =>
  sandbox.fetch(endpoints.batches, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      [header.idempotency]: key,
      [header.application]: sandbox.credentials.applicationId,
      [header.apiKey]: sandbox.credentials.apiKey,
    },
    body: JSON.stringify({
      data: {
        externalId: 'batch-1',
        subscriptionId,
        debtor: { debtorId },
        requestedExecutionDateTime: new Date(sandbox.clock.now()).toISOString(),
        payments: creditors.map(({ creditorId, name }, index) => ({
          instructedAmount: { amount: '120.50', currency: 'GBP' },
          creditor: { creditorId, name },
          remittanceInformation: { reference: `INV-${index + 1}` },
        })),
      },
    }),
  });

/** A receiver of webhooks, which answers with 204. */
async function receiver() {
  const received: { body: string; headers: unknown }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ body, headers: request.headers });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/notifications` };
}

describe('createSandbox', () => {
  it('prepares a situation in which a program can pay, and completes the batch when the clock advances (behaviour 10.22.2, 10.22.6)', async () => {
    const sandbox = await opened();
    const prepared = await sandbox.prepare('payable');
    expect(sandbox.calls()).toEqual([]);
    const response = await pay(sandbox, prepared);
    expect(response.status).toBe(201);
    await sandbox.clock.advance(5000);
    expect(await sandbox.batches()).toMatchObject([
      {
        externalId: 'batch-1',
        idempotencyKey: 'key-1',
        companyId: prepared.companyId,
        status: 'Completed',
        payments: [{ status: 'Completed', amount: '120.50', currency: 'GBP', reference: 'INV-1' }],
      },
    ]);
  });

  it.each(situations)('prepares the situation %s with the ids that belong to it', async (situation) => {
    const sandbox = await opened();
    const prepared = await sandbox.prepare(situation);
    const index = situations.indexOf(situation);
    const { organisationId, companyId, subscriptionId, debtorId, batchId } = prepared;
    expect([organisationId, companyId, subscriptionId, debtorId].filter((id) => id !== '')).toHaveLength(
      [1, 2, 3, 4][Math.min(index, 3)]!,
    );
    expect(batchId !== '').toBe(situation === 'batch-partly-failed');
    const statuses = (await sandbox.batches()).map(({ payments }) => payments.map(({ status }) => status));
    expect(statuses).toEqual(batchId === '' ? [] : [['Completed', 'Failed']]);
  });

  it('records calls of which the response is lost, cut, refused or late with what the program received (behaviour 10.22.3)', async () => {
    const sandbox = await opened({ port: 0 });
    const prepared = await sandbox.prepare('payable');
    const call = async (fault: CallFault, patience = 60_000) => {
      await sandbox.faults.add({ on: 'call', of: 'createBatch', fault });
      const { token } = prepared;
      const body = JSON.stringify({ data: {} });
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const url = sandbox.url + endpoints.batches;
      await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(patience) })
        .then((response) => response.text())
        .catch(() => undefined);
      await sandbox.faults.clear();
      await sandbox.settled();
      return sandbox.calls().at(-1);
    };
    const body = '{"data":{}}';
    expect(await call({ kind: 'status', status: 503 })).toMatchObject({ status: 503, isDone: false, fault: 'status', body }); // prettier-ignore
    expect(await call({ kind: 'reset' })).toMatchObject({ status: 0, isDone: false, fault: 'reset', body });
    expect(await call({ kind: 'answerLost' })).toMatchObject({ status: 0, fault: 'answerLost', body });
    expect(await call({ kind: 'truncated' })).toMatchObject({ status: 400, fault: 'truncated' });
    expect(await call({ kind: 'noAnswer' }, 200)).toMatchObject({ status: 0, fault: 'noAnswer' });
    expect(await call({ kind: 'latency', ms: 60_000 }, 200)).toMatchObject({ status: 0 });
  });

  it.each<CallFault>([
    { kind: 'noAnswer' },
    { kind: 'noBody' },
    { kind: 'truncated' },
    { kind: 'slow', ms: 600_000 },
    { kind: 'latency', ms: 600_000 },
    { kind: 'answerLost' },
  ])('answers other calls when the caller of one under the fault %j has gone before the response', async (fault) => {
    const sandbox = await opened({ port: 0, seed: 1 });
    await sandbox.faults.add({ on: 'call', of: 'accessToken', fault, times: 20 });
    const { hostname, port } = new URL(sandbox.url);
    // Whether a connection has ended when the response is written depends on the moment.
    for (let asked = 0; asked < 20; asked += 1) {
      const caller = connect(Number(port), hostname);
      await once(caller, 'connect');
      const request = `POST ${endpoints.accessToken} HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncontent-length: 0\r\n\r\n`;
      caller.write(request, () => setTimeout(() => (asked % 2 ? caller.destroy() : caller.resetAndDestroy())));
      await once(caller, 'close');
    }
    expect((await fetch(sandbox.url + endpoints.localInstruments)).status).toBe(401);
  });

  it('gives byte-identical responses, ids and webhooks for the same seed and calls, and others for another seed (behaviour 10.22.4)', async () => {
    const run = async (seed: number) => {
      const { received, url } = await receiver();
      const sandbox = await opened({ seed, webhookUrl: url });
      const prepared = await sandbox.prepare('payable');
      const response = await (await pay(sandbox, prepared)).text();
      await sandbox.clock.advance(10_000);
      const { credentials } = sandbox;
      const headers = received.map((each) => ({ ...(each.headers as object), host: '' }));
      return { credentials, prepared, response, received: received.map(({ body }) => body), headers };
    };
    const [first, second, other] = [await run(1), await run(1), await run(2)];
    expect(second).toEqual(first);
    expect(first.received.length).toBeGreaterThan(1);
    expect(other.prepared.companyId).not.toBe(first.prepared.companyId);
    expect(other.credentials.apiKey).not.toBe(first.credentials.apiKey);
  });

  it('returns to a snapshot with data, faults, clock, records and ids (behaviour 10.22.5)', async () => {
    const sandbox = await opened();
    const prepared = await sandbox.prepare('payable');
    await sandbox.faults.add({ on: 'call', of: 'createBatch', fault: { kind: 'answerLost' } });
    const [saved, time] = [await sandbox.snapshot(), sandbox.clock.now()];
    const attempt = async () => {
      await expect(pay(sandbox, prepared)).rejects.toThrow();
      await sandbox.clock.advance(60_000);
      return { calls: sandbox.calls().map(({ number }) => number), batches: await sandbox.batches() };
    };
    const first = await attempt();
    await sandbox.restore(JSON.parse(JSON.stringify(saved)) as typeof saved);
    expect([await sandbox.batches(), sandbox.calls(), sandbox.clock.now()]).toEqual([[], [], time]);
    expect(await sandbox.faults.list()).toMatchObject([{ happened: 0 }]);
    expect(await attempt()).toEqual(first);
  });

  it('is empty after reset, and repeats the same ids (behaviour 10.22.5)', async () => {
    const sandbox = await opened();
    const first = await sandbox.prepare('batch-partly-failed');
    await sandbox.faults.add({ on: 'webhook', fault: { kind: 'lose' } });
    await sandbox.reset();
    expect([await sandbox.batches(), await sandbox.faults.list(), sandbox.calls()]).toEqual([[], [], []]);
    expect(await sandbox.prepare('batch-partly-failed')).toEqual(first);
  });

  it('lets the clock run on after a situation, which no fault disturbs, however long it takes (behaviour 10.22.2)', async () => {
    let ahead = 0;
    const time = () => systemClock.now() + ahead;
    const machineClock = { ...systemClock, now: time, steady: time };
    const sandbox = await create({ machineClock });
    onTestFinished(() => sandbox.close());
    await sandbox.faults.add({ on: 'call', of: 'createSubscription', fault: { kind: 'status', status: 503 } });
    const preparing = sandbox.prepare('payable');
    ahead = 3_600_000;
    await preparing;
    const before = sandbox.clock.now();
    expect(Math.abs(before - time())).toBeLessThan(60_000);
    await expect.poll(() => sandbox.clock.now()).toBeGreaterThan(before);
  });

  it('sends an event of the caller with a valid signature, and records its delivery (behaviour 10.22.8)', async () => {
    const { received, url } = await receiver();
    const sandbox = await opened({ seed: 1, webhookUrl: url });
    const webhookId = await sandbox.webhooks.send({ type: 'paymentReturned', data: { paymentId: 'p-1' } });
    await sandbox.clock.advance(1000);
    expect(received.map(({ body }) => JSON.parse(body) as object)).toMatchObject([
      { type: 'paymentReturned', data: { paymentId: 'p-1' } },
    ]);
    expect(sandbox.webhooks()).toMatchObject([
      { webhookId, type: 'paymentReturned', deliveries: [{ status: 204, body: received[0]?.body }] },
    ]);
  });

  it('keeps 50 sandboxes of one process apart (behaviour 10.22.7)', async () => {
    const sandboxes = await Promise.all(Array.from({ length: 50 }, (_, seed) => opened({ seed })));
    const prepared = await Promise.all(sandboxes.map((each) => each.prepare('organisation')));
    expect(new Set(prepared.map(({ organisationId }) => organisationId)).size).toBe(50);
    await sandboxes[0]!.reset();
    expect((await sandboxes[1]!.prepare('organisation')).organisationId).not.toBe(prepared[1]?.organisationId);
    expect(sandboxes.map((each) => each.calls())).toEqual(sandboxes.map(() => []));
  });

  it('says what would be right when it is misused (behaviour 10.22.9)', async () => {
    const sandbox = await opened();
    await expect(sandbox.prepare('paid' as never)).rejects.toThrow('There is no situation "paid": give one of organisation, company'); // prettier-ignore
    await expect(sandbox.faults.add({ on: 'call', fault: { kind: 'explode' as never } })).rejects.toThrow('fault.kind');
    await expect(sandbox.restore({} as never)).rejects.toThrow(
      'This is no snapshot: give what snapshot() has returned',
    );
    await expect(sandbox.clock.advance(NaN)).rejects.toThrow('give the milliseconds');
    await expect(createSandbox({ seed: 1.5 })).rejects.toThrow('seed is 1.5: give a whole number');
    await expect(createSandbox({ now: '2026-01-01T00:00:00Z' })).rejects.toThrow('now is the time of a stopped clock');
    await expect(createSandbox({ now: 'noon' })).rejects.toThrow('now is "noon": give a time such as');
    for (const webhookUrl of ['hooks', 'ftp://127.0.0.1/', '127.0.0.1:3000/notifications'])
      await expect(createSandbox({ webhookUrl })).rejects.toThrow(
        `webhookUrl is "${webhookUrl}": give an http or https URL`,
      );
    await expect(createSandbox({ port: 70_000 })).rejects.toThrow('port is 70000: give a number from 0 to 65535');
    await sandbox.close();
    await sandbox.close();
    expect(() => sandbox.calls()).toThrow('The sandbox is closed: create another one with createSandbox()');
    await expect(sandbox.prepare('company')).rejects.toThrow('The sandbox is closed');
  });
});

describe('The sandbox over HTTP', () => {
  it('gives each worker an application of its own, prepares situations and restores snapshots (behaviour 10.22.7)', async () => {
    const sandbox = await opened({ seed: 1, port: 0 });
    const lab = async (url: string, token: string, method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(`${url}/sandbox${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }); // prettier-ignore
      const answer = await response.text();
      return (answer === '' ? undefined : (JSON.parse(answer) as { data: unknown }).data) as never;
    };
    const { controlToken } = sandbox.credentials;
    interface Made {
      url: string;
      credentials: { controlToken: string; applicationId: string };
    }
    const made: Made = await lab(sandbox.url, controlToken, 'POST', '/applications');
    const own = (method: string, path: string, body?: object) =>
      lab(made.url, made.credentials.controlToken, method, path, body);
    expect(made.credentials.applicationId).not.toBe(sandbox.credentials.applicationId);
    const { snapshotId }: { snapshotId: string } = await own('POST', '/snapshots');
    const prepared: Prepared = await own('POST', '/situations', { situation: 'batch-partly-failed' });
    expect(prepared.batchId).not.toBe('');
    expect(await own('GET', '/batches')).toHaveLength(1);
    expect(await sandbox.batches()).toEqual([]);
    await own('POST', `/snapshots/${snapshotId}/restore`);
    expect(await own('GET', '/batches')).toEqual([]);
    expect(await own('GET', '/calls')).toEqual([]);
    await fetch(made.url + endpoints.providers);
    expect(await own('GET', '/calls')).toHaveLength(1);
    const form = { token: made.credentials.controlToken };
    const emptied = await fetch(`${made.url}/sandbox/reset`, { method: 'POST', body: new URLSearchParams(form) });
    expect(emptied.status).toBeLessThan(400);
    expect(await own('GET', '/calls')).toEqual([]);
  });
});

describe('a sandbox in the hands of tests', () => {
  it.each([
    [{ sed: 1 }, 'sed is no option: there are port, host, seed, clock, now, everyDay, data, webhookUrl'],
    [null, 'The options are null: give an object, or leave them out'],
    ['seed', 'The options are "seed": give an object, or leave them out'],
    [{ webhookUrl: 'localhost:80' }, /^webhookUrl is "localhost:80"/],
  ])('refuses options that are none, with what would be right: %j', async (options, message) => {
    await expect(createSandbox(options as SandboxOptions)).rejects.toThrow(message);
  });

  it.each([-1, -5000, Number.NaN])('refuses to advance its clock by %s ms', async (ms) => {
    const sandbox = await opened();
    await expect(sandbox.clock.advance(ms)).rejects.toThrow(`${ms} is no time to pass`);
  });

  it('closes although a client keeps a connection open and another one waits for an answer', async () => {
    const sandbox = await createSandbox({ port: 0, clock: 'running' });
    await sandbox.faults.add({ on: 'call', of: 'providers', fault: { kind: 'noAnswer' } });
    const idle = connect(Number(new URL(sandbox.url).port), '127.0.0.1');
    await once(idle, 'connect');
    const waiting = fetch(`${sandbox.url}${endpoints.providers}?country=GB`).then(
      () => 'answered',
      () => 'closed',
    );
    await expect.poll(() => sandbox.calls().length).toBe(1);
    await sandbox[Symbol.asyncDispose]();
    expect(await waiting).toBe('closed');
    await expect(sandbox.prepare('company')).rejects.toThrow('The sandbox is closed');
  });

  it('issues tokens that are valid by the clock of programs, and expire by its own', async () => {
    const sandbox = await opened({ seed: 3 });
    const prepared = await sandbox.prepare('payable');
    const [, claims = ''] = prepared.token.split('.');
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number };
    expect(exp * 1000).toBeGreaterThan(Date.now());
    expect((await pay(sandbox, prepared)).status).toBe(201);
    await sandbox.clock.advance(21 * 60_000);
    expect((await pay(sandbox, prepared, 'key-2')).status).toBe(401);
    const same = await (await opened({ seed: 3 })).prepare('payable');
    expect(same.token).toBe(prepared.token);
  });
});
