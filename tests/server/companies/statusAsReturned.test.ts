import { describe, expect, it } from 'vitest';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { blockers } from '#machines/journeys.ts';
import { authoriseBlocked, suspendBlocked } from '#machines/subscription/rows.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { rowOf } from '#tests/machines/subscription.models.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

/** A console whose service says this status of the subscription `sub-1`. */
async function saying(first: string) {
  let status = first;
  const service = await fakeUpstream({
    [pathOf('createSubscription', 'organisationId')]: (response, request) =>
      answering({ data: { subscriptionId: 'sub-1', providerId: 'p', status } }, 201)(response, request),
    [`${endpoints.subscriptions}/sub-1`]: (response, request) =>
      answering({ data: { subscriptionId: 'sub-1', providerId: 'p', status } })(response, request),
    [endpoints.providers]: answering({ data: [] }),
    [endpoints.fileFormats]: answering({ data: [] }),
  });
  const server = await testConsole({ upstreamUrl: service.url });
  for (const key of ['organisationId', 'companyId', 'companySigningKey'] as const)
    await server.store.settings.write(key, key);
  const { data } = await server.done('createSubscription', {
    body: { data: { providerId: 'p', additionalData: '{}' } },
  });
  expect(data.status).toBe(first);
  return { ...server, say: (next: string) => void (status = next) };
}

describe('The status of a subscription', () => {
  it.each([
    ['awaiting_authorisation', true, true],
    ['AUTHORISED', false, false],
    ['re-jected', false, true],
    ['Something New', true, true],
  ])(
    '%s is stored and shown as returned, and decides by its meaning (behaviour 3.16)',
    async (status, isOpen, isBlocked) => {
      const { done, say } = await saying('RECEIVED');
      say(status);
      expect((await done('getSubscription', { params: { subscriptionId: 'sub-1' } })).data.data.status).toBe(status);
      const [record] = JSON.parse((await done('getSettings')).subscriptions) as SubscriptionRecord[];
      expect(record?.status).toBe(status);
      const facts = await done('getFacts');
      expect(facts.subscription?.status).toBe(status);
      expect(blockers('debtor', facts).includes('usableSubscription')).toBe(isBlocked);
      const row = rowOf({ status, authorise: 'http://provider.test/authorise' });
      expect([authoriseBlocked(row) === '', suspendBlocked(row) !== '']).toEqual([isOpen, isBlocked]);
    },
  );
});
