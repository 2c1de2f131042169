import { describe, expect, it } from 'vitest';
import { controlCalls, type ControlCall, type ControlCallName } from '#contract/controlCalls.ts';
import { controlOpenApi } from '#server/sandbox/documents.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { lintOpenApi } from '#tests/support/lintOpenApi.ts';
import { testLab } from '../testLab.ts';
import { executionDate } from '#tests/support/executionDate.ts';

describe('the OpenAPI document of the fault lab', () => {
  it('names answers by status or as a default, because generators of clients make no name of a range', () => {
    const answers = Object.values(controlOpenApi().paths ?? {}).flatMap((operations) =>
      Object.values(operations as Record<string, { responses: object }>).flatMap(({ responses }) =>
        Object.keys(responses),
      ),
    );
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((answer) => !/^(\d{3}|default)$/.test(answer))).toEqual([]);
  });

  it('passes the linter', async () => {
    expect(await lintOpenApi(controlOpenApi())).toMatchObject({ errors: 0, warnings: 0 });
  }, 30_000);

  it('is answered to anyone and names every call', async () => {
    const { call } = await testLab();
    const { status, text } = await call('GET', '/sandbox/openapi.json');
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, { operationId: string }>> }; // above
    const named = Object.values(paths).flatMap((each) => Object.values(each).map(({ operationId }) => operationId));
    expect([status, named.sort()]).toEqual([200, Object.keys(controlCalls).sort()]);
  });

  it('describes what each call answers', async () => {
    const { lab, set, who, webhook, call } = await testLab();
    const payment = { instructedAmount: { amount: '1', currency: 'GBP' }, creditor: { name: 'Example Ltd' } };
    const data = {
      externalId: 'b-1',
      requestedExecutionDateTime: executionDate,
      payments: [payment],
      subscriptionId: who.subscriptionId,
    };
    const { batchId } = (await call('POST', endpoints.batches, { token: who.token, body: { data } })).body.data;
    const { ruleId } = await set({ on: 'webhook', fault: { kind: 'duplicate' } });
    await call('PATCH', `${endpoints.subscriptions}/${who.subscriptionId}`, {
      token: who.token,
      body: { data: { suspendedByConsumer: true } },
    });
    const { headers } = await webhook('subscriptionUpdated');
    const webhookId = String(headers['webhook-id']);
    let snapshotId = '';
    const asked: Record<ControlCallName, { id?: string; body?: object }> = {
      listRules: {},
      readSituation: {},
      addRule: { body: { on: 'batch', fault: { kind: 'hold' } } },
      removeRule: { id: ruleId },
      stopAll: {},
      listBatches: {},
      stepBatch: { id: batchId },
      listWebhooks: {},
      sendAllAgain: { body: { since: '2026-01-31T09:00:00Z' } },
      checkWebhook: { body: { body: '{}' } },
      sendAgain: { id: webhookId },
      explainSignature: { id: webhookId },
      readReceiver: {},
      setReceiver: { body: { url: 'http://127.0.0.1:9/notifications' } },
      removeReceiver: {},
      readClock: {},
      moveClock: { body: { move: 1000, still: false } },
      sendWebhook: { body: { type: 'batchUpdated' } },
      createApplication: {},
      prepareSituation: { body: { situation: 'organisation' } },
      listCalls: {},
      takeSnapshot: {},
      restoreSnapshot: { id: '' },
      resetClock: {},
      openSituation: {
        body: {
          tables: { resources: [], stored_answers: [], jobs: [], deliveries: [] },
          seed: 1,
          ids: 0,
          clock: { now: '2026-01-31T09:00:00.000Z', still: false },
        },
      },
    };
    for (const [name, { id = '', body }] of Object.entries(asked)) {
      const { method, path, status, answer }: ControlCall = controlCalls[name as ControlCallName]; // the keys above
      const got = await lab(method.toUpperCase(), path.replace(/\{\w+\}/, id || snapshotId), body);
      if (name === 'takeSnapshot') ({ snapshotId } = got.body.data);
      expect([name, got.status]).toEqual([name, status]);
      if (answer) expect(answer.safeParse(got.body.data), name).toMatchObject({ success: true });
    }
  });
});
