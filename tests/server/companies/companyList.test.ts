import { describe, expect, it } from 'vitest';
import { scopesIn } from '#server/companies/companyList.ts';
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
    const { scopes, settings } = currentStore(storage, 'one');
    expect([await scopes.list(), await scopes.current()]).toEqual([[], 'first']);
    await scopes.write('first', { organisationId: 'o', companyId: 'a' });
    await scopes.write('second', { organisationId: 'o', companyId: 'b', companyName: 'B' });
    expect(await scopes.list()).toEqual([
      { scope: 'first', organisationId: 'o', companyId: 'a', companyName: '', hasPreviousKey: false },
      { scope: 'second', organisationId: 'o', companyId: 'b', companyName: 'B', hasPreviousKey: false },
    ]);
    await scopes.select('second');
    expect((await settings.read()).companyId).toBe('b');
    expect(await scopesIn(storage, 'other').list()).toEqual([]);
  });

  it('are removed with all their data, another becomes current, and removed names are not reused', async () => {
    const storage = await storageIn();
    const { scopes } = currentStore(storage, 'one');
    for (const scope of ['first', 'second']) {
      await storeAt(storage, 'one', scope).settings.writeAll({
        organisationId: scope,
        companyId: 'c',
        useMock: 'false',
      });
      await storeAt(storage, 'one', scope).records(subscriptions).put(scope, subscription(scope));
    }
    await scopes.remove('first');
    expect([await scopes.current(), (await scopes.list()).map(({ scope }) => scope)]).toEqual(['second', ['second']]);
    expect(await storeAt(storage, 'one', 'first').settings.read()).toEqual({ useMock: 'false' });
    expect(await storage.collection(subscriptions).locationsOf('first')).toEqual([]);
    expect(await storage.collection(subscriptions).locationsOf('second')).toHaveLength(1);
    await scopes.remove('second');
    // An open page that still shows removed data must not act for another company of the same name.
    expect(['first', 'second']).not.toContain(await scopes.current());
  });
});
