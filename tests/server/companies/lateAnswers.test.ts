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

const batchSays = (status: string, more: object = {}) => ({ data: { batchId, status, ...more } });

interface Told {
  status: string;
  /** The end that the service had said before. */
  ended?: string | undefined;
}

/** A batch or subscription, as a page and a program reach it. */
interface Subject {
  read: () => Promise<Told>;
  /** An answer of the service with a status. */
  says: (status: string) => object;
  /** The record in the list of them. */
  listed: () => Promise<Told | undefined>;
  /** Writes the list with a status, as a program does. */
  write: (status: string) => Promise<void>;
}

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
  const { done } = opened.server;
  const batchOf: Subject = {
    read: async () => {
      const { data, ended } = await done('getBatch', { params: { batchId } });
      return { status: data.status, ended };
    },
    says: batchSays,
    listed: async () => (JSON.parse((await done('getPostedBatches')).data) as BatchRecord[])[0],
    write: async (status) => {
      const value = JSON.stringify([{ batchId, status }]);
      await done('setSetting', { body: { key: 'postedBatches', value } });
    },
  };
  const readSubscription = () => done('getSubscription', { params: { subscriptionId } });
  const subscriptionOf: Subject = {
    read: async () => {
      const { data, ended } = (await readSubscription()).data;
      return { status: data.status, ended };
    },
    says: subscription,
    listed: async () => (JSON.parse((await done('getSettings')).subscriptions) as SubscriptionRecord[])[0],
    write: async (status) => {
      const value = JSON.stringify([{ subscriptionId, status }]);
      await done('setSetting', { body: { key: 'subscriptions', value } });
    },
  };
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
  return { ...opened, reads, batch: batchOf, subscription: subscriptionOf, readSubscription, ask, stored };
}

describe.each([
  ['batch', 'Completed'],
  ['subscription', 'CAN_CELLED'],
] as const)('An answer about a %s', (kind, written) => {
  it('that was asked for later replaces an earlier one, in whatever order five of them arrive (behaviour 4.47; threat 3.28)', async () => {
    const { reads, ask, [kind]: subject } = await consoleThatReads();
    const all = await ask(subject.read, 5);
    for (const index of [0, 2, 4]) {
      reads.answer(index, subject.says(`Status${index}`));
      await all[index];
      expect(await subject.listed()).toMatchObject({ status: `Status${index}` });
    }
    reads.otherwise(subject.says('Status5'));
    for (const index of [3, 1]) {
      reads.answer(index, subject.says(`Status${index}`));
      // It is asked for again.
      expect(await all[index]!).toMatchObject({ status: 'Status5' });
    }
    expect(await subject.listed()).toMatchObject({ status: 'Status5' });
  });

  it('replaces a status that a user has written, also an end, and is listed as returned (behaviour 4.45)', async () => {
    const { reads, [kind]: subject } = await consoleThatReads();
    await subject.write(written);
    expect(await subject.listed()).toMatchObject({ status: written });
    reads.otherwise(subject.says('processing'));
    await subject.read();
    expect(await subject.listed()).toMatchObject({ status: 'processing' });
  });
});

describe('An answer in progress', () => {
  it.each([
    ['batch', 'Completed', 'Returned'],
    ['batch', 'REJECTED', 'Returned'],
    ['subscription', 'Rejected', 'Unforeseen'],
    ['subscription', 'EXPIRED', 'Unforeseen'],
  ] as const)(
    'about a %s after %s is shown as returned, with the end that was said before, until %s (behaviour 4.47)',
    async (kind, end, other) => {
      const { server, reads, [kind]: subject } = await consoleThatReads();
      for (const [status, ended] of [
        [end, undefined],
        ['Pending', end],
        ['', end],
        ['received', end],
        [end, undefined],
        ['authorised', end],
        [other, undefined],
      ] as const) {
        reads.otherwise(subject.says(status));
        expect(await subject.read()).toEqual({ status, ended });
        const listed = await subject.listed();
        expect([listed?.status, listed?.ended]).toEqual([status, ended]);
      }
      reads.otherwise(subject.says(end));
      await subject.read();
      reads.otherwise(subject.says('authorised'));
      await subject.read();
      expect(blockers('debtor', await server.done('getFacts')).includes('usableSubscription')).toBe(kind === 'batch');
    },
  );

  it.each([
    ['batch', 'the last end', ['Failed'], ['Received'], 'Failed'],
    ['batch', 'nothing that it has said', [], ['Completed', 'Processing'], undefined],
    ['batch', 'no end', ['Processing'], ['Completed', 'Received'], undefined],
    ['batch', 'another end', ['PartiallyCompleted'], ['Completed', 'Received'], 'PartiallyCompleted'],
    [
      'batch',
      'an end before',
      ['PaymentFileAvailable', 'Completed', 'Pending'],
      ['PaymentFileAvailable', 'Processing'],
      'Completed',
    ],
    [
      'batch',
      'what came back',
      ['Completed', 'Returned', 'Completed', 'Pending'],
      ['Completed', 'Processing'],
      'Returned',
    ],
    ['batch', 'an end, and that end is written', ['Completed'], ['Completed'], undefined],
    ['subscription', 'nothing that it has said', [], ['Rejected', 'Authorised'], undefined],
    ['subscription', 'no end', ['Authorised'], ['Expired', 'Pending'], undefined],
    ['subscription', 'another end', ['Cancelled'], ['Rejected', 'Authorised'], 'Cancelled'],
  ] as const)(
    'about a %s alone decides what it had ended as, not what a program has written: %s (behaviour 4.45)',
    async (kind, _, said, written, ended) => {
      const { reads, [kind]: subject } = await consoleThatReads();
      for (const status of said) {
        reads.otherwise(subject.says(status));
        await subject.read();
      }
      for (const status of written) await subject.write(status);
      const listed = await subject.listed();
      expect([listed?.status, listed?.ended]).toEqual([written.at(-1), ended]);
    },
  );
});

describe('An answer about a batch', () => {
  it('that was asked for earlier frees no invoice (behaviour 4.47)', async () => {
    const { server, reads, batch: subject, ask } = await consoleThatReads();
    const [first, second] = await ask(subject.read, 2);
    reads.answer(1, batchSays('Completed', { payments: [{ status: 'Completed' }] }));
    await second;
    reads.otherwise(batchSays('Completed', { payments: [{ status: 'Completed' }] }));
    reads.answer(0, batchSays('Failed', { payments: [{ status: 'Failed' }] }));
    await first;
    expect(await server.refused('createBatch', { body: batch })).toMatchObject({ code: 'paid-already' });
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
});
