import { describe, expect, it } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import { blockedState, isBlocked } from '#machines/lib/gate.ts';
import { requirements, type Requirement, type RequirementId } from '#machines/requirements.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';

const nothing = factsAfter('nothing');
const subscribed = 'Approved. You can pay now';
const unsubscribed = 'No subscription yet';
const provider = 'Provider Example Bacs';

/** The status text of each requirement at first and at the end of the guided path. */
const said: Record<RequirementId, [before: string, after: string]> = {
  settings: [
    'Provider country not chosen, file format country not chosen',
    'Provider country GB, file format country GB',
  ],
  organisation: ['No organisation yet', 'Organisation organisation-1'],
  company: ['No company yet', 'Company company-1'],
  accessToken: ['No access token yet', 'Access token obtained'],
  userToken: ['No user token yet', 'User token stored'],
  account: ['No account yet', 'Account account-1'],
  dataset: ['No data set yet', 'Data set dataset-1'],
  subscription: [unsubscribed, subscribed],
  anySubscription: ['No subscriptions yet', '1 subscription'],
  authorisedSubscription: [unsubscribed, subscribed],
  usableSubscription: [unsubscribed, subscribed],
  providers: [
    'No providers yet for country not chosen and language none: choose a country',
    '2 providers for country United Kingdom (GB) and language en',
  ],
  bankProvider: [
    'ecospend is not among the providers for country not chosen and language none',
    'ecospend is among the providers for country United Kingdom (GB) and language en',
  ],
  provider: [unsubscribed, provider],
  debtorSupport: [unsubscribed, `${provider} offers DebtorAccountRequired`],
  creditorSupport: [unsubscribed, `${provider} offers DebtorAccountRequired`],
  debtorQueries: [unsubscribed, `${provider} offers DebtorQueries`],
  creditorQueries: [unsubscribed, `${provider} offers CreditorQueries`],
  debtors: ['No debtors yet', '1 debtor'],
  creditors: ['No creditors yet', '1 creditor'],
  fileFormats: [
    'No bank file templates yet for country not chosen and language none: choose a country',
    '1 bank file template for country United Kingdom (GB) and language en',
  ],
  batches: ['No batches yet', '1 batch'],
  anyPayment: ['No batches yet', '1 batch'],
  batchEnd: ['No batches yet', 'Batch batch-1 is Completed'],
};

const needs = Object.keys(said) as RequirementId[]; // the keys of a record over all ids

describe.each(needs)('the requirement %s', (need) => {
  it('is unmet at first and met at the end of the guided path, with a text for both (behaviour 10.17.2)', () => {
    const { isMet, statusText } = requirements[need];
    expect([isMet(nothing), isMet(everything)]).toEqual([false, true]);
    expect([statusText(nothing), statusText(everything)]).toEqual(said[need]);
  });

  it('blocks a journey only if it is not met', () => {
    const blocking = [nothing, everything].map((facts) => isBlocked([need])({ context: { facts, failure: null } }));
    expect(blocking).toEqual([true, false]);
  });
});

const subscription = { subscriptionId: 'subscription-1', status: 'Authorised', suspendedByConsumer: true };
const capabilities = (...names: string[]) =>
  withFacts(everything, { provider: { providerId: 'provider-1', name: 'Example Bacs', capabilities: names } });

const unknownProvider = withFacts(everything, { provider: null });
const french = (change: Partial<Omit<Facts, 'settings'>>) =>
  withFacts(everything, { ...change, settings: { acceptLanguage: 'fr-CA' } });

describe('the requirements', () => {
  it.each<[string, RequirementId, Facts]>([
    ['only one of two countries is chosen', 'settings', withFacts(everything, { settings: { providerCountry: '' } })],
    ['only the other country is chosen', 'settings', withFacts(everything, { settings: { fileFormatCountry: '' } })],
    ['the subscription waits for authorisation', 'authorisedSubscription', factsAfter('subscription')],
    ['the subscription is suspended', 'usableSubscription', withFacts(everything, { subscription })],
    ['the batch is under way', 'batchEnd', factsAfter('electronicPayment')],
    ['the provider lacks the capability', 'creditorQueries', capabilities('DebtorQueries')],
  ])('are not met while %s', (_, need, facts) => {
    expect(requirements[need].isMet(facts)).toBe(false);
  });

  it.each<[string, RequirementId, Facts]>([
    ['Suspended by you. Unsuspend it to pay', 'usableSubscription', withFacts(everything, { subscription })],
    ['Provider Example Bacs does not offer DebtorAccountRequired', 'debtorSupport', capabilities('DebtorQueries')],
    ['Provider Example Bacs does not offer CreditorQueries', 'creditorQueries', capabilities()],
    ["The service does not know the subscription's provider provider-1", 'provider', unknownProvider],
    [
      'No providers yet for country United Kingdom (GB) and language fr-CA: choose the language en or en-GB',
      'providers',
      french({ providers: 0, providerLanguages: ['de', 'en-GB', 'en'] }),
    ],
    [
      'No providers yet for country United Kingdom (GB) and language fr-CA: choose the language none',
      'providers',
      french({ providers: 0, providerLanguages: ['de'] }),
    ],
    [
      'No providers yet for country United Kingdom (GB) and language fr-CA: choose another country',
      'providers',
      french({ providers: 0 }),
    ],
    [
      'No bank file templates yet for country United Kingdom (GB) and language fr-CA: choose the language en',
      'fileFormats',
      french({ fileFormats: 0, fileFormatLanguages: ['en'] }),
    ],
    [
      'ecospend is not among the providers for country United Kingdom (GB) and language fr-CA: choose the country United Kingdom (GB) and the language en',
      'bankProvider',
      french({ bankProvider: false, bankProviderAt: { countries: ['GB'], languages: ['en'] } }),
    ],
    [
      'ecospend is not among the providers for country United Kingdom (GB) and language fr-CA: choose the country United Kingdom (GB) or United States (US) and the language en or en-GB',
      'bankProvider',
      french({ bankProvider: false, bankProviderAt: { countries: ['GB', 'US'], languages: ['en', 'en-GB'] } }),
    ],
    ['2 batches', 'batches', withFacts(everything, { batches: 2 })],
    ['3 debtors', 'debtors', withFacts(everything, { debtors: 3 })],
  ])('have the status text "%s"', (sentence, need, facts) => {
    expect(requirements[need].statusText(facts)).toBe(sentence);
  });

  it.each<[string, RequirementId[], Facts['lost']]>([
    ['Organisation organisation-1', ['organisation'], 'organisation'],
    ['Company company-1', ['company'], 'organisation'],
    ['Company company-1', ['company'], 'company'],
  ])('report %s as deleted from the service: %s, with its %s', (what, lost, with_) => {
    const facts = withFacts(everything, { lost: with_ });
    for (const need of lost) {
      expect(requirements[need].isMet(facts)).toBe(false);
      expect(requirements[need].statusText(facts)).toBe(
        `${what} is not known to the service: it was deleted, the sandbox was reset, or its id is wrong`,
      );
    }
  });

  it.each(['organisation', 'company', 'subscription'] as const)(
    'do not mention a sandbox on the live service if it no longer knows the %s',
    (lost) => {
      const live = withFacts(everything, { environment: 'live', lost, subscription: null });
      const texts = Object.values(requirements).map(({ statusText }) => statusText(live));
      expect(texts.filter((text) => /sandbox|reset/i.test(text))).toEqual([]);
      expect(texts.join()).toContain('is not known to the service: it was deleted');
    },
  );

  it('distinguish a deleted subscription from none, and ignore what was not deleted', () => {
    const lost = withFacts(everything, { lost: 'subscription', subscription: null });
    expect(requirements.subscription.statusText(lost)).toBe(
      'Subscription subscription-1 is not known to the service: it was deleted, the sandbox was reset, it belongs to another company, or its id is wrong',
    );
    expect(requirements.subscription.statusText(withFacts(lost, { lost: '' }))).toBe(unsubscribed);
    expect(requirements.subscription.statusText(withFacts(lost, { settings: { subscriptionId: '' } }))).toBe(
      unsubscribed,
    );
    for (const need of ['organisation', 'company'] as const)
      expect([requirements[need].isMet(lost), requirements[need].statusText(lost)]).toEqual([true, said[need][1]]);
    const ownerless = withFacts(nothing, { lost: 'company' });
    expect(requirements.company.statusText(ownerless)).toBe('No company yet');
    expect(requirements.organisation.isMet(withFacts(everything, { lost: 'company' }))).toBe(true);
  });

  it('say that the signing key is wrong, or missing, where the service does not accept it (behaviour 6.10)', () => {
    const wrong = withFacts(everything, { lost: 'signingKey', subscription: null });
    for (const need of ['organisation', 'company'] as const) {
      expect(requirements[need].isMet(wrong)).toBe(false);
      expect(requirements[need].statusText(wrong)).toContain('the service does not accept the signing key');
      const none = withFacts(wrong, { settings: { companySigningKey: '' } });
      expect(requirements[need].statusText(none)).toContain('no signing key is stored for it');
    }
    const texts = Object.values(requirements).map(({ statusText }) => statusText(wrong));
    expect(texts.filter((text) => /deleted|reset/.test(text))).toEqual([]);
  });

  it('count the user token as done only if its records are stored', () => {
    const { done } = requirements.userToken;
    expect(done(factsAfter('userToken'))).toBe(true);
    for (const missing of ['userJwt', 'accountId', 'dataSetId'] as const)
      expect(done(withFacts(everything, { userToken: false, settings: { [missing]: '' } })), missing).toBe(false);
  });

  it('name the read that each depends on, and whether another subscription may meet them', () => {
    const asked = needs.flatMap((need) => {
      const { reads, ofSubscription }: Requirement = requirements[need];
      return reads || ofSubscription
        ? [`${need}: ${reads ?? 'stored'}${ofSubscription ? ', of the subscription' : ''}`]
        : [];
    });
    expect(asked).toEqual([
      'subscription: subscription',
      'authorisedSubscription: subscription, of the subscription',
      'usableSubscription: subscription, of the subscription',
      'providers: providers',
      'bankProvider: providers',
      'provider: provider, of the subscription',
      'debtorSupport: provider, of the subscription',
      'creditorSupport: provider, of the subscription',
      'debtorQueries: provider, of the subscription',
      'creditorQueries: provider, of the subscription',
      'debtors: stored, of the subscription',
      'creditors: stored, of the subscription',
      'fileFormats: fileFormats',
    ]);
  });

  it('stay met with an expired user token, except for those that need the token (behaviour 6.6)', () => {
    const expired = withFacts(everything, { userToken: false });
    for (const need of ['account', 'dataset', 'subscription', 'debtors'] as const)
      expect(requirements[need].isMet(expired), need).toBe(true);
    expect(requirements.userToken.statusText(expired)).toBe('The user token has expired');
    expect(requirements.userToken.isMet(expired)).toBe(false);
    expect(requirements.userToken.done(expired)).toBe(true);
    const withoutDataset = withFacts(expired, { settings: { dataSetId: '' } });
    expect(requirements.userToken.done(withoutDataset), 'the data set needs it').toBe(false);
  });

  it('without an alert cannot block a journey', () => {
    expect(() => blockedState(['accessToken'])).toThrow(
      'The requirement accessToken has no alert and cannot block a journey',
    );
  });
});
