import { keyvApiTests, keyvValueTests } from '@keyv/test-suite';
import { Keyv, type KeyvStoreAdapter } from 'keyv';
import type { EventEmitter } from 'node:events';
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

  // Keyv leaves its store untyped, and the tests make many Keyvs of one.
  const adapter = () =>
    (storage.settings.of(here.workspace).store as EventEmitter & KeyvStoreAdapter).setMaxListeners(0);
  keyvApiTests(vitest, Keyv, adapter);
  keyvValueTests(vitest, Keyv, adapter);
});

describe.each(engines)('Settings on %s', (_, newDatabaseUrl) => {
  it('are one value for each company of a workspace', async () => {
    const { settings } = await testStorage(await newDatabaseUrl());
    const [own, other] = [settings.of('w'), settings.of('v')];
    await own.set('c', { a: '1', b: '2' });
    await own.set('', { a: 'of the workspace' });
    await other.set('c', { a: 'of another' });
    await own.set('c', { a: '3' });
    expect(await own.getMany(['', 'c', 'none'])).toEqual([{ a: 'of the workspace' }, { a: '3' }, undefined]);
    await own.clear();
    expect(await own.get('c')).toBeUndefined();
    expect(await other.get('c')).toEqual({ a: 'of another' });
  });

  it('list the companies of a workspace in the order of their first setting', async () => {
    const { settings } = await testStorage(await newDatabaseUrl());
    for (const company of ['z', '', 'b', 'z']) await settings.of('w').set(company, { of: company });
    await settings.of('v').set('c', {});
    expect(await settings.companies('w')).toEqual([
      ['z', { of: 'z' }],
      ['b', { of: 'b' }],
    ]);
  });

  it('throw an error when the database fails, instead of looking empty', async () => {
    const storage = await testStorage(await newDatabaseUrl());
    const own = storage.settings.of(here.workspace);
    await own.set('a', '1');
    await storage.close();
    await expect(own.get('a')).rejects.toThrow();
    await expect(own.set('a', '2')).rejects.toThrow();
  });
});
