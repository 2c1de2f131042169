import { textOf } from '#tests/support/api.ts';
import { describe, expect, it } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import { paymentForm } from '#rules/field.ts';
import { eventually } from '#tests/support/eventually.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { batchIn, onboard, pay, subscribe } from '#tests/support/guidedPath.ts';

describe('The guided path from an empty console', () => {
  it('leads to a completed electronic batch and a payment file', async () => {
    const server = await consoleWithSandbox();
    const { done } = server;
    await onboard(server);
    const { provider, rules, subscriptionId, creditorId } = await subscribe(server);

    const electronic = await pay(server, subscriptionId, paymentForm(rules));
    expect((await batchIn(server, 'Completed', electronic)).data.payments).toHaveLength(3);

    const [format] = (await done('getFileFormats')).data;
    const fileForm = paymentForm(rules, format!.specification.rules);
    const byFile = await pay(server, subscriptionId, fileForm, format!.fileFormatId);
    const link = (await batchIn(server, 'PaymentFileAvailable', byFile)).links!.paymentFile!;
    expect(
      textOf(await done('downloadPaymentFile', { params: { link } }))
        .trim()
        .split('\n').length,
    ).toBeGreaterThan(3);

    const batches = JSON.parse((await done('getPostedBatches')).data) as BatchRecord[];
    expect(batches.map(({ batchId, kind, status }) => [batchId, kind, status])).toEqual([
      [electronic, 'electronic', 'Completed'],
      [byFile, 'file', 'PaymentFileAvailable'],
    ]);
    expect(batches[0]?.amount).toMatch(/^\d+\.\d\d GBP$/);
    // Both were read after they were posted.
    for (const { postedAt, readAt } of batches) expect(readAt! > postedAt).toBe(true);

    // The provider's list restores a record that is missing locally.
    await server.store.creditors.remove(creditorId);
    await done('queryCreditors', { body: { data: { subscriptionId } } });
    await eventually(async () => {
      const { webhookData } = await done('getSettings');
      expect(webhookData).toContain('creditorlistqueryresponses');
      expect(webhookData).toContain(creditorId);
    });
    expect(await done('getFacts')).toMatchObject({
      accessToken: true,
      userToken: true,
      provider: { name: provider.name },
      subscription: { subscriptionId, status: 'Authorised', suspendedByConsumer: false },
      debtors: 1,
      creditors: 1,
      batches: 2,
      batchStatus: 'PaymentFileAvailable',
    });
  }, 60_000);

  it('allows the user to suspend and resume the subscription', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const { subscriptionId } = await subscribe(server);
    for (const suspendedByConsumer of [true, false]) {
      const body = { data: { suspendedByConsumer } };
      const { data } = await server.done('patchSubscription', { params: { subscriptionId }, body });
      expect(data.suspendedByConsumer).toBe(suspendedByConsumer);
      expect(await server.store.subscriptions.get(subscriptionId)).toMatchObject({ suspended: suspendedByConsumer });
    }
  }, 60_000);

  it('reports why the service refused a request: its status and the fields (behaviour 10.15.3)', async () => {
    const server = await consoleWithSandbox();
    await onboard(server);
    const [provider] = (await server.done('getProviders')).data;
    const body = { data: { providerId: provider!.providerId, additionalData: '{}' } };
    const problem = await server.refused('createSubscription', { body });
    expect(problem).toMatchObject({ code: 'upstream-refused', status: 422, upstream: { status: 422 } });
    expect(problem.errors).not.toHaveLength(0);
  }, 60_000);
});
