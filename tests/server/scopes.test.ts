import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { openKeyv } from '#server/store/adapter.ts';
import { openStoreFile } from '#server/store/database.ts';
import { createSeal } from '#server/store/seal.ts';
import { sqliteEngine } from '#server/store/sqliteEngine.ts';
import { temporaryFolder, testKey, testStore, testStores } from '#tests/support/store.ts';

const subscription = (subscriptionId: string) => ({
  subscriptionId,
  providerId: 'provider',
  status: 'Authorised',
  suspended: false,
  useMock: 'true',
});

describe('scopes', () => {
  it('separate each company’s data, and share the workspace’s', async () => {
    const stores = await testStores();
    const [first, second] = [stores.of('one', 'first'), stores.of('one', 'second')];
    await first.settings.writeAll({
      organisationId: 'o',
      companyId: 'a',
      subscriptionId: 's',
      acceptLanguage: 'fr-CA',
    });
    await second.settings.writeAll({ organisationId: 'o', companyId: 'b', userJwt: 'jwt' });
    await first.subscriptions.put('s', subscription('s'));
    expect(await second.subscriptions.list()).toEqual([]);
    const shared = { acceptLanguage: 'fr-CA', userJwt: 'jwt' };
    expect(await first.settings.read()).toEqual({
      organisationId: 'o',
      companyId: 'a',
      subscriptionId: 's',
      ...shared,
    });
    expect(await second.settings.read()).toEqual({ organisationId: 'o', companyId: 'b', ...shared });
  });

  it('are listed in order of arrival, and one is current', async () => {
    const stores = await testStores();
    const { scopes, settings } = stores.of('one');
    expect([await scopes.list(), await scopes.current()]).toEqual([[], 'first']);
    await scopes.write('second', { organisationId: 'o', companyId: 'b', companyName: 'B' });
    await scopes.write('first', { organisationId: 'o', companyId: 'a' });
    expect(await scopes.list()).toEqual([
      { scope: 'first', organisationId: 'o', companyId: 'a', companyName: '' },
      { scope: 'second', organisationId: 'o', companyId: 'b', companyName: 'B' },
    ]);
    await scopes.select('second');
    expect((await settings.read()).companyId).toBe('b');
    expect(await stores.of('other').scopes.list()).toEqual([]);
  });

  it('are removed with all their data, and another one becomes current', async () => {
    const stores = await testStores();
    const { scopes } = stores.of('one');
    for (const scope of ['first', 'second']) {
      await stores.of('one', scope).settings.writeAll({ organisationId: scope, companyId: 'c', useMock: 'false' });
      await stores.of('one', scope).subscriptions.put(scope, subscription(scope));
    }
    await scopes.remove('first');
    expect([await scopes.current(), (await scopes.list()).map(({ scope }) => scope)]).toEqual(['second', ['second']]);
    expect(await stores.of('one', 'first').settings.read()).toEqual({ useMock: 'false' });
    expect(await stores.ownersOf('subscriptions', 'first')).toEqual([]);
    expect(await stores.ownersOf('subscriptions', 'second')).toHaveLength(1);
    await scopes.remove('second');
    // A reused name might be that of a page that still shows removed data.
    expect(['first', 'second']).not.toContain(await scopes.current());
  });

  it('include data from when a workspace held one company', async () => {
    const folder = temporaryFolder();
    const db = openStoreFile(`file:${folder}/console.sqlite`);
    const engine = sqliteEngine(db, systemClock);
    const shared = { engine, seal: createSeal([testKey()]), verified: new Map(), opened: new WeakMap() };
    const keyv = (kind: string) => openKeyv<unknown>(shared, `default/${kind}`, () => undefined);
    const old = {
      organisationId: 'o',
      companyId: 'c',
      companySigningKey: 'k',
      accountId: 'a',
      acceptLanguage: 'en-GB',
    };
    for (const [key, value] of Object.entries(old)) await keyv('settings').set(key, value);
    await keyv('subscriptions').set('s', subscription('s'));
    db.close();
    const { scopes, settings, subscriptions } = await testStore(folder);
    expect(await settings.read()).toEqual(old);
    expect(await subscriptions.list()).toEqual([subscription('s')]);
    expect(await scopes.list()).toEqual([{ scope: 'first', organisationId: 'o', companyId: 'c', companyName: '' }]);
  });
});
