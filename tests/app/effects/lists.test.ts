import { beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor } from 'xstate';
import { authorisation } from '#app/effects/subscription.ts';
import { batchList } from '#app/effects/batch.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { batchRecord, failure, provider } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { names, requests, server, started } from '#tests/support/fakeCalls.ts';

vi.mock('#app/client/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

const update = (subscriptionId: string, messageId = 'latest') =>
  messageOf({ kind: 'updates', subscriptionId, resourceId: subscriptionId, messageId });

beforeEach(() => {
  server.made.length = 0;
});

describe('a list of created records', () => {
  it('shows batches with the newest first', async () => {
    const batches = ['first', 'second', 'third'].map((batchId) => ({ ...batchRecord, batchId }));
    server.answers = { getFacts: () => everything, getPostedBatches: () => ({ data: JSON.stringify(batches) }) };
    const { context } = await waitFor(started(batchList.machine), (snapshot) => snapshot.matches('listing'));
    expect(context.batches.map(({ batchId }) => batchId)).toEqual(['third', 'second', 'first']);
    expect(names()).toEqual(['getPostedBatches']);
  });

  it('shows subscriptions with the newest first, and the latest pending update of each', async () => {
    const records = ['first', 'second', 'third'].map((subscriptionId) => ({
      subscriptionId,
      providerId: provider.providerId,
      status: 'Received',
      suspended: false,
      useMock: 'false',
    }));
    server.answers = {
      getFacts: () => everything,
      getSettings: () => ({ subscriptions: JSON.stringify(records), subscriptionId: 'first', acceptLanguage: 'en' }),
      getProvider: () => ({ data: provider }),
      getSubscription: () => ({ data: { data: { status: 'AwaitingAuthorisation' } } }),
      listMessages: () => ({ data: [update('third'), update('elsewhere'), update('first'), update('third', 'older')] }),
    };
    const { context } = await waitFor(started(authorisation.machine), (snapshot) => snapshot.matches('updating'));
    expect(context.rows.map(({ subscriptionId }) => subscriptionId)).toEqual(['third', 'second', 'first']);
    expect(context.rows.map(({ current }) => current)).toEqual([false, false, true]);
    // A pending update is resumed, the later one of two.
    expect(context.rows.map(({ pending }) => pending?.messageId)).toEqual(['latest', undefined, 'latest']);
    expect(requests('listMessages')[0]).toMatchObject({ query: { state: 'waiting', kind: 'updates' } });
  });
});

/** A failed call rejects with a problem. */
// eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
const failing = (problem: object) => () => Promise.reject(problem);
const record = {
  subscriptionId: 'first',
  providerId: provider.providerId,
  status: 'Authorised',
  suspended: true,
  useMock: 'false',
};
const settings = {
  subscriptions: JSON.stringify([record]),
  subscriptionId: 'first',
  acceptLanguage: 'en',
};

describe('a list while the service is down', () => {
  it.each([
    ['cannot be reached', failure],
    ['refuses the key', { ...failure, code: 'key-rejected', title: 'It takes no key' }],
    ['fails', { ...failure, code: 'upstream-failed', title: 'It failed' }],
  ] as const)('shows subscriptions as last read, with the reason: the service %s', async (_, problem) => {
    server.answers = {
      getFacts: () => everything,
      getSettings: () => settings,
      getProvider: failing(problem),
      getSubscription: failing(problem),
      listMessages: () => ({ data: [] }),
      changeSettings: () => ({}),
    };
    const list = started(authorisation.machine);
    const { context } = await waitFor(list, (snapshot) => snapshot.matches({ list: 'listing' }));
    expect(context.rows).toMatchObject([
      { ...record, unread: problem.title, readAt: '', providerName: '', country: '', current: true },
    ]);
    // A subscription can still be selected; country and language stay the same.
    list.send({ type: 'subscription.select', id: 'first' });
    await waitFor(list, (snapshot) => snapshot.matches({ acting: 'selecting' }));
    await waitFor(list, (snapshot) => snapshot.matches({ list: 'listing' }));
    expect(requests('changeSettings').map(({ body }) => body)).toEqual([
      { subscriptionId: 'first', providerId: provider.providerId },
    ]);
  });

  it('shows the current status of a subscription, and its end before, once it can be read again (behaviour 4.47)', async () => {
    server.answers = {
      getFacts: () => everything,
      getSettings: () => settings,
      getProvider: () => ({ data: provider }),
      getSubscription: failing(failure),
      listMessages: () => ({ data: [] }),
    };
    const list = started(authorisation.machine);
    await waitFor(list, (snapshot) => snapshot.matches({ list: 'listing' }));
    for (const [status, ended] of [['Rejected'], ['Authorised', 'Rejected'], ['Cancelled']] as const) {
      server.answers['getSubscription'] = () => ({ data: { data: { status }, ...(ended && { ended }) } });
      list.send({ type: 'retry' });
      await waitFor(list, (snapshot) => snapshot.matches('loading'));
      const { context } = await waitFor(list, (snapshot) => snapshot.matches({ list: 'listing' }));
      expect(context.rows).toMatchObject([{ status, unread: '' }]);
      expect(context.rows[0]?.ended).toBe(ended);
    }
  });

  it('is replaced by the failure if the console’s own store fails', async () => {
    server.answers = {
      getFacts: () => everything,
      getSettings: () => settings,
      getProvider: () => ({ data: provider }),
      getSubscription: failing({ ...failure, code: 'store-failed' }),
      listMessages: () => ({ data: [] }),
    };
    const { context } = await waitFor(started(authorisation.machine), (snapshot) => snapshot.matches('unavailable'));
    expect(context.failure).toMatchObject({ code: 'store-failed' });
  });

  it('shows batches as last read, each with the time of that reading', async () => {
    const batches = [{ ...batchRecord, status: 'Processing', readAt: '2026-11-20T10:00:00.000Z' }];
    const unread = ['subscription', 'provider', 'providers', 'fileFormats'] as const;
    server.answers = {
      getFacts: () => withFacts(everything, { unread: [...unread], unreadBecause: failure }),
      getPostedBatches: () => ({ data: JSON.stringify(batches) }),
      getBatch: failing(failure),
    };
    const list = started(batchList.machine);
    expect((await waitFor(list, (snapshot) => snapshot.matches('listing'))).context.batches).toEqual(batches);
    list.send({ type: 'batch.poll', id: batchRecord.batchId });
    const { context } = await waitFor(list, (snapshot) => snapshot.matches('stalled'));
    expect(context).toMatchObject({ batches, failure });
  });
});
