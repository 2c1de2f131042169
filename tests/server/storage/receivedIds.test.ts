import { describe, expect, it } from 'vitest';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { engines, testStorage } from '#tests/support/storage.ts';

describe.each(engines)('A received id on %s', (_, newDatabase) => {
  it('belongs to the first write that received it, on all servers and after a restart', async () => {
    const url = await newDatabase();
    const storages = [await testStorage(url), ...(isSharedUrl(url) ? [await testStorage(url)] : [])];
    const found = await Promise.all(
      Array.from({ length: 10 }, (__, index) =>
        storages[index % storages.length]!.receivedIds.record('batch', 'id', `key ${index}`),
      ),
    );
    expect(found.filter(Boolean)).toHaveLength(1);
    const first = `key ${found.indexOf(true)}`;
    for (const storage of storages) await storage.close();
    const { receivedIds } = await testStorage(url);
    expect(await receivedIds.record('batch', 'id', first)).toBe(true);
    expect(await receivedIds.record('batch', ' ID', 'other')).toBe(false);
    expect(await receivedIds.record('subscription', 'id', 'other')).toBe(true);
  });

  it('is forgotten with the sandbox that has issued it, and may come again (behaviour 10.27.5)', async () => {
    const { receivedIds } = await testStorage(await newDatabase());
    for (const id of ['id', 'other']) await receivedIds.record('batch', id, 'first');
    await receivedIds.forget([' ID ', ...Array.from({ length: 1200 }, (__, index) => `more ${index}`)]);
    expect(await receivedIds.record('batch', 'id', 'second')).toBe(true);
    expect(await receivedIds.record('batch', 'other', 'second')).toBe(false);
  });
});
