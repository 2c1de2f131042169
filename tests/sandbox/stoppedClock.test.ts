import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { SandboxOptions, Prepared, Sandbox } from '#server/sandbox/api.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import type { ConsoleOptions } from '#server/sandbox/options.ts';
import { header } from '#server/upstream/wire.ts';
import { endpoints } from '#tests/support/endpoints.ts';

async function opened(options: SandboxOptions & ConsoleOptions = {}) {
  const sandbox = await createSandbox({ seed: 1, ...options });
  onTestFinished(() => sandbox.close());
  const headers = { [header.application]: sandbox.credentials.applicationId, [header.apiKey]: sandbox.credentials.apiKey }; // prettier-ignore
  return { ...sandbox, read: () => sandbox.fetch('/v3/providers?country=GB', { headers }) };
}

const start = Date.parse('2026-01-01T00:00:00.000Z');

/** Whether a promise has been settled by now. */
const isSettled = async (promise: Promise<unknown>) => {
  let settled = false;
  void promise.finally(() => (settled = true)).catch(() => undefined);
  await pause(20);
  return settled;
};

describe.each(['latency', 'slow'] as const)('a response with the fault %s', (kind) => {
  it.each([20, 3000, 600_000])(
    'arrives when a stopped clock has advanced by its %s ms, and not before (behaviour 10.22.6)',
    async (ms) => {
      const sandbox = await opened();
      await sandbox.faults.add({ on: 'call', of: 'providers', fault: { kind, ms } });
      const response = sandbox.read();
      await expect.poll(() => sandbox.calls().length).toBe(1);
      await sandbox.clock.advance(ms - 1);
      expect(await isSettled(response)).toBe(false);
      await sandbox.clock.advance(1);
      const { status, headers } = await response;
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('json')]);
    },
  );

  it('arrives within one long advance, also of several calls (behaviour 10.22.6)', async () => {
    const sandbox = await opened();
    await sandbox.faults.add({ on: 'call', of: 'providers', fault: { kind, ms: 5000 }, times: 'always' });
    const responses = [sandbox.read(), sandbox.read(), sandbox.read()];
    await expect.poll(() => sandbox.calls().length).toBe(3);
    await sandbox.clock.advance(60_000);
    for (const { status } of await Promise.all(responses)) expect(status).toBe(200);
  });

  it('arrives when the clock runs again, or all faults are stopped (behaviour 10.22.6)', async () => {
    const sandbox = await opened();
    await sandbox.faults.add({ on: 'call', of: 'providers', fault: { kind, ms: 20 } });
    const first = sandbox.read();
    await expect.poll(() => sandbox.calls().length).toBe(1);
    await sandbox.clock.run();
    expect((await first).status).toBe(200);
    await sandbox.clock.stop();
    await sandbox.faults.add({ on: 'call', of: 'providers', fault: { kind, ms: 60_000 } });
    const second = sandbox.read();
    expect(await isSettled(second)).toBe(false);
    await sandbox.faults.clear();
    expect((await second).status).toBe(200);
  });
});

it('a stopped clock does not lengthen the wait after too many calls (behaviour 10.22.6)', async () => {
  let time = 0;
  const machineClock = { ...systemClock, now: () => time, steady: () => time };
  const sandbox = await opened({ machineClock, config: { rate: { perSecond: 1, burst: 1 } } });
  expect([(await sandbox.read()).status, (await sandbox.read()).status]).toEqual([200, 429]);
  time += 1000;
  expect((await sandbox.read()).status).toBe(200);
});

it('the clock of a sandbox with a seed begins at its start, stands still, and runs from there after run (behaviour 10.22.6)', async () => {
  const sandbox = await opened();
  await pause(5);
  expect(sandbox.clock.now()).toBe(start);
  await sandbox.clock.advance(60_000);
  expect(sandbox.clock.now()).toBe(start + 60_000);
  await sandbox.clock.run();
  await pause(20);
  expect(sandbox.clock.now()).toBeGreaterThan(start + 60_000);
  expect(sandbox.clock.now()).toBeLessThan(start + 120_000);
  await sandbox.reset();
  expect(sandbox.clock.now()).toBe(start);
});

it('webhooks of a sandbox with a seed are signed for the time of its clock (behaviour 10.22.6)', async () => {
  const timestamps: unknown[] = [];
  const server = createServer((request, response) => {
    timestamps.push(request.headers['webhook-timestamp']);
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const sandbox = await opened({ webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  await sandbox.clock.advance(3_600_000);
  await sandbox.webhooks.send({ type: 'paymentReturned', data: {} });
  await sandbox.clock.advance(60_000);
  expect(timestamps).toEqual([String(start / 1000 + 3600)]);
});

it('the Date of each answer, also of a refusal and of a delayed one, is the time of the stopped clock (behaviour 10.22.6)', async () => {
  const sandbox = await opened();
  const dateOf = async (response: Promise<Response>) => Date.parse((await response).headers.get('date') ?? '');
  expect(await dateOf(sandbox.read())).toBe(start);
  await sandbox.clock.advance(90_000);
  expect(await dateOf(sandbox.fetch('/v3/nowhere'))).toBe(start + 90_000);
  await sandbox.faults.add({ on: 'call', of: 'providers', fault: { kind: 'latency', ms: 60_000 } });
  const delayed = dateOf(sandbox.read());
  await expect.poll(() => sandbox.calls().length).toBe(3);
  await sandbox.clock.advance(60_000);
  expect(await delayed).toBe(start + 150_000);
});

async function seeded(options: SandboxOptions = { seed: 1 }): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** A batch of `size` payments under a key, which is also its external id. */
function batch(sandbox: Sandbox, { token, subscriptionId, debtorId, creditors }: Prepared, key: string, size = 1) {
  const [creditor] = creditors;
  return {
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
        externalId: key,
        subscriptionId,
        debtor: { debtorId },
        requestedExecutionDateTime: new Date(sandbox.clock.now()).toISOString(),
        payments: Array.from({ length: size }, (_, index) => ({
          instructedAmount: { amount: '0.10', currency: 'GBP' },
          creditor: { creditorId: creditor!.creditorId, name: creditor!.name },
          remittanceInformation: { reference: `${key}-${index}` },
        })),
      },
    }),
  };
}

const keys = Array.from({ length: 6 }, (_, index) => `key-${index}`);
/** Large ones first, which take longer to be read. */
const sizeOf = (index: number) => (index % 2 === 0 ? 150 : 1);

/** What a run has left: the ids by external id, the order of calls, the webhooks. */
async function traceOf(sandbox: Sandbox) {
  await sandbox.clock.advance(10_000);
  return {
    batches: (await sandbox.batches()).map(({ externalId, batchId }) => [externalId, batchId]),
    calls: sandbox.calls().map(({ number, headers }) => [number, headers[header.idempotency]]),
    // Listed as their first deliveries end, which the receiver decides.
    webhooks: sandbox.webhooks().map(({ webhookId, deliveries }) => [webhookId, deliveries[0]?.body].join()).toSorted(), // prettier-ignore
  };
}

async function receiver(): Promise<string> {
  const server = createServer((_, response) => void response.writeHead(204).end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/notifications`;
}

describe('concurrent calls of a sandbox with a seed', () => {
  it('get the ids, the places in lists and the webhooks that they get one after the other (behaviour 10.22.4)', async () => {
    const webhookUrl = await receiver();
    const run = async (isConcurrent: boolean) => {
      const sandbox = await seeded({ seed: 1, webhookUrl });
      const prepared = await sandbox.prepare('payable');
      const send = (key: string, index: number) =>
        sandbox.fetch(endpoints.batches, batch(sandbox, prepared, key, sizeOf(index)));
      if (isConcurrent) await Promise.all(keys.map(send));
      else for (const [index, key] of keys.entries()) await send(key, index);
      return traceOf(sandbox);
    };
    const expected = await run(false);
    expect(expected.batches.map(([key]) => key)).toEqual(keys);
    expect(expected.webhooks.length).toBeGreaterThan(keys.length);
    for (let times = 0; times < 3; times += 1) expect(await run(true)).toEqual(expected);
  });

  it('also over HTTP, whichever body is complete first (behaviour 10.22.4)', async () => {
    const sandbox = await seeded({ seed: 1, port: 0 });
    const prepared = await sandbox.prepare('payable');
    const begin = async (key: string, size: number) => {
      const { body, ...init } = batch(sandbox, prepared, key, size);
      const call = httpRequest(sandbox.url + endpoints.batches, init);
      call.flushHeaders();
      const count = sandbox.calls().length;
      await expect.poll(() => sandbox.calls().length).toBe(count + 1);
      return async () => {
        call.end(body);
        const [response] = (await once(call, 'response')) as [{ statusCode: number; resume: () => void }];
        response.resume();
        return response.statusCode;
      };
    };
    const first = await begin('first', 1);
    const second = await begin('second', 1);
    const answered = second();
    await pause(50);
    expect([await first(), await answered]).toEqual([201, 201]);
    expect((await sandbox.batches()).map(({ externalId }) => externalId)).toEqual(['first', 'second']);
  });

  it.each(['latency', 'noAnswer', 'noBody'] as const)(
    'go on while an earlier one waits by the fault %s',
    async (kind) => {
      const sandbox = await seeded();
      const prepared = await sandbox.prepare('payable');
      await sandbox.faults.add({
        on: 'call',
        of: 'createBatch',
        fault: kind === 'latency' ? { kind, ms: 5000 } : { kind },
      });
      const held = new AbortController();
      const first = sandbox
        .fetch(endpoints.batches, { ...batch(sandbox, prepared, 'held'), signal: held.signal })
        .catch(() => undefined);
      expect((await sandbox.fetch(endpoints.batches, batch(sandbox, prepared, 'next'))).status).toBe(201);
      held.abort();
      await first;
      expect((await sandbox.fetch(endpoints.batches, batch(sandbox, prepared, 'last'))).status).toBe(201);
    },
  );

  it.each(['noAnswer', 'noBody'] as const)(
    'go on although the client of a call held by %s resets its connection',
    async (kind) => {
      const sandbox = await seeded({ seed: 1, port: 0 });
      const prepared = await sandbox.prepare('payable');
      await sandbox.faults.add({ on: 'call', of: 'createBatch', fault: { kind } });
      const { body, ...init } = batch(sandbox, prepared, 'reset');
      const call = httpRequest(sandbox.url + endpoints.batches, init);
      call.on('error', () => undefined);
      call.on('response', (response) => void response.on('error', () => undefined));
      call.end(body);
      await expect.poll(() => sandbox.calls().length).toBe(1);
      await pause(50);
      call.socket!.resetAndDestroy();
      await pause(50);
      expect((await sandbox.fetch(endpoints.batches, batch(sandbox, prepared, 'next'))).status).toBe(201);
    },
  );

  it('go on although the body of an earlier one does not arrive', async () => {
    const sandbox = await seeded({ seed: 1, port: 0 });
    const prepared = await sandbox.prepare('payable');
    const { body, ...init } = batch(sandbox, prepared, 'never');
    const call = httpRequest(sandbox.url + endpoints.batches, init);
    call.on('error', () => undefined);
    call.write(body.slice(0, 10));
    await expect.poll(() => sandbox.calls().length).toBe(1);
    expect((await sandbox.fetch(endpoints.batches, batch(sandbox, prepared, 'next'))).status).toBe(201);
    call.destroy();
  });
});
