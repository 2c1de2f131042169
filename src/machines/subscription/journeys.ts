import type { Journey } from '../journey.ts';

export const subscription = {
  id: 'subscription',
  path: '/onboardingsubscription',
  title: 'Create with OnBoarding',
  group: 'Subscriptions',
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
} as const satisfies Journey;

export const bankSubscription = {
  id: 'bankSubscription',
  path: '/openbankingsubscription',
  title: 'Create with OpenBanking',
  group: 'Subscriptions',
  summary: 'Subscribes by choosing a bank, with POST /api/subscription.',
  requires: ['organisation', 'company', 'bankProvider'],
  after: ['dataset'],
  provides: ['subscription', 'anySubscription', 'provider'],
  guided: 'alternative',
} as const satisfies Journey;

export const authorisation = {
  id: 'authorisation',
  path: '/subscriptionlist',
  title: 'List',
  name: 'Authorise',
  group: 'Subscriptions',
  summary: 'Lists the subscriptions to select, authorise, update and suspend, with GET /api/subscription for each.',
  requires: ['anySubscription'],
  local: 'the subscriptions kept here are listed as last seen, and one can be selected',
  after: ['subscription'],
  provides: ['authorisedSubscription', 'usableSubscription'],
  guided: 'always',
} as const satisfies Journey;

/** The journeys of this area, in menu order. */
export const journeys = { subscription, bankSubscription, authorisation } as const;
