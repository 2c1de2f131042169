import { join } from 'node:path';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
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

const batch = { batchId: 'b', status: 'Received', amount: '', kind: 'file' as const, postedAt: '' };

describe('what was read of one kind of records', () => {
  /** A store with a reading of its batches' statuses, and how often it was made. */
  async function reader(folder = temporaryFolder()) {
    const stores = await testStores(folder);
    const store = stores.of('default', 'second');
    const made = { readings: 0 };
    const statuses = () =>
      store.memo(['batches'], 'statuses', async () => {
        made.readings += 1;
        return (await store.batches.list()).map(({ status }) => status);
      });
    return { store, stores, statuses, made, folder };
  }

  it('is kept while other kinds, scopes and workspaces are written', async () => {
    const { store, stores, statuses, made } = await reader();
    await store.batches.put('b', batch);
    expect(await statuses()).toEqual(['Received']);
    await store.settings.write('batchId', 'b');
    await store.counts.put('lostWebhooks', 1);
    await stores.of('default', 'third').batches.put('b', { ...batch, status: 'Failed' });
    await stores.of('another', 'second').batches.put('b', { ...batch, status: 'Failed' });
    expect(await statuses()).toEqual(['Received']);
    expect(made.readings).toBe(1);
  });

  it('is read again after each kind of write', async () => {
    const { store, statuses } = await reader();
    const seen: string[][] = [await statuses()];
    for (const write of [
      () => store.batches.put('b', batch),
      () => store.batches.change('b', (before) => ({ ...before, status: 'Completed' })),
      () => store.batches.add('c', batch),
      () => store.batches.putAll([['d', batch]]),
      () => store.batches.remove('b'),
      () => store.batches.removeAll(['c']),
      () => store.scopes.remove('second'),
    ]) {
      await write();
      seen.push(await statuses());
    }
    expect(seen.map((found) => found.join(' '))).toEqual([
      ...['', 'Received', 'Completed', 'Completed Received', 'Completed Received Received'],
      ...['Received Received', 'Received', ''],
    ]);
  });

  it('is read again once one of them turns out to be damaged, or another program has written', async () => {
    const { store, statuses, folder } = await reader();
    await store.batches.put('b', batch);
    await store.batches.put('c', batch);
    const count = () => store.memo(['batches'], 'count', () => store.batches.count());
    expect([await count(), await statuses()]).toEqual([2, ['Received', 'Received']]);
    const other = openStoreFile(`file:${join(folder, 'console.sqlite')}`);
    other.exec("update entries set value = 'damaged' where key = 'b'");
    other.close();
    await othersTurn();
    expect(await statuses()).toEqual(['Received']);
    expect(await count()).toBe(1);
  });

  it('is not kept if reading it fails', async () => {
    const { store } = await reader();
    await expect(store.memo(['batches'], 'it', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await store.memo(['batches'], 'it', () => Promise.resolve('read'))).toBe('read');
  });
});
