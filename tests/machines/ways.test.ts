import { describe, expect, it } from 'vitest';
import type { Alternative, Facts } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { RequirementId } from '#machines/requirements.ts';
import { alternativeStep, missingText, otherSubscription, unreadFor, nextStepFor } from '#machines/unblock.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { failure } from '#tests/support/fixtures.ts';

const able = ['SubscriptionRequired', 'DebtorAccountRequired', 'DebtorQueries', 'CreditorQueries'];
const subscriptionOf = (id: string, status = 'Authorised', suspendedByConsumer = false) => ({
  subscriptionId: id,
  status,
  suspendedByConsumer,
});

/** Another stored subscription that meets every requirement. */
const other = (id: string, change: Partial<Alternative> = {}): Alternative => ({
  subscription: subscriptionOf(id),
  providerId: 'provider-2',
  provider: { providerId: 'provider-2', name: 'Quillmere', capabilities: able },
  country: 'GB',
  debtors: 1,
  creditors: 1,
  ...change,
});

const suspended = withFacts(everything, { subscription: subscriptionOf('subscription-1', 'Authorised', true) });
const cancelled = withFacts(everything, { subscription: subscriptionOf('subscription-1', 'Cancelled') });
const incapable = withFacts(everything, {
  provider: { providerId: 'provider-1', name: 'Example', capabilities: ['SubscriptionRequired'] },
  debtors: 0,
});
const unread = (facts: Facts, ...what: Facts['unread']): Facts =>
  withFacts(facts, { unread: what, unreadBecause: failure });

describe('the next step for a missing requirement', () => {
  it.each<[string, RequirementId, Facts, ReturnType<typeof nextStepFor>]>([
    ['the journey that provides it', 'debtors', everything, { journey: 'debtor', need: 'debtors' }],
    [
      'the journey for the first unmet requirement of that journey',
      'debtors',
      factsAfter('nothing'),
      { journey: 'organisation', need: 'organisation' },
    ],
    [
      'the authorisation of a subscription that is not authorised yet',
      'debtors',
      factsAfter('subscription'),
      { journey: 'authorisation', need: 'usableSubscription' },
    ],
    [
      'a new subscription if the only one has ended',
      'usableSubscription',
      cancelled,
      { journey: 'subscription', need: 'usableSubscription' },
    ],
    [
      'the first unmet requirement of a new subscription if there is none',
      'usableSubscription',
      factsAfter('organisation'),
      { journey: 'company', need: 'company' },
    ],
    [
      'the authorisation of another subscription if the current one has ended',
      'usableSubscription',
      withFacts(cancelled, {
        alternatives: [other('subscription-2', { subscription: subscriptionOf('2', 'Pending') })],
      }),
      { journey: 'authorisation', need: 'usableSubscription' },
    ],
    [
      'a new subscription if all have ended',
      'usableSubscription',
      withFacts(cancelled, { alternatives: [other('2', { subscription: subscriptionOf('2', 'Rejected') })] }),
      { journey: 'subscription', need: 'usableSubscription' },
    ],
    [
      'the providing journey although its own gate could not be read',
      'debtors',
      unread(withFacts(incapable, { provider: null }), 'provider'),
      { journey: 'debtor', need: 'debtors' },
    ],
    [
      'a subscription with another provider if this one lacks the capability',
      'debtors',
      incapable,
      { journey: 'subscription', need: 'debtorSupport' },
    ],
  ])('is %s', (_, need, facts, way) => {
    expect(nextStepFor(need, facts)).toEqual(way);
  });

  it('has another subscription as its alternative if the current one is not usable', () => {
    expect(alternativeStep('usableSubscription', suspended)).toBe('subscription');
    expect(alternativeStep('debtors', suspended)).toBe('subscription');
    expect(alternativeStep('usableSubscription', withFacts(suspended, { providers: 0 }))).toBeUndefined();
    expect(alternativeStep('usableSubscription', cancelled)).toBeUndefined();
    expect(alternativeStep('debtors', everything)).toBeUndefined();
    expect(alternativeStep('organisation', factsAfter('nothing'))).toBeUndefined();
  });
});

describe('another subscription to switch to', () => {
  const idOf = (id: 'debtor' | 'electronicPayment', need: RequirementId, ...alternatives: Alternative[]) =>
    otherSubscription(id, need, withFacts(suspended, { alternatives }))?.subscription.subscriptionId;

  it('is one with which the journey could start', () => {
    expect(idOf('debtor', 'usableSubscription', other('2'))).toBe('2');
    expect(idOf('debtor', 'usableSubscription')).toBeUndefined();
  });

  it('is not one that lacks the same, or something that the user cannot create', () => {
    const still = other('2', { subscription: subscriptionOf('2', 'Authorised', true) });
    const [unable, unknown] = [
      other('3', { provider: { providerId: 'provider-2', name: 'Example', capabilities: [] } }),
      other('4', { provider: null }),
    ];
    for (const each of [still, unable, unknown]) expect(idOf('debtor', 'usableSubscription', each)).toBeUndefined();
    expect(idOf('debtor', 'usableSubscription', still, unable, unknown, other('5'))).toBe('5');
  });

  it('may lack debtors and creditors, and is the one that lacks least', () => {
    const [bare, half] = [other('2', { debtors: 0, creditors: 0 }), other('3', { creditors: 0 })];
    expect(idOf('electronicPayment', 'usableSubscription', bare)).toBe('2');
    expect(idOf('electronicPayment', 'usableSubscription', bare, half)).toBe('3');
    expect(idOf('electronicPayment', 'usableSubscription', bare, half, other('4'))).toBe('4');
  });

  it('may not lack debtors if its provider does not support them', () => {
    const unable = { providerId: 'provider-2', name: 'Example', capabilities: ['SubscriptionRequired'] };
    const without = (debtors: number) => other('2', { provider: unable, debtors });
    expect(idOf('electronicPayment', 'usableSubscription', without(1))).toBe('2');
    expect(idOf('electronicPayment', 'usableSubscription', without(0))).toBeUndefined();
  });

  it('is offered only for requirements that depend on the subscription', () => {
    const facts = withFacts(everything, { alternatives: [other('2')], settings: { organisationId: '' } });
    expect(otherSubscription('electronicPayment', 'organisation', facts)).toBeUndefined();
  });
});

describe('a page whose gate’s facts could not be read', () => {
  it('stays closed and shows the failure', () => {
    expect(unreadFor('subscription', unread(withFacts(everything, { providers: 0 }), 'providers'))).toBe(failure);
    expect(unreadFor('debtor', unread(withFacts(everything, { provider: null }), 'provider'))).toBe(failure);
  });

  it('is open if its gate was read, is met, or shows the failure itself', () => {
    expect(unreadFor('debtor', everything)).toBeNull();
    expect(unreadFor('debtor', unread(everything, 'provider'))).toBeNull();
    expect(unreadFor('debtor', unread(withFacts(everything, { provider: null }), 'providers'))).toBeNull();
    expect(unreadFor('debtor', unread(withFacts(suspended, { provider: null }), 'provider'))).toBeNull();
    expect(unreadFor('filePayment', unread(withFacts(everything, { fileFormats: 0 }), 'fileFormats'))).toBeNull();
  });
});

describe('the sentence on what a blocked page lacks (behaviour 4.62)', () => {
  const lost = withFacts(factsAfter('dataset'), { lost: 'organisation' });
  it.each<[JourneyId, RequirementId, Facts, string]>([
    ['company', 'organisation', factsAfter('nothing'), ''],
    ['debtor', 'usableSubscription', factsAfter('dataset'), ''],
    [
      'electronicPayment',
      'organisation',
      factsAfter('nothing'),
      'You need an organisation, a company, an approved subscription, a debtor and a creditor',
    ],
    [
      'electronicPayment',
      'company',
      factsAfter('organisation'),
      'You need a company, an approved subscription, a debtor and a creditor',
    ],
    [
      'electronicPayment',
      'debtors',
      withFacts(everything, { debtors: 0, creditors: 0 }),
      'You need a debtor and a creditor',
    ],
    ['electronicPayment', 'creditors', withFacts(everything, { creditors: 0 }), ''],
    ['debtor', 'usableSubscription', factsAfter('organisation'), 'You need a company and an approved subscription'],
    ['dataset', 'userToken', factsAfter('company'), 'You need a user token and an account'],
    ['batch', 'batches', factsAfter('dataset'), 'You need an approved subscription, a debtor, a creditor and a batch'],
    ['electronicPayment', 'debtors', everything, '1 debtor'],
    ['electronicPayment', 'usableSubscription', suspended, 'Suspended by you. Unsuspend it to pay'],
    ['electronicPayment', 'debtors', withFacts(suspended, { debtors: 0 }), 'Suspended by you. Unsuspend it to pay'],
    [
      'debtor',
      'company',
      withFacts(lost, { settings: { companyId: '' } }),
      'Organisation organisation-1 is not known to the service: it was deleted, the sandbox was reset, or its id is wrong',
    ],
  ])('of %s about %s', (id, need, facts, words) => {
    expect(missingText(id, need, facts)).toBe(words);
  });
});
