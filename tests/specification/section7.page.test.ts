// @vitest-environment jsdom
import { validate, version } from 'uuid';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor } from 'xstate';
import { account, dataset } from '#app/effects/onboarding.ts';
import { authorisation } from '#app/effects/subscription.ts';
import { creditorQuery, debtor } from '#app/effects/party.ts';
import { requests, server, started } from '#tests/support/fakeCalls.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { failure, provider } from '#tests/support/fixtures.ts';

vi.mock('#app/client/client.ts', async () => ({ call: (await import('#tests/support/fakeCalls.ts')).call }));

const subscriptionId = 'subscription-1';
const record = { subscriptionId, providerId: provider.providerId, status: 'Authorised', suspended: false, useMock: '' };

beforeEach(() => {
  localStorage.clear();
  server.made.length = 0;
  server.answers = {
    getFacts: () => everything,
    getSettings: () => ({ ...everything.settings, subscriptions: JSON.stringify([record]) }),
    getUserInfo: () => ({ data: { sub: 'user-1', email: 'user@example.com' } }),
    getProvider: () => ({ data: provider }),
    getLocalInstruments: () => ({ data: [] }),
    getSubscription: () => ({ data: { data: record, links: {}, followed: false } }),
    createAccount: () => ({ data: { data: { id: 'account-1' } } }),
    createDataset: () => ({ data: { data: { id: 'dataset-1' } } }),
    listMessages: () => ({ data: [], total: 0 }),
    getDebtors: () => ({ data: [] }),
    getCreditors: () => ({ data: [] }),
    putDebtor: () => ({ accepted: true }),
    queryCreditors: () => ({ accepted: true }),
    sendUpdate: () => ({ accepted: true }),
    patchSubscription: () => ({ data: record }),
  };
});

describe('behaviour, sections 3 and 7: page requests', () => {
  it('an account submitted in two tabs at once has one key, however late its user is read', async () => {
    server.answers['getFacts'] = () => factsAfter('userToken');
    const tabs = [started(account.machine), started(account.machine)];
    const reads: (() => void)[] = [];
    server.answers['getUserInfo'] = () =>
      new Promise((resolve) => {
        reads.push(() => resolve({ data: { email: 'user@example.com', sub: 'user-1' } }));
      });
    for (const tab of tabs) {
      await waitFor(tab, (snapshot) => snapshot.matches({ form: 'editing' }));
      tab.send({ type: 'form.change', field: 'externalId', value: 'account-0001' });
      tab.send({ type: 'form.submit' });
    }
    for (const [index, tab] of tabs.entries()) {
      await vi.waitFor(() => reads[index]!());
      await waitFor(tab, (snapshot) => snapshot.status === 'done');
    }
    expect(new Set(requests('createAccount').map(({ key }) => key)).size).toBe(1);
  });

  it('an account resent after a lost response keeps its key in another language', async () => {
    server.answers['getFacts'] = () => factsAfter('userToken');
    server.answers['createAccount'] = () => Promise.reject(new Error('lost'));
    const actor = started(account.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ form: 'editing' }));
    actor.send({ type: 'form.change', field: 'externalId', value: 'account-0001' });
    for (const acceptLanguage of ['en', 'de-DE']) {
      server.answers['getSettings'] = () => ({ ...everything.settings, acceptLanguage });
      actor.send({ type: 'form.submit' });
      await waitFor(actor, (snapshot) => snapshot.matches({ form: 'refused' }));
    }
    const [first, second] = requests('createAccount');
    expect([second?.key === first?.key, second?.body?.data['owner']]).toMatchObject([
      true,
      { user: { locale: 'de-DE' } },
    ]);
  });

  it('an account is not sent, and reported as such, if its user cannot be read', async () => {
    server.answers['getFacts'] = () => factsAfter('userToken');
    server.answers['getUserInfo'] = () => Promise.reject(failure); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- as calls reject
    const actor = started(account.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ form: 'editing' }));
    actor.send({ type: 'form.change', field: 'externalId', value: 'account-0001' });
    actor.send({ type: 'form.submit' });
    const { context } = await waitFor(actor, (snapshot) => snapshot.matches({ form: 'refused' }));
    expect([context.failure?.outcome, requests('createAccount')]).toEqual(['not-sent', []]);
  });

  it('an account has a type, attributes and an owner (behaviour 7.4)', async () => {
    server.answers['getFacts'] = () => factsAfter('userToken');
    const actor = started(account.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ form: 'editing' }));
    actor.send({ type: 'form.change', field: 'externalId', value: 'account-0001' });
    actor.send({ type: 'form.submit' });
    await waitFor(actor, (snapshot) => snapshot.matches('succeeded'));
    expect(requests('createAccount')[0]?.body?.data).toEqual({
      type: 'Account',
      attributes: { externalId: 'account-0001', externalSource: 'payments-out-console' },
      owner: { user: { email: 'user@example.com', locale: 'en', identityId: 'user-1' } },
    });
  });

  it('a data set has four attributes', async () => {
    const attributes = { name: 'Ledger', country: 'GB', externalId: 'dataset-0001', externalSource: 'example-ledger' };
    server.answers['getFacts'] = () => factsAfter('account');
    const actor = started(dataset.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ form: 'editing' }));
    for (const [field, value] of Object.entries(attributes)) actor.send({ type: 'form.change', field, value });
    actor.send({ type: 'form.submit' });
    await waitFor(actor, (snapshot) => snapshot.matches('succeeded'));
    expect(requests('createDataset')[0]?.body?.data).toMatchObject({ attributes });
  });

  it('a debtor has a random v4 UUID, the subscription and nested form values (behaviour 9.5)', async () => {
    const actor = started(debtor.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ form: 'editing' }));
    actor.send({ type: 'form.change', field: 'debtorAccount.name', value: 'Main' });
    actor.send({ type: 'form.change', field: 'debtorAgent.identification', value: '200000' });
    actor.send({ type: 'form.submit' });
    await waitFor(actor, () => requests('putDebtor').length === 1);
    const { debtorId, ...rest } = requests('putDebtor')[0]?.body?.data ?? {};
    expect(validate(debtorId) && version(String(debtorId))).toBe(4);
    expect(rest).toEqual({
      subscriptionId,
      debtorAccount: { name: 'Main' },
      debtorAgent: { identification: '200000' },
    });
    actor.stop();
  });

  it('a query has the subscription', async () => {
    const actor = started(creditorQuery.machine);
    await waitFor(actor, (snapshot) => snapshot.can({ type: 'query.send' }));
    actor.send({ type: 'query.send' });
    await waitFor(actor, () => requests('queryCreditors').length === 1);
    expect(requests('queryCreditors')[0]?.body).toEqual({ data: { subscriptionId } });
    actor.stop();
  });

  it('an update has the resource Subscription, its id and its properties (behaviour 7.4)', async () => {
    const actor = started(authorisation.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ list: 'listing' }));
    actor.send({ type: 'subscription.update', id: subscriptionId });
    actor.send({ type: 'form.change', field: 'serviceUserNumber', value: '123456' });
    actor.send({ type: 'form.submit' });
    await waitFor(actor, () => requests('sendUpdate').length === 1);
    expect(requests('sendUpdate')[0]?.body?.data).toEqual({
      resource: 'Subscription',
      id: subscriptionId,
      subscriptionId,
      properties: { serviceUserNumber: '123456' },
    });
  });

  it('a suspension sets suspendedByConsumer', async () => {
    const actor = started(authorisation.machine);
    await waitFor(actor, (snapshot) => snapshot.matches({ list: 'listing' }));
    actor.send({ type: 'subscription.suspend', id: subscriptionId });
    await waitFor(actor, (snapshot) => snapshot.matches({ list: 'listing' }));
    expect(requests('patchSubscription')[0]).toMatchObject({
      params: { subscriptionId },
      body: { data: { suspendedByConsumer: true } },
    });
  });
});
