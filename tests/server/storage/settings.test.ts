import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storedSettingsIn } from '#server/companies/storedSettings.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { statement } from '#tests/support/postgres.ts';
import { engines, here, tamper, testStorage } from '#tests/support/storage.ts';
import { temporaryFolder } from '#tests/support/store.ts';

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

it('An SQLite file is created together with its missing parent folders', async () => {
  const file = join(temporaryFolder(), 'new', 'folder', 'console.sqlite');
  await testStorage(`file:${file}`);
  expect(existsSync(file)).toBe(true);
});
