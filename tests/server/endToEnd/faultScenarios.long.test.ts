import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { faultHeader } from '#contract/constants.ts';
import { type faultKinds } from '#contract/lab.ts';
import { paymentForm } from '#rules/field.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { eventually } from '#tests/support/eventually.ts';
import { testConsole, testSandbox } from '#tests/support/console.ts';
import { batchBody, walk } from '#tests/support/guidedPath.ts';
import { labAt } from '#tests/support/lab.ts';

/** A console that has walked the guided path, and the fault lab of its sandbox. */
async function walked() {
  const patience = { headers: 300, body: 300, total: 2000 };
  let sandboxUrl = '';
  const server = await testConsole({
    limits: { patience },
    upstreamUrl: async (url) => ({ url: sandboxUrl } = await testSandbox({ webhookUrl: url + notificationsPath })).url,
  });
  const { subscriptionId, rules } = await walk(server);
  const body = () => batchBody(server, subscriptionId, paymentForm(rules));
  return { server, subscriptionId, body, lab: labAt(sandboxUrl) };
}

/** The problem code of a payment under each fault of its request. */
const said: Record<keyof (typeof faultKinds)['call'], string> = {
  status: 'upstream-busy',
  tooMany: 'upstream-busy',
  tooManyUntil: 'upstream-busy',
  redirect: 'upstream-invalid',
  expiredToken: '',
  latency: 'upstream-timeout',
  noAnswer: 'upstream-timeout',
  noBody: 'upstream-timeout',
  reset: 'upstream-unreachable',
  truncated: 'upstream-invalid',
  slow: 'upstream-timeout',
  html: 'upstream-failed',
  answerLost: 'upstream-unreachable',
  extraMembers: '',
  unknownStatus: '',
  nullMembers: '',
  changed: '',
};

describe('A payment under an injected fault', () => {
  it('has one effect when it is repeated under its key, for each fault of its request', async () => {
    const { server, body, lab } = await walked();
    const { ruleId } = await lab.set({ on: 'batch', times: 'always', fault: { kind: 'hold' } });
    const paid = async () => (await lab.rules()).find((rule) => rule.ruleId === ruleId)?.asked ?? 0;
    const found: Record<string, string> = {};
    for (const kind of Object.keys(said)) {
      const before = await paid();
      await lab.set({ on: 'call', of: 'createBatch', fault: { kind } });
      const request = { body: await body(), key: randomUUID(), query: { again: 'true' as const } };
      const first = await server.call('createBatch', request);
      found[kind] = first.ok ? '' : first.problem.code;
      const { batchId } = (await server.done('createBatch', request)).data;
      expect((await server.done('createBatch', request)).data.batchId).toBe(batchId);
      await eventually(async () => expect([kind, (await paid()) - before]).toEqual([kind, 1]));
    }
    expect(found).toEqual(said);
  });

  it('is not preceded by facts that deny the subscription after a token was rejected once', async () => {
    const { server, subscriptionId, lab } = await walked();
    for (const of of ['subscription', 'accessToken'])
      await lab.set({ on: 'call', of, fault: { kind: 'expiredToken' } });
    const { subscription, lost } = await server.done('getFacts');
    expect((await lab.rules()).map(({ happened }) => happened)).toEqual([1, 1]);
    expect([subscription?.subscriptionId, lost]).toEqual([subscriptionId, '']);
  });

  it('has its faulty responses and webhooks marked in the timeline', async () => {
    const { server, body, lab } = await walked();
    const call = await lab.set({ on: 'call', of: 'createBatch', fault: { kind: 'status', status: 503 } });
    const webhook = await lab.set({ on: 'webhook', of: 'batchUpdated', fault: { kind: 'badSignature' } });
    const request = { body: await body(), key: randomUUID(), query: { again: 'true' as const } };
    await server.refused('createBatch', request);
    await server.done('createBatch', request);
    const marks = async (kind: 'service' | 'webhook') =>
      (await server.done('getTimeline', { query: { kind } })).data.flatMap((entry) => {
        const { headers } = kind === 'webhook' ? entry.request : entry.response;
        return headers[faultHeader] ?? [];
      });
    await eventually(async () => {
      expect(await marks('service')).toEqual([`status; rule=${call.ruleId}`]);
      expect(await marks('webhook')).toContain(`badSignature; rule=${webhook.ruleId}`);
    });
  });
});
