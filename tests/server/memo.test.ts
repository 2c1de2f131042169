import { join } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { openStoreFile } from '#server/store/database.ts';
import { temporaryFolder, testStores } from '#tests/support/store.ts';

it('what was read is read again once anything has been written, by the console or by anybody else', async () => {
  const folder = temporaryFolder();
  const stores = await testStores(folder);
  const { scopes, settings, counts } = stores.of('default', 'first');
  let readings = 0;
  const read = () =>
    scopes.memo('count', async () => {
      readings += 1;
      return counts.get('lostWebhooks');
    });
  expect(await Promise.all([read(), read()])).toEqual([undefined, undefined]);
  expect(readings).toBe(1);
  await counts.put('lostWebhooks', 1);
  expect([await read(), await read()]).toEqual([1, 1]);
  await settings.write('providerCountry', 'GB');
  expect((await settings.read()).providerCountry).toBe('GB');
  await stores.of('default').settings.write('providerCountry', 'AU');
  expect((await settings.read()).providerCountry, 'by another store of the same file').toBe('AU');

  const other = openStoreFile(`file:${join(folder, 'console.sqlite')}`);
  other.exec("delete from entries where namespace = 'default/counts'");
  other.close();
  await othersTurn();
  expect(await read()).toBeUndefined();
  expect(readings).toBe(3);
});

it('a failed reading is not kept, and scopes and workspaces share nothing', async () => {
  const stores = await testStores();
  const { memo } = stores.of('default', 'first').scopes;
  await expect(memo('it', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await memo('it', () => Promise.resolve('first'))).toBe('first');
  expect(await stores.of('default', 'second').scopes.memo('it', () => Promise.resolve('second'))).toBe('second');
  expect(await stores.of('another', 'first').scopes.memo('it', () => Promise.resolve('another'))).toBe('another');
});
