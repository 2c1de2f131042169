import { describe, expect, it } from 'vitest';
import { sampleBanks } from '#contract/banks.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream, type Script } from '#tests/support/fakeUpstream.ts';

const consoleAt = async (scripts: Record<string, Script>) =>
  testConsole({ upstreamUrl: (await fakeUpstream(scripts)).url });

describe('GET /api/banks', () => {
  it.each([404, 405, 410, 501])(
    'returns the sample banks if the service answers the list request with %i (behaviour 3.21)',
    async (status) => {
      const { done } = await consoleAt({ [endpoints.banks]: answering({ title: 'None', status }, status) });
      expect(await done('getBanks')).toEqual(sampleBanks);
    },
  );

  it('returns the service’s list, also if it is empty (behaviour 3.21)', async () => {
    const own = { data: [{ bank_id: 'own' }], meta: { total_count: 1 } };
    const { done } = await consoleAt({ [endpoints.banks]: answering(own) });
    expect(await done('getBanks')).toMatchObject({ ...own, data: [{ bank_id: 'own', friendly_name: 'own' }] });
    const { done: ofEmpty } = await consoleAt({ [endpoints.banks]: answering({ data: [] }) });
    expect((await ofEmpty('getBanks')).data).toEqual([]);
  });

  it.each([
    [401, 'key-rejected'],
    [500, 'upstream-failed'],
    [503, 'upstream-busy'],
  ])('fails without falling back to the sample banks if the service answers %i', async (status, code) => {
    const { refused } = await consoleAt({ [endpoints.banks]: answering({}, status) });
    expect(await refused('getBanks')).toMatchObject({ code });
  });
});
