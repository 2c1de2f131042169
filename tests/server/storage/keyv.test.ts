import { keyvApiTests, keyvIteratorTests, keyvValueTests } from '@keyv/test-suite';
import { Keyv, type KeyvStoreAdapter } from 'keyv';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vitest from 'vitest';
import { systemClock } from '#server/clock.ts';
import { openStorage } from '#server/storage/open.ts';
import type { Storage } from '#server/storage/open.ts';
import { newDatabase } from '#tests/support/postgres.ts';
import { engines, here, testStorage } from '#tests/support/storage.ts';
import { testKey } from '#tests/support/store.ts';

const { afterAll, beforeAll, describe, expect, it } = vitest;

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'keyv-'));
  const remove = () => Promise.resolve(rmSync(folder, { recursive: true }));
  return Promise.resolve({ url: `file:${join(folder, 'console.sqlite')}`, remove });
}

/** Keyv’s own conformance tests for stores. Its namespaces are not used: each adapter has a separate one. */
describe.each([
  ['SQLite', newFolder],
  ['PostgreSQL', newDatabase],
])('The settings’ Keyv adapter on %s', (_, place) => {
  const fail = (error: unknown) => {
    throw error;
  };
  let storage: Storage;
  let remove: () => Promise<void>;

  beforeAll(async () => {
    const { url, remove: removal } = await place();
    remove = removal;
    storage = await openStorage({ url, keys: [testKey()], clock: systemClock, onError: fail });
  });
  afterAll(async () => {
    await storage.close();
    await remove();
  });

  const adapter = () => storage.settings.of(here).store as KeyvStoreAdapter; // Keyv leaves its store untyped
  keyvApiTests(vitest, Keyv, adapter);
  keyvValueTests(vitest, Keyv, adapter);
  keyvIteratorTests(vitest, Keyv, adapter);
});

describe.each(engines)('Settings on %s', (_, newDatabaseUrl) => {
  it('are separate by location, in order of insertion', async () => {
    const { settings } = await testStorage(await newDatabaseUrl());
    const [own, other] = [settings.of<string>(here), settings.of<string>({ workspace: 'w', company: 'd' })];
    await own.setMany([
      { key: 'b', value: '1' },
      { key: 'a', value: '2' },
    ]);
    await other.set('a', 'of another');
    await own.set('b', '3');
    const found: unknown[] = [];
    for await (const entry of own.iterator!(undefined)) found.push(entry);
    expect(found).toEqual([
      ['b', '3'],
      ['a', '2'],
    ]);
    await own.clear();
    expect(await own.get('a')).toBeUndefined();
    expect(await other.get('a')).toBe('of another');
  });

  it('list the companies of a workspace in the order of their first setting', async () => {
    const { settings } = await testStorage(await newDatabaseUrl());
    await settings.of({ workspace: 'w', company: 'z' }).set('a', '1');
    await settings.of({ workspace: 'w', company: '' }).set('a', '1');
    await settings.of({ workspace: 'w', company: 'b' }).set('a', '1');
    await settings.of({ workspace: 'w', company: 'z' }).set('b', '1');
    await settings.of({ workspace: 'v', company: 'c' }).set('b', '1');
    expect(await settings.companies('w')).toEqual(['z', 'b']);
  });

  it('throw an error when the database fails, instead of looking empty', async () => {
    const storage = await testStorage(await newDatabaseUrl());
    const own = storage.settings.of(here);
    await own.set('a', '1');
    await storage.close();
    await expect(own.get('a')).rejects.toThrow();
    await expect(own.set('a', '2')).rejects.toThrow();
  });
});
