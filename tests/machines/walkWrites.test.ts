import { expect, it } from 'vitest';
import type { JourneyId } from '#machines/journeys.ts';
import { isOfWalk } from '#runner/walkOf.ts';

it.each([
  ['organisation', 'POST', '/auth-v1/organisations', true],
  ['accessToken', 'POST', '/auth-v1/accessToken', true],
  ['account', 'POST', '/below/network-v1/accounts', true],
  ['bankSubscription', 'POST', '/v3/subscriptions/organisations/o/subscriptions', true],
  ['creditor', 'POST', '/api-msg-v1/creditorputs', true],
  ['creditorQuery', 'POST', '/api-msg-v1/creditorlistqueries', true],
  ['creditorQuery', 'POST', '/api-msg-v1/creditordeletes', false],
  ['authorisation', 'POST', '/api-msg-v1/updates', false],
  ['authorisation', 'PATCH', '/v3/subscriptions/s', false],
  ['filePayment', 'POST', '/v3/batchpayments', true],
  ['debtor', 'POST', '/api-msg-v1/creditorputs', false],
  ['debtor', 'POST', '/unknown', false],
  ['batch', 'GET', '/v3/batchpayments/b', true],
] as [JourneyId, string, string, boolean][])(
  'a command for %s that sends %s %s is offered as that step’s work: %s',
  (journey, method, path, isOffered) => {
    expect(isOfWalk(journey, { method, path })).toBe(isOffered);
  },
);
