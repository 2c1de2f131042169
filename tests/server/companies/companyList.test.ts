import { describe, expect, it } from 'vitest';
import { companiesIn } from '#server/companies/companyList.ts';
import { storeAt } from '#server/companies/companyStore.ts';
import { subscriptions } from '#server/companies/records.ts';
import { currentStore, storageIn } from '#tests/support/store.ts';

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
