import { describe, expect, it } from 'vitest';
import { journeyOrder, nextJourney, reason } from '#machines/journeys.ts';
import { unreadFor } from '#machines/unblock.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import { listening } from '#tests/support/listen.ts';

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

const silent: Script = () => undefined;

/** A service with the same behaviour at every path. */
const always = async (script: Script) => (await fakeUpstream({ '/': script, [endpoints.accessToken]: script })).url;

const downs: readonly [how: string, service: () => Promise<string>, code: string][] = [
  ['nobody listens', () => Promise.resolve('http://127.0.0.1:9'), 'upstream-unreachable'],
  ['it never answers', () => always(silent), 'upstream-timeout'],
  ['it fails', () => always(answering({}, 500)), 'upstream-failed'],
  ['it is overloaded', () => always(answering({}, 503)), 'upstream-busy'],
  ['it answers with a page', () => always(answering('<html>', 200)), 'upstream-invalid'],
  ['it breaks off', () => listening((request) => request.socket.destroy()), 'upstream-unreachable'],
  [
    'it redirects',
    () => always((response) => void response.writeHead(302, { location: '/' }).end()),
    'upstream-invalid',
  ],
  ['it takes no key', () => always(answering({ title: 'no', code: 'No' }, 401)), 'key-rejected'],
];

/** A service that issues tokens and answers everything else with a status. */
const refusing = async (status: number) => (await fakeUpstream({ '/': answering({ detail: 'no' }, status) })).url;

describe.each(downs)('While the service is unavailable (%s)', (_, service, code) => {
  it('GET /api/facts returns the stored records and lists what could not be read', async () => {
    const server = await testConsole({
      upstreamUrl: await service(),
      limits: { patience: { headers: 300 }, budget: 0 },
    });
    await fill(server);
    const facts = await server.done('getFacts');
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
    expect((await server.done('getPostedBatches')).data).toContain('batch-1');
    expect((await server.done('getDebtors')).data).toHaveLength(1);
  });

  it('no page reports as missing a prerequisite that could not be read', async () => {
    const server = await testConsole({
      upstreamUrl: await service(),
      limits: { patience: { headers: 300 }, budget: 0 },
    });
    await fill(server);
    const facts = await server.done('getFacts');
    for (const id of journeyOrder) expect(reason(id, facts) ?? '').not.toMatch(/provider|No bank file|subscription/i);
    expect(journeyOrder.filter((id) => unreadFor(id, facts) !== null)).toContain('debtor');
    // Completed steps stay completed, as last seen.
    expect(nextJourney(facts)).toBe('userToken');
  });
});

describe.each([400, 403, 409, 422])('While the service refuses reads with %i', (status) => {
  it('GET /api/facts returns the last known records, and no page misses them', async () => {
    const server = await testConsole({ upstreamUrl: await refusing(status) });
    await fill(server);
    const facts = await server.done('getFacts');
    expect(facts).toMatchObject({
      lost: '',
      subscription: { subscriptionId: 'subscription-1', status: 'Authorised' },
      unreadBecause: { upstream: { status } },
    });
    expect(facts.unread).toEqual(expect.arrayContaining(['subscription', 'provider']));
    for (const id of journeyOrder) expect(reason(id, facts) ?? '').not.toMatch(/subscription is|selected provider/i);
  });
});
