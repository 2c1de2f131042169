import { describe, expect, it } from 'vitest';
import { companiesIn } from '#server/companies/companyList.ts';
import { storeAt } from '#server/companies/companyStore.ts';
import { subscriptions } from '#server/companies/records.ts';
import { currentStore, storageIn } from '#tests/support/store.ts';
import { companyHeader } from '#contract/constants.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { testConsole } from '#tests/support/console.ts';
import { batch, making } from '#tests/support/consoleWithPayments.ts';
import { executionDate } from '#tests/support/executionDate.ts';
import { fakeUpstream, answering } from '#tests/support/fakeUpstream.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { blockers } from '#machines/journeys.ts';
import { authoriseBlocked, suspendBlocked } from '#machines/subscription/rows.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { rowOf } from '#tests/machines/subscription.models.ts';

const subscription = (subscriptionId: string) => ({
  subscriptionId,
  providerId: 'provider',
  status: 'Authorised',
  suspended: false,
  useMock: 'true',
});

describe('Company contexts', () => {
  it('separate each company’s data and share the workspace’s settings', async () => {
    const storage = await storageIn();
    const [first, second] = [storeAt(storage, 'one', 'first'), storeAt(storage, 'one', 'second')];
    await first.settings.writeAll({
      organisationId: 'o',
      companyId: 'a',
      subscriptionId: 's',
      acceptLanguage: 'fr-CA',
    });
    await second.settings.writeAll({ organisationId: 'o', companyId: 'b', userJwt: 'jwt' });
    await first.records(subscriptions).put('s', subscription('s'));
    expect(await second.records(subscriptions).list()).toEqual([]);
    const shared = { acceptLanguage: 'fr-CA', userJwt: 'jwt' };
    expect(await first.settings.read()).toEqual({
      organisationId: 'o',
      companyId: 'a',
      subscriptionId: 's',
      ...shared,
    });
    expect(await second.settings.read()).toEqual({ organisationId: 'o', companyId: 'b', ...shared });
  });

  it('are listed in order of creation, and one is current', async () => {
    const storage = await storageIn();
    const { companies, settings } = currentStore(storage, 'one');
    expect([await companies.list(), await companies.current()]).toEqual([[], 'first']);
    await companies.write('first', { organisationId: 'o', companyId: 'a' });
    await companies.write('second', { organisationId: 'o', companyId: 'b', companyName: 'B' });
    expect(await companies.list()).toEqual([
      { companyKey: 'first', organisationId: 'o', companyId: 'a', companyName: '', hasPreviousKey: false },
      { companyKey: 'second', organisationId: 'o', companyId: 'b', companyName: 'B', hasPreviousKey: false },
    ]);
    await companies.select('second');
    expect((await settings.read()).companyId).toBe('b');
    expect(await companiesIn(storage, 'other').list()).toEqual([]);
  });

  it('are removed with all their data, another becomes current, and removed names are not reused', async () => {
    const storage = await storageIn();
    const { companies } = currentStore(storage, 'one');
    for (const companyKey of ['first', 'second']) {
      await storeAt(storage, 'one', companyKey).settings.writeAll({
        organisationId: companyKey,
        companyId: 'c',
        useMock: 'false',
      });
      await storeAt(storage, 'one', companyKey).records(subscriptions).put(companyKey, subscription(companyKey));
    }
    await companies.remove('first');
    expect([await companies.current(), (await companies.list()).map(({ companyKey }) => companyKey)]).toEqual([
      'second',
      ['second'],
    ]);
    expect(await storeAt(storage, 'one', 'first').settings.read()).toEqual({ useMock: 'false' });
    expect(await storage.collection(subscriptions).locationsOf('first')).toEqual([]);
    expect(await storage.collection(subscriptions).locationsOf('second')).toHaveLength(1);
    await companies.remove('second');
    // An open page that still shows removed data must not act for another company of the same name.
    expect(['first', 'second']).not.toContain(await companies.current());
  });
});

/** A console with a first company and another one, and the key of the other. */
async function twoCompanies() {
  const service = await fakeUpstream({ [endpoints.batches]: making() });
  const server = await testConsole({ upstreamUrl: service.url });
  const company = { organisationId: 'o', companyId: 'c', companySigningKey: 'k', subscriptionId: 'subscription-1' };
  await server.store.settings.writeAll(company);
  const other = server.store.companies.make();
  await server.store.companies.write(other, { ...company, companyId: 'd' });
  const pay = async (companyKey: string, key: string) =>
    (
      await server.done('createBatch', {
        body: { ...batch, requestedExecutionDateTime: executionDate },
        key,
        headers: { [companyHeader]: companyKey },
      })
    ).data.batchId;
  return { other, pay, sent: () => service.askedFor(endpoints.batches) };
}

it.each([
  ['that are the same', 'K', 'K'],
  ['of the first company that names the other one', '{other}/K', 'K'],
  ['of the other company that names the first one', 'K', 'first/K'],
  ['with slashes', '{other}/K/L', 'K/L'],
  ['that look like JSON', '","{other}","K', 'K'],
])('Idempotency keys %s replay no other company’s answer (threat 6.41)', async (_, ofFirst, ofOther) => {
  const { other, pay, sent } = await twoCompanies();
  const paid = async () => [await pay('first', ofFirst.replace('{other}', other)), await pay(other, ofOther)];
  const batches = await paid();
  expect(new Set(batches).size).toBe(2);
  expect(new Set(sent().map(({ headers }) => headers['x-idempotency-key'])).size).toBe(2);
  expect(await paid()).toEqual(batches);
  expect(sent()).toHaveLength(2);
});

/** A console whose service says this status of the subscription `sub-1`. */
async function saying(first: string) {
  let status = first;
  const service = await fakeUpstream({
    [pathOf('createSubscription', 'organisationId')]: (response, request) =>
      answering({ data: { subscriptionId: 'sub-1', providerId: 'p', status } }, 201)(response, request),
    [`${endpoints.subscriptions}/sub-1`]: (response, request) =>
      answering({ data: { subscriptionId: 'sub-1', providerId: 'p', status } })(response, request),
    [endpoints.providers]: answering({ data: [] }),
    [endpoints.fileFormats]: answering({ data: [] }),
  });
  const server = await testConsole({ upstreamUrl: service.url });
  for (const key of ['organisationId', 'companyId', 'companySigningKey'] as const)
    await server.store.settings.write(key, key);
  const { data } = await server.done('createSubscription', {
    body: { data: { providerId: 'p', additionalData: '{}' } },
  });
  expect(data.status).toBe(first);
  return { ...server, say: (next: string) => void (status = next) };
}

describe('The status of a subscription', () => {
  it.each([
    ['awaiting_authorisation', true, true],
    ['AUTHORISED', false, false],
    ['re-jected', false, true],
    ['Something New', true, true],
  ])(
    '%s is stored and shown as returned, and decides by its meaning (behaviour 3.16)',
    async (status, isOpen, isBlocked) => {
      const { done, say } = await saying('RECEIVED');
      say(status);
      expect((await done('getSubscription', { params: { subscriptionId: 'sub-1' } })).data.data.status).toBe(status);
      const [record] = JSON.parse((await done('getSettings')).subscriptions) as SubscriptionRecord[];
      expect(record?.status).toBe(status);
      const facts = await done('getFacts');
      expect(facts.subscription?.status).toBe(status);
      expect(blockers('debtor', facts).includes('usableSubscription')).toBe(isBlocked);
      const row = rowOf({ status, authorise: 'http://provider.test/authorise' });
      expect([authoriseBlocked(row) === '', suspendBlocked(row) !== '']).toEqual([isOpen, isBlocked]);
    },
  );
});
