import type { Journey } from './journey.ts';

export const authorisation = {
  id: 'authorisation',
  path: '/subscriptionlist',
  title: 'List',
  name: 'Subscriptions: List',
  group: 'Subscriptions',
  summary: 'Lists the subscriptions to select, authorise, update and suspend, with GET /api/subscription for each.',
  requires: [],
  local: 'the subscriptions kept here are listed as last seen, and one can be selected',
  after: ['subscription'],
  provides: ['authorisedSubscription', 'usableSubscription'],
  guided: 'always',
} as const satisfies Journey;
