import type { Facts } from '#contract/facts.ts';
import { messageIn } from '#machines/lib/messaging.ts';
import { isUnsure } from '#machines/lib/resend.ts';
import { authorisationMachine } from '#machines/subscription/authorisation.machine.ts';
import type { SubscriptionRow } from '#machines/subscription/rows.ts';
import { bankSubscriptionMachine, subscriptionMachine } from '#machines/subscription/subscription.machine.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { bankOf, bankProvider, directProvider, provider } from '#tests/support/fixtures.ts';
import { messageOf } from '#tests/support/messages.ts';
import { modelOf } from '#tests/support/paths.ts';
import { errorsIn, typed } from '#tests/support/formTyping.ts';

const company = factsAfter('company');
/** One that can be chosen alone would be chosen already. */
const banks = [bankOf('bank-1', true), bankOf('bank-2', false), bankOf('bank-3', true)];
const choice = { providers: [provider, directProvider, bankProvider], banks };
const created = { subscription: { subscriptionId: 'subscription-1' } };
const elsewhere = JSON.stringify([
  { subscriptionId: 'subscription-2', providerId: provider.providerId, status: 'Authorised', suspended: false },
]);
/** What is asked before a creation follows from these. */
const listOf = ({ facts }: { facts: Facts }): string => facts.settings.subscriptions;

export const subscriptionModel = modelOf(subscriptionMachine)({
  facts: {
    'no organisation': factsAfter('settings'),
    'no company': factsAfter('organisation'),
    'no providers': withFacts(company, { providers: 0 }),
    providers: company,
    'a subscription of another tab': withFacts(company, { settings: { subscriptions: elsewhere } }),
  },
  answers: {
    loadChoice: {
      'no providers': { providers: [], banks },
      providers: choice,
      'a single provider': { providers: [directProvider], banks },
    },
    createSubscription: created,
  },
  events: {
    ...typed,
    'provider.choose': ({ providers }) =>
      [...providers.slice(0, 2), { providerId: 'unknown' }].map(({ providerId }) => ({ providerId })),
  },
  reads: (context) => [context.provider?.providerId, errorsIn(context), context.beside, listOf(context)],
});

export const bankSubscriptionModel = modelOf(bankSubscriptionMachine)({
  facts: {
    'no organisation': factsAfter('settings'),
    'no company': factsAfter('organisation'),
    'no ecospend': withFacts(company, { bankProvider: false }),
    ecospend: company,
    'a subscription of another tab': withFacts(company, { settings: { subscriptions: elsewhere } }),
  },
  answers: {
    loadChoice: {
      'no ecospend': { providers: [provider], banks },
      ecospend: choice,
      'two ecospends': { providers: [bankProvider, { ...bankProvider, providerId: 'provider-4' }], banks },
      'an ecospend without subscriptions': { providers: [{ ...directProvider, name: bankProvider.name }], banks },
    },
    createSubscription: created,
  },
  events: { ...typed, 'provider.choose': ({ providers }) => providers.map(({ providerId }) => ({ providerId })) },
  reads: (context) => [
    context.providers.map(({ providerId }) => providerId),
    errorsIn(context),
    context.beside,
    listOf(context),
  ],
});

export const rowOf = (more: Partial<SubscriptionRow> = {}): SubscriptionRow => ({
  subscriptionId: 'subscription-1',
  providerId: provider.providerId,
  status: 'AwaitingAuthorisation',
  suspended: false,
  useMock: 'true',
  providerName: provider.name,
  country: 'GB',
  authorise: 'http://provider.test/authorise/subscription-1',
  elsewhere: '',
  framed: true,
  current: false,
  readAt: '2026-11-20T09:00:00.000Z',
  unread: '',
  issuedAt: '',
  rules: provider.accountType.validationRules,
  additionalData: '{"serviceUserNumber":"654321"}',
  pending: null,
  ...more,
});

const authorised = rowOf({ status: 'Authorised' });

const updatedRow = rowOf({
  status: 'Authorised',
  pending: messageOf({ kind: 'updates', data: { properties: { serviceUserNumber: '111111' } } }),
});

const unsureRow = { ...updatedRow, pending: updatedRow.pending && { ...updatedRow.pending, forwarded: false } };
const update = { messageId: 'message-1', pending: false, held: false };

const ids = () => [{ id: 'subscription-1' }, { id: 'unknown' }];

/** One row at a time: what the user may do depends on that row alone. */
export const authorisationModel = modelOf(authorisationMachine)({
  facts: {
    'no subscription': company,
    'a subscription': everything,
    'a list that another tab has changed': withFacts(everything, { settings: { subscriptions: elsewhere } }),
  },
  inputs: [{ guided: false }, { guided: true }],
  answers: {
    loadRows: {
      'a current row that waits': [rowOf({ current: true })],
      'a waiting row': [rowOf()],
      'an authorised row': [authorised],
      'a row with a pending update': [updatedRow],
      'a row with an update that may not have arrived': [unsureRow],
      'a row of an unknown country': [rowOf({ country: 'FR' })],
    },
    readRow: { 'a waiting row': rowOf(), 'an authorised row': authorised },
    watch: { 'a waiting row': rowOf(), 'an authorised row': authorised },
    select: { nothing: undefined },
    send: {
      'an id': update,
      'the same one': { ...update, pending: true },
      'another one': { ...update, pending: true, held: true },
    },
    askOutcome: {
      'no outcome': { state: 'waiting', detail: '' },
      acceptance: { state: 'accepted', detail: '' },
      refusal: { state: 'refused', detail: 'Not this one' },
    },
    sendAgain: { 'the message': messageOf({ kind: 'updates' }) },
    suspend: { nothing: undefined },
  },
  events: {
    'message.sendAgain': (context) => {
      const { messageId, outcome } = messageIn(context);
      return isUnsure(outcome) ? [{ id: messageId }] : [];
    },
    'subscription.follow': ids,
    // The current one has no button to select it.
    'subscription.select': ({ rows }) =>
      ids().filter(({ id }) => !rows.some((row) => row.current && row.subscriptionId === id)),
    'subscription.authorise': ids,
    'subscription.update': ids,
    'subscription.suspend': ids,
    ...typed,
  },
  reads: ({ rows, invoked, facts, ...form }) => [
    listOf({ facts }),
    isUnsure(messageIn({ invoked }).outcome),
    rows.map(({ status, country, pending }) => [status, country, pending !== null]),
    errorsIn(form),
  ],
});
