import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { openStores } from '#server/store/store.ts';
import { creditor } from '#tests/support/material.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { aSession, testKey } from '#tests/support/store.ts';

async function storesIn(url: string) {
  const stores = await openStores({ url, keys: [testKey()], clock: systemClock, onError: () => undefined });
  onTestFinished(() => stores.close());
  return stores;
}

describe('a database', () => {
  it('holds nothing but ids in clear text', async () => {
    const url = await temporaryDatabase();
    const stores = await storesIn(url);
    const { settings, creditors, claims } = stores.of('default');
    await settings.writeAll({ companySigningKey: 'the-signing-key', userJwt: 'the-user-token' });
    await creditors.put('one', { ...creditor, creditorId: 'one', creditorname: 'The Creditor' });
    await claims.claim('write/key', 'the-fingerprint');
    await claims.finish('write/key', { answer: 'the-answer' });
    await stores.sessions.begin({ ...aSession, accessToken: 'the-access-token', name: 'The User' });
    const tables = ['entries', 'claims', 'sessions', 'tallies', 'versions', 'servers', 'keys'];
    const rows = await Promise.all(tables.map((table) => statement(url, `select * from ${table}`)));
    const text = JSON.stringify(rows);
    expect(rows.every(({ length }) => length > 0)).toBe(true);
    for (const secret of [
      'the-signing-key',
      'the-user-token',
      'The Creditor',
      'the-fingerprint',
      'the-answer',
      'the-acc',
    ])
      expect(text).not.toContain(secret);
    expect(text).not.toContain('The User');
  });

  it('has values set aside that somebody moved or changed', async () => {
    const url = await temporaryDatabase();
    const { creditors, setAside } = (await storesIn(url)).of('default');
    for (const creditorId of ['one', 'two', 'three']) await creditors.put(creditorId, { ...creditor, creditorId });
    await statement(
      url,
      `update entries set value = (select value from entries where key = 'two') where key = 'one';
     update entries set value = 'in clear text' where key = 'three'`,
    );
    expect((await creditors.list()).map(({ creditorId }) => creditorId)).toEqual(['two']);
    expect((await setAside()).map(({ kind, id }) => [kind, id])).toEqual([
      ['creditors', 'one'],
      ['creditors', 'three'],
    ]);
    expect(await creditors.count(creditor.subscriptionId)).toBe(1);
  });
});
