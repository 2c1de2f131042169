import { expect, it } from 'vitest';
import { calls } from '#contract/calls.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { wrongGates } from './gates.ts';
import type { Exchange } from './line.ts';
import type { SeenGate } from './walks.ts';

const subscriptionId = 'subscription-1';
const facts = withFacts(everything, {
  subscription: { subscriptionId, status: 'AwaitingAuthorisation', suspendedByConsumer: false },
});
const gate = {
  description: '',
  alert: 'notAuthorised',
  missing: 'authorisedSubscription',
} as unknown as SeenGate['gate']; // what is compared
const seen: SeenGate = { by: { name: 'Ann', workspace: '', headers: {} }, at: 1000, gate, facts };
const asked = { who: 'Ann', path: calls.getFacts.path, status: 200, text: JSON.stringify(facts), sentAt: 900, at: 950 };
const exchanges = [asked as Exchange]; // likewise

const webhook = (status: string, at: number) => ({
  webhookId: status,
  type: 'subscriptionUpdated',
  deliveries: [
    {
      at,
      ms: 10,
      status: 204,
      outcome: '',
      headers: {},
      body: JSON.stringify({
        type: 'subscriptionUpdated',
        subscriptionId,
        data: { status, suspendedByConsumer: false },
      }),
    },
  ],
});
const read = (sentAt: number, status: string) => ({
  path: `/v3/subscriptions/${subscriptionId}`,
  sentAt,
  at: sentAt + 10,
  text: JSON.stringify({ data: { subscriptionId, status, suspendedByConsumer: false } }),
});
const wrong = (authorisedAt: number, gate = seen, reads = [read(110, 'AwaitingAuthorisation')]) =>
  wrongGates([gate], {
    calls: [],
    exchanges,
    reads,
    isTimeTrue: true,
    webhooks: [webhook('AwaitingAuthorisation', 100), webhook('Authorised', authorisedAt)],
  });

it('a gate that shows a state that the subscription never had is found', () => {
  const { facts } = seen;
  const subscription = { ...facts.subscription!, status: 'Rejected' };
  expect(wrong(200, { ...seen, facts: { ...facts, subscription } })).toHaveLength(1);
});

it('a gate that shows an earlier state than the console had read is found', () => {
  expect(wrong(200)).toHaveLength(1);
  expect(wrong(200, seen, [read(300, 'Authorised')])).toHaveLength(1);
  expect(wrong(200, seen, [read(945, 'AwaitingAuthorisation')])).toHaveLength(1); // answered after the gate was
});

it('a gate is right that shows an earlier state that the service has returned to a later question (behaviour 4.47)', () => {
  expect(wrong(200, seen, [read(300, 'AwaitingAuthorisation')])).toEqual([]);
  expect(wrong(200, seen, [read(300, 'AWAITINGAUTHORISATION')])).toEqual([]);
});

it('a gate is right that shows one of two states announced at the same time, or one that was the newest when it was asked for', () => {
  expect(wrong(100)).toEqual([]);
  expect(wrong(895)).toEqual([]);
});
