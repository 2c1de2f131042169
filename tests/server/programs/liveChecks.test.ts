import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createObservedCalls } from '#server/programs/observedCalls.ts';
import { createOwnPorts } from '#server/programs/ownPorts.ts';
import { judgedLive } from '#server/programs/liveChecks.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { ask, common, integratorAt } from '#tests/support/integrator.ts';
import { batch, call, pay, token } from './checks/madeEvidence.ts';
import { executionDate } from '#tests/support/executionDate.ts';

/** A console with its sandbox in this process, a program, and a batch that it can pay. */
async function judging() {
  const own = createOwnPorts();
  onTestFinished(own.end);
  const observedCalls = createObservedCalls(randomUUID);
  const sandbox = await testSandbox({ isOwn: own.has, observedCalls });
  const server = await testConsole({ upstreamUrl: sandbox.url, observedCalls, recordsOf: sandbox.recordsOf });
  const { token, companyId, subscriptionId, debtorId, creditors } = await sandbox.prepare('ten-creditors');
  const headers = { ...common, authorization: `Bearer ${token}`, [header.company]: companyId };
  const body = JSON.stringify({
    data: {
      externalId: 'batch-1',
      subscriptionId,
      debtor: { debtorId },
      requestedExecutionDateTime: executionDate,
      payments: [
        {
          instructedAmount: { amount: '120.50', currency: 'GBP' },
          creditor: creditors[0],
          remittanceInformation: { reference: 'R-1' },
        },
      ],
    },
  });
  const keyed = (key: string) => ({ ...headers, 'content-type': 'application/json', [header.idempotency]: key });
  const checksOf = async () => (await server.done('getProgramChecks')).data;
  const verdictOf = async (id: string) => (await checksOf()).find((each) => each.id === id)!; // one of the checks
  return { sandbox, server, headers, body, keyed, checksOf, verdictOf };
}

describe('GET /api/programs/checks', () => {
  it('reports a program that retries a lost response with a new key, with the calls that show it (behaviour 10.21.8)', async () => {
    const { sandbox, server, body, keyed, verdictOf } = await judging();
    const before = await verdictOf('write-lost-response');
    expect(before).toMatchObject({ verdict: 'not exercised', exercise: { on: 'call', fault: { kind: 'answerLost' } } });
    await server.done('setFault', { body: before.exercise! });
    const paid = (key: string) => ask(sandbox.url, 'POST', endpoints.batches, keyed(key), body);
    await expect(paid('first')).rejects.toThrow();
    expect(await paid('second')).toMatchObject({ status: 201 });
    expect(await verdictOf('write-same-key')).toMatchObject({
      verdict: 'failed',
      seen: [
        {
          calls: [
            { number: 1, method: 'POST', operation: 'createBatch', status: 0 },
            { number: 2, method: 'POST', operation: 'createBatch', status: 201 },
          ],
        },
      ],
    });
    expect(await verdictOf('write-lost-response')).toMatchObject({ verdict: 'failed' });
    expect(await verdictOf('write-key')).toMatchObject({ verdict: 'passed', seen: [] });
  });

  it('judges calls that the console forwards for a program, and not its own (behaviour 10.21.8)', async () => {
    const { server, headers, verdictOf } = await judging();
    await server.call('getProviders', { query: { country: 'GB' } });
    expect((await verdictOf('request-secret-in-address')).verdict).toBe('not exercised');
    const program = await integratorAt(server.url);
    await program.called('GET', `/v3/providers?country=GB&key=${common[header.apiKey]}`, headers);
    const found = await verdictOf('request-secret-in-address');
    expect(found).toMatchObject({ verdict: 'failed', seen: [{ calls: [{ number: 1, operation: 'providers' }] }] });
    expect(JSON.stringify(found)).not.toContain(common[header.apiKey]);
  });

  it('is empty without an embedded sandbox', async () => {
    const server = await testConsole({ upstreamUrl: (await fakeUpstream({})).url });
    expect((await server.done('getProgramChecks')).data).toEqual([]);
  });
});

describe('The live verdict on a check', () => {
  const lost = { status: 0, fault: 'answerLost', response: { headers: {}, body: '' } };
  const verdictsOf = (calls: Parameters<typeof judgedLive>[0]['calls'], batches = [batch(1)]) =>
    Object.fromEntries(judgedLive({ calls, webhooks: [], batches }, []).map(({ id, verdict }) => [id, verdict]));

  it('is that of the latest run in which it was exercised', () => {
    const mistaken = [pay(1, 0, 'k1', lost), pay(2, 100, 'k2')];
    expect(verdictsOf(mistaken)['write-same-key']).toBe('failed');
    const mended = [pay(3, 60_000, 'k3', lost), pay(4, 60_100, 'k3')];
    expect(verdictsOf([...mistaken, ...mended])['write-same-key']).toBe('passed');
    expect(verdictsOf([...mistaken, call(5, 60_000)])['write-same-key']).toBe('failed');
  });

  it('accuses no program that pays the same again in another run', () => {
    const calls = [pay(1, 0, 'k1'), pay(2, 60_000, 'k2', lost), pay(3, 60_100, 'k2')];
    expect(verdictsOf(calls, [batch(1), batch(2)])).toMatchObject({
      'write-lost-response': 'passed',
      'write-same-key': 'passed',
    });
  });

  it('on a refused token is passed once the program has asked for another one', () => {
    const refused = pay(1, 0, 'k1', { status: 401, isDone: false });
    expect(verdictsOf([refused])['request-token-renewed']).toBe('not exercised');
    const renewed = [refused, token(2, 100, 'token-number-2')];
    expect(verdictsOf(renewed)['request-token-renewed']).toBe('passed');
  });

  it('finds a second payment by calls without a key', () => {
    const calls = [pay(1, 0, ''), pay(2, 60_000, '', lost), pay(3, 60_100, '')];
    const keyless = [1, 2, 3].map((number) => ({ ...batch(number), idempotencyKey: '' }));
    expect(verdictsOf(calls, keyless)['write-lost-response']).toBe('failed');
    expect(verdictsOf(calls.slice(0, 2), keyless.slice(0, 2))['write-lost-response']).toBe('passed');
  });
});
