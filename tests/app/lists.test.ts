// @vitest-environment jsdom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor } from 'xstate';
import { authorisation } from '#app/ports/subscription.ts';
import { batchList } from '#app/ports/batch.ts';
import { everything } from '#tests/support/facts.ts';
import { batchRecord, provider } from '#tests/support/material.ts';
import { messageOf } from '#tests/support/messages.ts';
import { requests, server, started } from '#tests/support/answers.ts';

vi.mock('#app/client.ts', async () => ({ call: (await import('#tests/support/answers.ts')).call }));

const update = (subscriptionId: string, messageId = 'latest') =>
  messageOf({ kind: 'updates', subscriptionId, resourceId: subscriptionId, messageId });

beforeEach(() => {
  server.made.length = 0;
});

describe('what was made here is listed, the newest first', () => {
  it('as batches', async () => {
    const batches = ['first', 'second', 'third'].map((batchId) => ({ ...batchRecord, batchId }));
    server.answers = { getFacts: () => everything, getPostedBatches: () => ({ data: JSON.stringify(batches) }) };
    const { context } = await waitFor(started(batchList.machine), (snapshot) => snapshot.matches('listing'));
    expect(context.batches.map(({ batchId }) => batchId)).toEqual(['third', 'second', 'first']);
  });

  it('as subscriptions', async () => {
    const records = ['first', 'second', 'third'].map((subscriptionId) => ({
      subscriptionId,
      providerId: provider.providerId,
      status: 'Received',
      suspended: false,
      useMock: 'false',
    }));
    server.answers = {
      getSettings: () => ({ subscriptions: JSON.stringify(records), subscriptionId: 'first', acceptLanguage: 'en' }),
      getProvider: () => ({ data: provider }),
      getSubscription: () => ({ data: { data: { status: 'AwaitingAuthorisation' } } }),
      listMessages: () => ({ data: [update('third'), update('elsewhere'), update('first'), update('third', 'older')] }),
    };
    const { context } = await waitFor(started(authorisation.machine), (snapshot) => snapshot.matches('updating'));
    expect(context.rows.map(({ subscriptionId }) => subscriptionId)).toEqual(['third', 'second', 'first']);
    expect(context.rows.map(({ current }) => current)).toEqual([false, false, true]);
    // The update that is still awaited is taken up again; of two the later one.
    expect(context.rows.map(({ pending }) => pending?.messageId)).toEqual(['latest', undefined, 'latest']);
    expect(requests('listMessages')[0]).toMatchObject({ query: { state: 'waiting', kind: 'updates' } });
  });
});
