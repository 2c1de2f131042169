import type { BatchRecord } from '#contract/batch.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { describe, expect, it, vi } from 'vitest';
import { blockers } from '#machines/journeys.ts';
import { firstCompany } from '#server/companies/companyList.ts';
import { subscriptionAnswers } from '#server/companies/records.ts';
import { defaultWorkspace } from '#server/http/user.ts';
import { DatabaseError } from '#server/storage/errors.ts';
import { batch, consoleWith } from '#tests/support/consoleWithPayments.ts';
import { deliver } from '#tests/support/deliverWebhook.ts';
import { eventually } from '#tests/support/eventually.ts';
import { answering } from '#tests/support/fakeUpstream.ts';
import { heldReads } from '#tests/support/heldReads.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { collectionIn } from '#tests/support/storage.ts';

const firstPlace = { workspace: defaultWorkspace, companyKey: firstCompany };
const batchId = 'batch-1';
const subscriptionId = 'subscription-1';
const subscription = (status: string, more: object = {}) => ({
  data: { subscriptionId, providerId: 'p', status, ...more },
});

async function consoleThatReads() {
  const reads = heldReads();
  const opened = await consoleWith((response, asked) =>
    asked.method === 'GET'
      ? reads.script(response, asked)
      : answering({ data: { batchId, status: 'Received' } }, 201)(response, asked),
  );
  opened.service.scripts[`${endpoints.subscriptions}/`] = reads.script;
  const { store } = opened.server;
  await store.subscriptions.put(subscriptionId, {
    subscriptionId,
    providerId: 'p',
    status: 'Received',
    suspended: false,
    useMock: '',
  });
  await opened.server.done('createBatch', { body: batch });
  const readBatch = () => opened.server.done('getBatch', { params: { batchId } });
  const readSubscription = () => opened.server.done('getSubscription', { params: { subscriptionId } });
  /** Starts reads one after the other; resolves when the service has been asked for each. */
  const ask = async <T>(read: () => Promise<T>, number: number): Promise<Promise<T>[]> => {
    const all: Promise<T>[] = [];
    for (let count = 1; count <= number; count += 1) {
      all.push(read());
      await eventually(() => expect(reads.waiting()).toBe(count));
    }
    return all;
  };
  const stored = async () => ({
    batch: (await store.batches.get(batchId))?.status,
    subscription: await store.subscriptions.get(subscriptionId),
  });
  return { ...opened, reads, readBatch, readSubscription, ask, stored };
}

const listedSubscriptions = async (server: Awaited<ReturnType<typeof consoleThatReads>>['server']) =>
  JSON.parse((await server.done('getSettings')).subscriptions) as SubscriptionRecord[];

const batchSays = (status: string, more: object = {}) => ({ data: { batchId, status, ...more } });

describe('An answer about a batch', () => {
  it.each([
    ['Received', 'Processing'],
    ['Processing', 'Completed'],
    ['Failed', 'Completed'],
    ['Completed', 'Failed'],
    ['Unforeseen', 'Returned'],
  ])('%s that was asked for before %s does not replace it (behaviour 4.47)', async (early, late) => {
    const { reads, readBatch, ask, stored } = await consoleThatReads();
    const [first, second] = await ask(readBatch, 2);
    reads.answer(1, batchSays(late));
    expect((await second!).data.status).toBe(late);
    reads.answer(0, batchSays(early));
    // It is asked for again.
    await eventually(() => expect(reads.waiting()).toBe(1));
    reads.answer(2, batchSays(late));
    expect((await first!).data.status).toBe(late);
    expect((await stored()).batch).toBe(late);
  });

  it('that was asked for later replaces an earlier one, in whatever order five of them arrive (behaviour 4.47; threat 3.28)', async () => {
    const { reads, readBatch, ask, stored } = await consoleThatReads();
    const all = await ask(readBatch, 5);
    for (const index of [0, 2, 4]) {
      reads.answer(index, batchSays(`Status${index}`));
      await all[index];
      expect((await stored()).batch).toBe(`Status${index}`);
    }
    reads.otherwise(batchSays('Status5'));
    for (const index of [3, 1]) {
      reads.answer(index, batchSays(`Status${index}`));
      expect((await all[index]!).data.status).toBe('Status5');
    }
    expect((await stored()).batch).toBe('Status5');
  });

  it('that was asked for earlier frees no invoice (behaviour 4.47)', async () => {
    const { server, reads, readBatch, ask } = await consoleThatReads();
    const [first, second] = await ask(readBatch, 2);
    reads.answer(1, batchSays('Completed', { payments: [{ status: 'Completed' }] }));
    await second;
    reads.otherwise(batchSays('Completed', { payments: [{ status: 'Completed' }] }));
    reads.answer(0, batchSays('Failed', { payments: [{ status: 'Failed' }] }));
    await first;
    expect(await server.refused('createBatch', { body: batch })).toMatchObject({ code: 'paid-already' });
  });

  it.each(['Completed', 'Failed', 'PaymentFileAvailable', 'REJECTED'])(
    'in progress after %s is shown as returned, with the end that was said before (behaviour 4.47)',
    async (end) => {
      const { server, reads, readBatch, stored } = await consoleThatReads();
      for (const [status, ended] of [
        [end, undefined],
        ['Processing', end],
        ['', end],
        ['received', end],
        [end, undefined],
        ['Processing', end],
        ['Returned', undefined],
      ] as const) {
        reads.otherwise(batchSays(status));
        const answer = await readBatch();
        expect([answer.data.status, answer.ended]).toEqual([status, ended]);
        expect((await stored()).batch).toBe(status);
        const [record] = JSON.parse((await server.done('getPostedBatches')).data) as BatchRecord[];
        expect([record?.status, record?.ended]).toEqual([status, ended]);
      }
    },
  );

  it.each(['PartiallyCompleted', 'Failed'])(
    'of %s keeps that end when a list that was read before it is written (behaviour 4.45)',
    async (end) => {
      const { server, reads, readBatch } = await consoleThatReads();
      reads.otherwise(batchSays(end));
      await readBatch();
      const value = JSON.stringify([{ batchId, status: 'Received' }]);
      await server.done('setSetting', { body: { key: 'postedBatches', value } });
      const [record] = JSON.parse((await server.done('getPostedBatches')).data) as BatchRecord[];
      expect([record?.status, record?.ended]).toEqual(['Received', end]);
    },
  );

  it.each([
    ['nothing that it has said', [], ['Completed', 'Processing'], undefined],
    ['no end', ['Processing'], ['Completed', 'Received'], undefined],
    ['another end', ['PartiallyCompleted'], ['Completed', 'Received'], 'PartiallyCompleted'],
    [
      'an end before',
      ['PaymentFileAvailable', 'Completed', 'Pending'],
      ['PaymentFileAvailable', 'Processing'],
      'Completed',
    ],
    ['what came back', ['Completed', 'Returned', 'Completed', 'Pending'], ['Completed', 'Processing'], 'Returned'],
    ['an end, and that end is written', ['Completed'], ['Completed'], undefined],
  ] as const)(
    'alone decides what it had ended as, not what a program has written: %s (behaviour 4.45)',
    async (_, said, written, ended) => {
      const { server, reads, readBatch } = await consoleThatReads();
      for (const status of said) {
        reads.otherwise(batchSays(status));
        await readBatch();
      }
      for (const status of written) {
        const value = JSON.stringify([{ batchId, status }]);
        await server.done('setSetting', { body: { key: 'postedBatches', value } });
      }
      const [record] = JSON.parse((await server.done('getPostedBatches')).data) as BatchRecord[];
      expect([record?.status, record?.ended]).toEqual([written.at(-1), ended]);
    },
  );

  it('replaces a status that a user has written, also an end (behaviour 4.45)', async () => {
    const { server, reads, readBatch, stored } = await consoleThatReads();
    const value = JSON.stringify([{ batchId, status: 'Completed' }]);
    await server.done('setSetting', { body: { key: 'postedBatches', value } });
    reads.otherwise(batchSays('Processing'));
    await readBatch();
    expect((await stored()).batch).toBe('Processing');
  });

  it('to a webhook’s read that arrives before the response to its creation is not replaced by that (behaviour 4.47)', async () => {
    const { server, service, stored } = await consoleThatReads();
    service.scripts[endpoints.batches] = async (response, asked) => {
      if (asked.method === 'GET')
        return answering({ data: { batchId: 'batch-2', status: 'Completed' } })(response, asked);
      const webhook = { type: 'batchUpdated', resource: { id: 'batch-2', type: 'BatchPayment' } };
      expect((await deliver(server.url, JSON.stringify(webhook))).status).toBe(204);
      return answering({ data: { batchId: 'batch-2', status: 'Received' } }, 201)(response, asked);
    };
    const [payment] = batch.payments;
    const body = { ...batch, payments: [{ ...payment!, remittanceInformation: { reference: 'other' } }] };
    await server.done('createBatch', { body });
    expect((await server.store.batches.get('batch-2'))?.status).toBe('Completed');
    expect((await stored()).batch).toBe('Received');
  });
});

describe('An answer about a subscription', () => {
  it('that was asked for earlier replaces neither status nor suspension, and gives no other link (behaviour 4.47)', async () => {
    const { reads, readSubscription, ask, stored } = await consoleThatReads();
    const [first, second] = await ask(readSubscription, 2);
    const now = {
      ...subscription('Authorised', { suspendedByConsumer: true }),
      links: { authorise: 'https://new.test' },
    };
    reads.answer(1, now);
    await second;
    reads.otherwise(now);
    reads.answer(0, {
      ...subscription('Received', { suspendedByConsumer: false }),
      links: { authorise: 'https://old.test' },
    });
    const { data, links } = (await first!).data;
    expect([data.status, data.suspendedByConsumer, links?.authorise]).toEqual(['Authorised', true, 'https://new.test']);
    expect((await stored()).subscription).toMatchObject({ status: 'Authorised', suspended: true });
  });

  it('that was asked for before a suspension does not take it back (behaviour 4.47)', async () => {
    const { server, service, reads, readSubscription, ask, stored } = await consoleThatReads();
    const [slow] = await ask(readSubscription, 1);
    service.scripts[`${endpoints.subscriptions}/`] = answering(
      subscription('Authorised', { suspendedByConsumer: true }),
    );
    await server.done('patchSubscription', {
      params: { subscriptionId },
      body: { data: { suspendedByConsumer: true } },
    });
    reads.answer(0, subscription('Authorised', { suspendedByConsumer: false }));
    await slow;
    expect((await stored()).subscription).toMatchObject({ suspended: true });
    expect((await server.done('getFacts')).subscription).toMatchObject({ suspendedByConsumer: true });
  });

  it('that says nothing new is returned although it cannot be stored, one that does is not', async () => {
    const { server, reads, readSubscription } = await consoleThatReads();
    reads.otherwise(subscription('Authorised'));
    await readSubscription();
    const { transaction } = server.storage;
    const full = new DatabaseError('the store', 'SQLITE_FULL', 'the disk is full');
    vi.spyOn(server.storage, 'transaction').mockImplementation(async (lock, run) => {
      await transaction(lock, run);
      throw full;
    });
    expect((await readSubscription()).data.data.status).toBe('Authorised');
    reads.otherwise(subscription('Suspended'));
    await expect(readSubscription()).rejects.toThrow('store-failed');
  });

  it('is not replaced by an earlier one after a later one could not be stored (behaviour 4.47)', async () => {
    const { server, reads, readSubscription, ask, stored } = await consoleThatReads();
    const [first, second, third] = await ask(readSubscription, 3);
    const { transaction } = server.storage;
    vi.spyOn(server.storage, 'transaction').mockImplementationOnce(async (lock, run) => {
      // While the last answer waits for its turn, the second one is stored.
      reads.answer(1, subscription('Suspended'));
      await second;
      return transaction(lock, async () => {
        await run();
        throw new DatabaseError('the store', 'SQLITE_FULL', 'the disk is full');
      });
    });
    reads.answer(2, subscription('Authorised'));
    await expect(third).rejects.toThrow('store-failed');
    reads.otherwise(subscription('Suspended'));
    reads.answer(0, subscription('Authorised'));
    await first;
    expect((await stored()).subscription).toMatchObject({ status: 'Suspended' });
  });

  it('is stored after later ones that say the same', async () => {
    const { reads, readSubscription, ask, stored } = await consoleThatReads();
    const [first, second, third] = await ask(readSubscription, 3);
    reads.answer(0, subscription('Authorised'));
    await first;
    reads.answer(2, subscription('Authorised'));
    await third;
    reads.otherwise(subscription('Authorised'));
    reads.answer(1, subscription('Suspended'));
    await second;
    expect((await stored()).subscription).toMatchObject({ status: 'Authorised' });
  });

  it('that says nothing new is not written, and still comes after one that was asked for earlier (behaviour 4.47)', async () => {
    const { server, reads, readSubscription, ask, stored } = await consoleThatReads();
    reads.otherwise(subscription('Authorised'));
    await readSubscription();
    const kept = () => collectionIn(server.storage, subscriptionAnswers).get(firstPlace, subscriptionId);
    const before = await kept();
    for (let turn = 0; turn < 3; turn += 1) await readSubscription();
    expect(await kept()).toEqual(before);
    for (const [early, more] of [
      ['Pending', {}],
      ['Authorised', { suspendedByConsumer: true }],
      ['', {}],
    ] as const) {
      reads.hold();
      const [first, second, third] = await ask(readSubscription, 3);
      const from = reads.held() - 3;
      reads.answer(from + 2, subscription('Authorised'));
      await third;
      reads.answer(from + 1, subscription('Authorised'));
      reads.otherwise(subscription('Authorised'));
      await second;
      reads.answer(from, subscription(early, more));
      expect((await first!).data.data).toMatchObject({ status: 'Authorised' });
      expect((await stored()).subscription).toMatchObject({ status: 'Authorised', suspended: false });
    }
    reads.otherwise(subscription('Suspended'));
    expect((await readSubscription()).data.data.status).toBe('Suspended');
    expect((await stored()).subscription).toMatchObject({ status: 'Suspended' });
  });

  it.each(['Rejected', 'Cancelled', 'EXPIRED'])(
    'after %s is shown as returned, with the end that was said before, and can pay (behaviour 4.47)',
    async (end) => {
      const { server, reads, readSubscription, stored } = await consoleThatReads();
      for (const [status, ended] of [
        [end, undefined],
        ['Authorised', end],
        ['', end],
        [end, undefined],
        ['Pending', end],
        ['Unforeseen', undefined],
        [end, undefined],
        ['authorised', end],
      ] as const) {
        reads.otherwise(subscription(status));
        const answer = (await readSubscription()).data;
        expect([answer.data.status, answer.ended]).toEqual([status, ended]);
        const { subscription: record } = await stored();
        expect([record?.status, record?.ended]).toEqual([status, ended]);
        const [listed] = await listedSubscriptions(server);
        expect([listed?.status, listed?.ended]).toEqual([status, ended]);
        expect((await server.done('getFacts')).subscription).toMatchObject({ status });
      }
      expect(blockers('debtor', await server.done('getFacts'))).not.toContain('usableSubscription');
    },
  );

  it.each([
    ['nothing that it has said', [], ['Rejected', 'Authorised'], undefined],
    ['no end', ['Authorised'], ['Expired', 'Pending'], undefined],
    ['another end', ['Cancelled'], ['Rejected', 'Authorised'], 'Cancelled'],
  ] as const)(
    'alone decides what it had ended as, not what a program has written: %s (behaviour 4.45)',
    async (_, said, written, ended) => {
      const { server, reads, readSubscription } = await consoleThatReads();
      for (const status of said) {
        reads.otherwise(subscription(status));
        await readSubscription();
      }
      for (const status of written) {
        const value = JSON.stringify([{ subscriptionId, status }]);
        await server.done('setSetting', { body: { key: 'subscriptions', value } });
      }
      const [listed] = await listedSubscriptions(server);
      expect([listed?.status, listed?.ended]).toEqual([written.at(-1), ended]);
    },
  );

  it('replaces an end that a user has written, and is stored as written, then as returned', async () => {
    const { server, reads, readSubscription, stored } = await consoleThatReads();
    const value = JSON.stringify([{ subscriptionId, status: 'CAN_CELLED' }]);
    await server.done('setSetting', { body: { key: 'subscriptions', value } });
    expect((await stored()).subscription).toMatchObject({ status: 'CAN_CELLED' });
    reads.otherwise(subscription('authorised'));
    await readSubscription();
    expect((await stored()).subscription).toMatchObject({ status: 'authorised' });
  });
});
