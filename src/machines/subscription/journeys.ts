import { bankProviderName } from '#contract/constants.ts';
import { shortId } from '#rules/shortId.ts';
import type { Facts } from '#contract/facts.ts';
import { isSubscriptionEnd } from '#contract/status.ts';
import { endedBy, providerOf } from '../names.ts';
import type { Journey } from '../journey.ts';

/** How the current subscription has ended; '' if it has not. */
const endOf = (facts: Facts): string =>
  facts.subscription && isSubscriptionEnd(facts.subscription.status)
    ? endedBy(facts.subscription.status, providerOf(facts))
    : '';

const another = {
  label: 'Create another',
  effect: 'Another subscription starts without debtors and creditors; this one stays in the list.',
};

export const subscription = {
  id: 'subscription',
  path: '/onboardingsubscription',
  title: 'Create with OnBoarding',
  heading: 'Connect a payment provider',
  group: 'Subscriptions',
  purpose: 'A subscription connects the company to the provider that makes its payments.',
  summary: 'Subscribes the company to a payment provider with POST /api/subscription.',
  requires: ['organisation', 'company', 'providers'],
  after: ['dataset'],
  provides: [
    'subscription',
    'anySubscription',
    'provider',
    'debtorSupport',
    'creditorSupport',
    'debtorQueries',
    'creditorQueries',
  ],
  guided: 'always',
  ownResult: ({ provider }) => provider?.name !== bankProviderName,
  whyNext: (facts) =>
    endOf(facts) === ''
      ? 'A subscription connects the company’s accounts to a provider, whose rules define its fields.'
      : `${endOf(facts)}.`,
  nextLabel: (facts) => (endOf(facts) === '' ? '' : 'Choose another provider'),
  outcome: ({ settings, provider }) => [shortId(settings.subscriptionId), provider?.name].filter(Boolean).join(' · '),
  another,
  resource: 'subscription',
  list: 'authorisation',
} as const satisfies Journey;

export const bankSubscription = {
  id: 'bankSubscription',
  path: '/openbankingsubscription',
  title: 'Create with OpenBanking',
  heading: 'Connect a bank',
  group: 'Subscriptions',
  purpose: 'Connects the company to one of the banks of an open-banking provider.',
  summary: 'Subscribes by choosing a bank, with POST /api/subscription.',
  requires: ['organisation', 'company', 'bankProvider'],
  after: ['dataset'],
  provides: ['subscription', 'anySubscription', 'provider'],
  guided: 'alternative',
  ownResult: ({ provider }) => provider?.name === bankProviderName,
  another,
  resource: 'subscription',
  list: 'authorisation',
} as const satisfies Journey;

export const authorisation = {
  id: 'authorisation',
  path: '/subscriptionlist',
  title: 'List',
  name: 'Authorise',
  group: 'Subscriptions',
  heading: 'Authorise the subscription',
  purpose: 'Approve a subscription on the provider’s page before you pay.',
  summary: 'Lists the subscriptions to select, authorise, update and suspend, with GET /api/subscription for each.',
  requires: ['anySubscription'],
  local: 'the stored subscriptions are listed as last seen, and one can be selected',
  after: ['subscription'],
  provides: ['authorisedSubscription', 'usableSubscription'],
  guided: 'always',
  whyNext: (facts) =>
    endOf(facts) === ''
      ? `Waiting for approval at ${providerOf(facts)}. Approve it there to enable payments.`
      : `${endOf(facts)}. Select another subscription.`,
  outcome: ({ subscription }) => subscription?.status ?? '',
  status: ({ subscription }) => (subscription?.suspendedByConsumer ? 'Suspended' : (subscription?.status ?? '')),
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { subscription, bankSubscription, authorisation } as const;
