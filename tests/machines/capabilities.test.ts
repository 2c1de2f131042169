import { describe, expect, it } from 'vitest';
import { alerts } from '#contract/alerts.ts';
import { capabilitiesOf } from '#machines/capabilities.ts';
import { blockers, reason } from '#machines/journeys.ts';
import { directProvider, provider } from '#tests/support/fixtures.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';

const titles = (...given: Parameters<typeof capabilitiesOf>) =>
  Object.fromEntries(
    capabilitiesOf(...given).map(({ journey, blocked }) => [journey, blocked.map(({ title }) => title)]),
  );

describe('the capabilities of a provider', () => {
  it('agree with the gates of each journey for the current provider (behaviour 4.35)', () => {
    const stages = ['settings', 'company', 'subscription', 'authorisation', 'debtor', 'creditor'] as const;
    for (const facts of [everything, ...stages.map((stage) => factsAfter(stage))]) {
      if (!facts.subscription) continue;
      const mine = {
        ...provider,
        providerId: facts.provider?.providerId ?? provider.providerId,
        accountType: { ...provider.accountType, capabilities: facts.provider?.capabilities ?? [] },
      };
      for (const { journey, blocked } of capabilitiesOf(mine, facts)) {
        if (journey === 'subscription') continue;
        expect(blocked).toHaveLength(blockers(journey, facts).length);
        expect(blocked[0]?.title).toBe(reason(journey, facts));
      }
    }
  });

  it('are blocked for another provider by the missing subscription and missing capabilities (behaviour 4.35)', () => {
    const other = {
      ...directProvider,
      accountType: { validationRules: [], capabilities: ['SubscriptionRequired', 'DebtorAccountRequired'] },
    };
    const blocked = titles(other, everything);
    expect(blocked['subscription']).toEqual([]);
    expect(blocked['debtor']?.[0]).toBe(alerts.noUsableSubscription);
    expect(blocked['debtor']).not.toContain(alerts.noDebtorSupport);
    expect(blocked['debtorQuery']).toContain(alerts.noDebtorSupport);
    expect(titles(directProvider, everything)['subscription']).toEqual([alerts.noSubscriptionSupport]);
    expect(capabilitiesOf(other, everything).find(({ journey }) => journey === 'debtor')?.blocked[0]?.stands).toBe(
      'No subscription yet',
    );
  });

  it('use the provider’s own stored subscription, authorised or not', () => {
    const alternative = (status: string) => ({
      subscription: { subscriptionId: 'subscription-2', status, suspendedByConsumer: false },
      providerId: directProvider.providerId,
      provider: null,
      country: 'GB',
      debtors: 1,
      creditors: 0,
    });
    const able = {
      ...directProvider,
      accountType: { validationRules: [], capabilities: provider.accountType.capabilities ?? [] },
    };
    const with_ = (...statuses: string[]) =>
      titles(able, withFacts(everything, { alternatives: statuses.map(alternative) }));
    expect(with_('Authorised')['debtor']).toEqual([]);
    expect(with_('Authorised')['electronicPayment']).toEqual([alerts.noCreditors]);
    expect(with_('Pending', 'Authorised')['debtor']).toEqual([]);
    expect(with_('Pending')['debtor']?.[0]).toBe(alerts.noUsableSubscription);
  });

  it('are blocked by a missing organisation or company first', () => {
    expect(titles(provider, factsAfter('settings'))['subscription']?.[0]).toBe(alerts.noOrganisation);
    expect(titles(provider, factsAfter('organisation'))['electronicPayment']?.[0]).toBe(alerts.noCompany);
  });
});
