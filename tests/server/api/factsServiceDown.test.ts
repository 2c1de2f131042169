import { describe, expect, it } from 'vitest';
import { journeyOrder, nextJourney, reason } from '#machines/journeys.ts';
import { unreadFor } from '#machines/unblock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';

type Console = Awaited<ReturnType<typeof testConsole>>;

const record = {
  subscriptionId: 'subscription-1',
  providerId: 'provider-1',
  status: 'Authorised',
  suspended: false,
  useMock: 'true',
};
const party = { subscriptionId: 'subscription-1' };

/** The records of a user who has paid before the service went down. */
async function fill({ store }: Console): Promise<void> {
  await store.settings.writeAll({
    providerCountry: 'GB',
    fileFormatCountry: 'GB',
    organisationId: 'organisation-1',
    companyId: 'company-1',
    companySigningKey: 'a2V5',
    accessTokenOf: 'company-1',
    subscriptionId: 'subscription-1',
    providerId: 'provider-1',
    batchId: 'batch-1',
  });
  await store.subscriptions.put('subscription-1', record);
  await store.subscriptions.put('subscription-2', { ...record, subscriptionId: 'subscription-2', status: 'Rejected' });
  await store.debtors.put('debtor-1', {
    ...party,
    debtorId: 'debtor-1',
    debtorAccountname: 'Example',
    debtorAgentidentification: '112233',
    debtorAccountidentification: '12345678',
    currency: 'GBP',
  });
  await store.batches.put('batch-1', {
    batchId: 'batch-1',
    status: 'Processing',
    amount: '1.00 GBP',
    kind: 'electronic',
    postedAt: '2026-11-20T09:00:00.000Z',
  });
}

const no = { title: 'no', code: 'No' };

/** A service with the same behaviour at every path. */
const always = async (script: Script) => (await fakeUpstream({ '/': script, [endpoints.accessToken]: script })).url;

/** A service that issues tokens and answers everything else in one way. */
const refusing = async (script: Script) => (await fakeUpstream({ '/': script })).url;

/** The facts of a console whose service went down after a payment. */
async function factsAt(upstreamUrl: string) {
  const server = await testConsole({ upstreamUrl, limits: { patience: { headers: 300 }, budget: 0 } });
  await fill(server);
  return { ...server, facts: await server.done('getFacts') };
}

const page =
  (status: number): Script =>
  (response) =>
    void response.writeHead(status).end('<h1>Not here</h1>');

describe('While the service is unavailable', () => {
  it.each<[how: string, service: () => Promise<string>, code: string]>([
    ['nobody listens', () => Promise.resolve('http://127.0.0.1:9'), 'upstream-unreachable'],
    ['it never answers', () => always(() => undefined), 'upstream-timeout'],
    ['it fails', () => always(answering({}, 500)), 'upstream-failed'],
    ['it takes no key', () => always(answering(no, 401)), 'key-rejected'],
    ['a proxy says that there is no such page', () => refusing(page(404)), 'upstream-failed'],
    ['a proxy refuses', () => refusing(page(400)), 'upstream-failed'],
    ['a proxy ended the request', () => refusing(answering(no, 499)), 'upstream-failed'],
    ['a proxy has no page for tokens either', () => always(page(404)), 'upstream-failed'],
    ['a proxy asks for its own login', () => always(page(401)), 'key-rejected'],
  ])(
    'facts have the stored records, name what could not be read, and miss no prerequisite: %s',
    async (_, at, code) => {
      const { facts, done } = await factsAt(await at());
      expect(facts).toMatchObject({
        environment: 'sandbox',
        accessToken: true,
        settings: { organisationId: 'organisation-1', subscriptionId: 'subscription-1' },
        subscription: { subscriptionId: 'subscription-1', status: 'Authorised', suspendedByConsumer: false },
        debtors: 1,
        batches: 1,
        batchStatus: 'Processing',
        unreadBecause: { code },
      });
      expect([...facts.unread].sort()).toEqual(['fileFormats', 'provider', 'providers', 'subscription']);
      expect(facts.alternatives).toMatchObject([
        { subscription: { subscriptionId: 'subscription-2' }, providerId: 'provider-1', provider: null, country: '' },
      ]);
      expect((await done('getPostedBatches')).data).toContain('batch-1');
      expect((await done('getDebtors')).data).toHaveLength(1);
      for (const id of journeyOrder) expect(reason(id, facts) ?? '').not.toMatch(/provider|No bank file|subscription/i);
      expect(journeyOrder.filter((id) => unreadFor(id, facts) !== null)).toContain('debtor');
      // Completed steps stay completed, as last seen.
      expect(nextJourney(facts)).toBe('userToken');
    },
  );

  it.each([401, 403, 409, 429])('no subscription is stored as unknown that it does not show: %i', async (status) => {
    const { refused, done } = await factsAt(await refusing(answering({ detail: 'no' }, status)));
    const problem = await refused('setSetting', { body: { key: 'subscriptionId', value: 'subscription-9' } });
    expect(problem.upstream).toMatchObject({ status });
    expect((await done('getSettings')).subscriptionId).toBe('subscription-1');
  });

  it.each([400, 403, 409, 422])('facts have the last known records where it refuses reads with %i', async (status) => {
    const { facts } = await factsAt(await refusing(answering({ detail: 'no' }, status)));
    expect(facts).toMatchObject({
      lost: '',
      subscription: { subscriptionId: 'subscription-1', status: 'Authorised' },
      unreadBecause: { upstream: { status } },
    });
    expect(facts.unread).toEqual(expect.arrayContaining(['subscription', 'provider']));
    for (const id of journeyOrder) expect(reason(id, facts) ?? '').not.toMatch(/subscription is|selected provider/i);
  });
});
