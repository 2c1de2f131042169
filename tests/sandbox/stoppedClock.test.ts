import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { SandboxOptions } from '#server/sandbox/api.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import type { ConsoleOptions } from '#server/sandbox/options.ts';
import { header } from '#server/upstream/wire.ts';

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
