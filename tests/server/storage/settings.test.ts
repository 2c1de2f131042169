import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { storedSettingsIn } from '#server/companies/storedSettings.ts';
import { createEncryption, locationKey, UnknownKeyError } from '#server/storage/encryption.ts';
import { UnreadableError } from '#server/storage/errors.ts';
import type { EarlierSetting } from '#server/storage/settingsMigration.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { statement } from '#tests/support/postgres.ts';
import { earlierDatabase, engines, here, tamper, testStorage } from '#tests/support/storage.ts';
import { temporaryFolder, testKey } from '#tests/support/store.ts';

describe.each(engines)('Several settings on %s', (_, newDatabase) => {
  it.each([
    ['of a company', { companyId: 'c', batchId: 'b' }],
    ['of a company and its workspace', { companyId: 'c', useMock: 'false' }],
    ['of the workspace', { userJwt: 'u', useMock: 'false' }],
  ])('%s, written in one call, are stored all or, if one fails, none', async (__, values) => {
    const url = await newDatabase();
    const before = await testStorage(url);
    const first = { ...values, companyId: 'first', useMock: 'first' };
    await storedSettingsIn(before, here).writeAll(first);
    await before.close();
    // Fails for the value that is written last.
    const last = Object.hasOwn(values, 'companyId') ? here.companyKey : '';
    if (isSharedUrl(url))
      await statement(
        url,
        `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
         create trigger refuse before update on settings for each row when (new.company_key = '${last}') execute function refuse()`,
      );
    else
      await tamper(
        url,
        `create trigger refuse before update on settings when new.company_key = '${last}' begin select raise(abort, 'refused'); end`,
      );
    const settings = storedSettingsIn(await testStorage(url), here);
    await expect(settings.writeAll(values)).rejects.toThrow(/refused|SQLITE_CONSTRAINT_TRIGGER/);
    expect(await settings.read()).toEqual(first);
  });

  it('written concurrently, by several servers where there are some, are all stored', async () => {
    const url = await newDatabase();
    const storages = [await testStorage(url), ...(isSharedUrl(url) ? [await testStorage(url)] : [])];
    const keys = ['organisationId', 'companyId', 'batchId', 'accountId', 'dataSetId', 'useMock', 'userJwt'] as const;
    await Promise.all(
      keys.flatMap((key, index) => [
        storedSettingsIn(storages[index % storages.length]!, here).write(key, key), // not empty
        storedSettingsIn(storages[0]!, here).write('providerId', String(index)),
      ]),
    );
    const stored = await storedSettingsIn(storages[0]!, here).read();
    expect(stored).toMatchObject(Object.fromEntries(keys.map((key) => [key, key])));
    expect(Object.keys(stored)).toHaveLength(keys.length + 1);
  });
});

const encryption = createEncryption([testKey()]);
const earlier = (at: Omit<EarlierSetting, 'value'>, value: string): EarlierSetting => ({
  ...at,
  value: encryption.encrypt(JSON.stringify({ value }), locationKey('settings', at.workspace, at.company, at.key)),
});

/** A store as version 0.2.0 has left it, with these rows. */
async function before(url: string, rows: readonly EarlierSetting[]): Promise<void> {
  const indexKey = encryption.encrypt(Buffer.alloc(32).toString('base64'), locationKey('index_key'));
  const database = await earlierDatabase(url, '005 reads of the timeline', indexKey);
  for (const { workspace, company, key, value } of rows)
    await database.write((db) =>
      sql`insert into settings (workspace, company, key, value)
        values (${workspace}, ${company}, ${key}, ${value})`.execute(db),
    );
  await database.close();
}

describe.each(engines)('The settings of version 0.2.0 on %s', (_, newDatabase) => {
  const odd = 'a "quoted" text, ünïcode \u0001 and 12345678901234567890';

  it('are taken over as one value of each company, in the order of the companies', async () => {
    const url = await newDatabase();
    const rows = [
      earlier({ workspace: 'w', company: 'z', key: 'organisationId' }, 'o'),
      earlier({ workspace: 'w', company: '', key: 'currentScope' }, 'a'),
      earlier({ workspace: 'w', company: 'a', key: 'companySigningKey' }, odd),
      earlier({ workspace: 'v', company: 'z', key: 'companyId' }, ''),
      earlier({ workspace: 'w', company: 'z', key: 'written' }, '{"values":{},"records":{}}'),
    ];
    await before(url, rows);
    for (let start = 0; start < 2; start += 1) {
      const storage = await testStorage(url);
      expect(await storage.settings.companies('w')).toEqual([
        ['z', { organisationId: 'o', written: '{"values":{},"records":{}}' }],
        ['a', { companySigningKey: odd }],
      ]);
      expect(await storage.settings.of('w').get('')).toEqual({ currentScope: 'a' });
      expect(await storage.settings.companies('v')).toEqual([['z', { companyId: '' }]]);
      await storage.close();
    }
  });

  it('are taken over under a new key, and not without the key that they were encrypted with', async () => {
    const url = await newDatabase();
    await before(url, [earlier({ workspace: 'w', company: 'c', key: 'companyId' }, 'c')]);
    await expect(testStorage(url, { keys: [testKey(1)] })).rejects.toThrow(UnknownKeyError);
    const storage = await testStorage(url, { keys: [testKey(1), testKey()] });
    expect(await storage.settings.of(here.workspace).get(here.companyKey)).toEqual({ companyId: 'c' });
    await storage.close();
    expect(await (await testStorage(url, { keys: [testKey(1)] })).settings.companies('w')).toHaveLength(1);
  });

  it('of one company stay unreadable, so that none looks unset, if one of them was changed; others are taken over (threat 7.12)', async () => {
    const url = await newDatabase();
    const moved = earlier({ workspace: 'w', company: 'c', key: 'batchId' }, 'b');
    await before(url, [
      earlier({ workspace: 'w', company: 'c', key: 'companyId' }, 'c'),
      { ...moved, key: 'companySigningKey' },
      earlier({ workspace: 'w', company: 'd', key: 'companyId' }, 'd'),
    ]);
    const storage = await testStorage(url);
    const settings = storage.settings.of('w');
    await expect(settings.get('c')).rejects.toThrow(UnreadableError);
    await expect(storedSettingsIn(storage, here).write('companyId', 'another')).rejects.toThrow(UnreadableError);
    expect(await settings.get('d')).toEqual({ companyId: 'd' });
    expect(await storage.settings.unreadable()).toEqual(['settings/w/c']);
  });
});

it('An SQLite file is created together with its missing parent folders', async () => {
  const file = join(temporaryFolder(), 'new', 'folder', 'console.sqlite');
  await testStorage(`file:${file}`);
  expect(existsSync(file)).toBe(true);
});
