import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { statement } from '#tests/support/postgres.ts';
import { engines, here, tamper, testStorage } from '#tests/support/storage.ts';
import { temporaryFolder } from '#tests/support/store.ts';

describe.each(engines)('Several settings on %s', (_, newDatabase) => {
  it('written in one call are stored all or, if one fails, none', async () => {
    const url = await newDatabase();
    const before = await testStorage(url);
    const entries = (value: string) => ['a', 'b'].map((key) => ({ key, value }));
    await before.settings.of<string>(here).setMany(entries('first'));
    await before.close();
    if (isSharedUrl(url))
      await statement(
        url,
        `create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
         create trigger refuse before update on settings for each row when (new.key = 'b') execute function refuse()`,
      );
    else
      await tamper(
        url,
        `create trigger refuse before update on settings when new.key = 'b' begin select raise(abort, 'refused'); end`,
      );
    const settings = (await testStorage(url)).settings.of<string>(here);
    await expect(settings.setMany(entries('second'))).rejects.toThrow(/refused|SQLITE_CONSTRAINT_TRIGGER/);
    expect([await settings.get('a'), await settings.get('b')]).toEqual(['first', 'first']);
  });

  it('written concurrently are all stored', async () => {
    const settings = (await testStorage(await newDatabase())).settings.of<string>(here);
    await Promise.all(
      Array.from({ length: 20 }, (__, index) => [
        settings.set('same', 'value'),
        settings.set(`${index}`, 'own'),
      ]).flat(),
    );
    await settings.set('same', 'last');
    expect(await settings.get('same')).toBe('last');
    for (let index = 0; index < 20; index += 1) expect(await settings.get(`${index}`)).toBe('own');
  });
});

it('An SQLite file is created together with its missing parent folders', async () => {
  const file = join(temporaryFolder(), 'new', 'folder', 'console.sqlite');
  await testStorage(`file:${file}`);
  expect(existsSync(file)).toBe(true);
});
