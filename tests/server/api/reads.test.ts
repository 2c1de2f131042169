import { describe, expect, it } from 'vitest';
import { sampleBanks } from '#contract/banks.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';
import type { BatchRecord } from '#contract/batch.ts';
import { listedInSettings } from '#contract/constants.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { batchRecord, creditor } from '#tests/support/fixtures.ts';

const consoleWithBanks = async (scripts: Record<string, Script>) =>
  testConsole({ upstreamUrl: (await fakeUpstream(scripts)).url });

describe('GET /api/banks', () => {
  it.each([404, 405, 410, 501])(
    'returns the sample banks if the service answers the list request with %i (behaviour 3.21)',
    async (status) => {
      const { done } = await consoleWithBanks({ [endpoints.banks]: answering({ title: 'None', status }, status) });
      expect(await done('getBanks')).toEqual(sampleBanks);
    },
  );

  it('returns the service’s list, also if it is empty (behaviour 3.21)', async () => {
    const own = { data: [{ bank_id: 'own' }], meta: { total_count: 1 } };
    const { done } = await consoleWithBanks({ [endpoints.banks]: answering(own) });
    expect(await done('getBanks')).toMatchObject({ ...own, data: [{ bank_id: 'own', friendly_name: 'own' }] });
    const { done: ofEmpty } = await consoleWithBanks({ [endpoints.banks]: answering({ data: [] }) });
    expect((await ofEmpty('getBanks')).data).toEqual([]);
  });

  it.each([
    [401, 'key-rejected'],
    [500, 'upstream-failed'],
    [503, 'upstream-busy'],
  ])('fails without falling back to the sample banks if the service answers %i', async (status, code) => {
    const { refused } = await consoleWithBanks({ [endpoints.banks]: answering({}, status) });
    expect(await refused('getBanks')).toMatchObject({ code });
  });
});

const row = { version: '1', branch: 'main', name: 'api' };

async function consoleAt(body: unknown, status = 200) {
  const script = answering(body, status);
  const service = await fakeUpstream({ [endpoints.consumerStatus]: script, [endpoints.messagingStatus]: script });
  return testConsole({ upstreamUrl: service.url, limits: { backOff: 1, budget: 1 } });
}

describe.each(['getConsumerHealth', 'getMessagingHealth'] as const)('%s', (name) => {
  it.each([
    [{ ...row, status: 'DOWN' }, 200, 'DOWN'],
    [{ ...row, status: 'UP' }, 200, 'UP'],
    [{ data: { ...row, status: 'degraded' } }, 200, 'degraded'],
    [{ ...row, status: true }, 200, 'true'],
    [row, 200, 'Up'],
    [{ ...row, status: '' }, 200, 'Up'],
    [{ ...row, status: 'DOWN' }, 503, 'DOWN (HTTP 503)'],
    [{ ...row, status: 'UP' }, 503, 'UP (HTTP 503)'],
    [{ data: row }, 500, 'HTTP 500'],
  ])(
    'returns the status that the service reports: %j with HTTP %i (behaviour 2.4)',
    async (body, httpStatus, status) => {
      const { done } = await consoleAt(body, httpStatus);
      expect((await done(name)).data).toMatchObject({ ...row, status, httpStatus });
    },
  );

  it('returns empty version fields if the service reports a status only', async () => {
    const { done } = await consoleAt({ status: 'DOWN' }, 503);
    expect((await done(name)).data).toMatchObject({ version: '', status: 'DOWN (HTTP 503)' });
  });

  it.each([
    [{ title: 'Unavailable', status: 503 }, 503, 'upstream-busy'],
    [{ error: { code: 'x', message: 'y' } }, 500, 'upstream-failed'],
    [{ status: 'DOWN', ...row }, 401, 'key-rejected'],
    [{}, 200, 'upstream-invalid'],
    ['', 503, 'upstream-busy'],
  ])('fails if the response is no health report: %j with HTTP %i (behaviour 2.4)', async (body, httpStatus, code) => {
    const { refused } = await consoleAt(body, httpStatus);
    expect(await refused(name)).toMatchObject({ code });
  });
});

const subscriptionOf = (id: string): SubscriptionRecord => ({
  subscriptionId: id,
  providerId: 'provider',
  status: 'Authorised',
  suspended: false,
  useMock: 'true',
});

describe('GET /api/facts and /api/settings', () => {
  it('return counts and the latest records only; all records on request (behaviour 3.4, 3.5)', async () => {
    const many = listedInSettings + 5;
    const service = await fakeUpstream({
      [endpoints.providers]: answering({ data: [] }),
      [endpoints.fileFormats]: answering({ data: [] }),
    });
    const { store, done } = await testConsole({ upstreamUrl: service.url });
    for (let index = 0; index < many; index += 1) {
      await store.batches.put(`b${index}`, { ...batchRecord, batchId: `b${index}`, status: `status-${index}` });
      await store.subscriptions.put(`s${index}`, subscriptionOf(`s${index}`));
      const creditorId = `c${index}`;
      await store.creditors.put(creditorId, { ...creditor, creditorId, subscriptionId: `s${index % 2}` });
    }
    const facts = await done('getFacts');
    expect(facts).toMatchObject({ batches: many, batchStatus: `status-${many - 1}`, creditors: 0, debtors: 0 });
    expect(facts.alternatives).toHaveLength(50);
    const lengths = ({ subscriptions, postedBatches }: { subscriptions: string; postedBatches: string }) =>
      [subscriptions, postedBatches].map((text) => (JSON.parse(text) as unknown[]).length);
    expect(lengths(facts.settings)).toEqual([listedInSettings, listedInSettings]);
    const settings = await done('getSettings');
    expect(lengths(settings)).toEqual([listedInSettings, listedInSettings]);
    expect((JSON.parse(settings.postedBatches) as BatchRecord[]).at(-1)?.batchId).toBe(`b${many - 1}`);
    const whole = await done('getSettings', { query: { lists: 'whole' } });
    expect(lengths(whole)).toEqual([many, many]);
    expect(JSON.parse((await done('getPostedBatches')).data)).toHaveLength(many);
  });
});
