import { describe, expect, it } from 'vitest';
import { restore } from '#app/effects/practice.ts';
import { labOf } from '#command/lab.ts';
import { bringAbout, rehearse } from '#runner/rehearse.ts';
import { practised } from '#runner/practice.ts';
import { scenarios } from '#runner/scenarios.ts';
import type { Seen } from '#runner/scenarioChecks.ts';
import { plain } from '#runner/file.ts';
import { withValues, type SituationId } from '#runner/situations.ts';
import { rehearsalName } from '#rules/rehearsal.ts';
import type { Facts } from '#contract/facts.ts';
import { walkerOn } from '#tests/support/journeyRunner.ts';

async function rehearsing() {
  const { walker } = await walkerOn();
  return { walker, lab: await labOf((await walker.facts()).service.consumer) };
}

describe('a scenario run by the journey command', () => {
  it.each([...new Set([...scenarios, ...practised])].map((scenario) => [scenario.name, scenario] as const))(
    'passes its check: %s (behaviour 10.19.6)',
    async (_, scenario) => {
      const { walker, lab } = await rehearsing();
      const { because } = await rehearse(scenario, walker, lab, restore);
      expect(because).toBe('');
      expect(await lab.rules()).toEqual([]);
    },
  );

  it('restores the previous company and settings (behaviour 10.20.13)', async () => {
    const { walker, lab } = await rehearsing();
    const own = withValues('company', { name: 'Own Ltd' });
    await walker.all([withValues('settings', { providerCountry: 'CA' }), plain('organisation'), own]);
    const found = await walker.factsNow();
    const { because } = await rehearse(scenarios[0]!, walker, lab, restore);
    const { settings, companies } = await walker.factsNow();
    expect([because, settings.companyId, settings.providerCountry]).toEqual(['', found.settings.companyId, 'CA']);
    expect(companies.map(({ companyName }) => companyName).sort()).toEqual(['Own Ltd', rehearsalName]);
  });

  it('fails its check if nothing happened or the payment was made twice (behaviour 10.19.6)', async () => {
    const { walker } = await rehearsing();
    const facts = await walker.facts();
    const seen: Seen = { walked: [], before: facts, facts, batches: [], webhooks: [], rules: [] };
    for (const { check } of [...scenarios, ...practised]) expect(check(seen)).not.toEqual([]);
    const batch = { batchId: 'b', companyId: 'c', status: 'Completed', next: null, payments: 1, at: '' };
    const [lost] = scenarios;
    expect(lost?.check({ ...seen, batches: [batch, batch] })).toContain(
      'The sandbox has 2 new batches, and should have 1',
    );
  });

  it('has a name, a sentence and a unique id', () => {
    const all = [...new Set([...scenarios, ...practised])];
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    for (const { name, shows } of all) expect([name.length > 0, shows.endsWith('.')]).toEqual([true, true]);
  });
});

describe('the preparation of a starting situation by journeys', () => {
  const of: Record<SituationId, (facts: Facts) => unknown> = {
    organised: ({ settings }) => expect([settings.organisationId !== '', settings.companyId]).toEqual([true, '']),
    onboarded: ({ accessToken, subscription }) => expect([accessToken, subscription]).toEqual([true, null]),
    authorised: ({ subscription }) => expect(subscription?.status).toBe('Authorised'),
    payable: ({ debtors, creditors, batches }) => expect([debtors, creditors, batches]).toEqual([1, 1, 0]),
    tenCreditors: ({ creditors }) => expect(creditors).toBe(10),
    partlyFailed: ({ batchStatus }) => expect(batchStatus).toBe('PartiallyCompleted'),
    tokenAboutToExpire: ({ debtors }) => expect(debtors).toBe(1),
  };
  it.each(Object.entries(of) as [SituationId, (facts: Facts) => unknown][])('reaches %s', async (id, holds) => {
    const { walker, lab } = await rehearsing();
    expect(await bringAbout(id, walker, lab)).toMatchObject({ because: '' });
    holds(await walker.factsNow());
  });
});
