import { describe, expect, it } from 'vitest';
import { alerts, type AlertId } from '#contract/alerts.ts';
import type { Facts } from '#contract/facts.ts';
import { journeyOf, journeyOrder, reason, type JourneyId } from '#machines/journeys.ts';
import { everything, withFacts } from '#tests/support/facts.ts';

const withoutSetting = (name: keyof Facts['settings']): Facts => withFacts(everything, { settings: { [name]: '' } });
const without = (capability: string): Facts =>
  withFacts(everything, {
    provider: everything.provider && {
      ...everything.provider,
      capabilities: everything.provider.capabilities.filter((each) => each !== capability),
    },
  });
const subscriptionIs = (status: string, suspendedByConsumer: boolean): Facts =>
  withFacts(everything, {
    subscription: { subscriptionId: everything.settings.subscriptionId, status, suspendedByConsumer },
  });

/** The requirement of a page, and facts that meet all others. */
const gates: [what: string, page: JourneyId, lacking: Facts, alert: AlertId][] = [
  ['an organisation id', 'electronicPayment', withoutSetting('organisationId'), 'noOrganisation'],
  ['an organisation id', 'filePayment', withoutSetting('organisationId'), 'noOrganisation'],
  ['a company id', 'electronicPayment', withoutSetting('companyId'), 'noCompany'],
  ['a company id', 'filePayment', withoutSetting('companyId'), 'noCompany'],
  ['a user token', 'account', withFacts(everything, { userToken: false }), 'noUserToken'],
  ['a user token', 'dataset', withFacts(everything, { userToken: false }), 'noUserToken'],
  ['an account', 'dataset', withoutSetting('accountId'), 'noAccount'],
  ['an Authorised subscription', 'debtor', subscriptionIs('Received', false), 'noUsableSubscription'],
  ['an Authorised subscription', 'creditor', subscriptionIs('Received', false), 'noUsableSubscription'],
  ['a subscription not suspended', 'debtor', subscriptionIs('Authorised', true), 'noUsableSubscription'],
  ['a subscription not suspended', 'creditor', subscriptionIs('Authorised', true), 'noUsableSubscription'],
  ['DebtorAccountRequired', 'debtor', without('DebtorAccountRequired'), 'noDebtorSupport'],
  ['DebtorAccountRequired', 'creditor', without('DebtorAccountRequired'), 'noCreditorSupport'],
  ['DebtorQueries', 'debtorQuery', without('DebtorQueries'), 'noDebtorSupport'],
  ['CreditorQueries', 'creditorQuery', without('CreditorQueries'), 'noCreditorSupport'],
];

describe('behaviour, section 6: gates', () => {
  it.each(gates)('%s is required by %s (behaviour 6.2)', (_, page, lacking, alert) => {
    expect(reason(page, everything)).toBeUndefined();
    expect(reason(page, lacking)).toBe(alerts[alert]);
  });

  it('all journeys are open if all requirements are met, because there are no roles (behaviour 6.1)', () => {
    expect(journeyOrder.filter((id) => reason(id, everything) !== undefined).map(journeyOf)).toEqual([]);
  });
});
