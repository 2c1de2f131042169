import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyvApiTests, keyvIteratorTests, keyvValueTests } from '@keyv/test-suite';
import { Keyv, type KeyvStoreAdapter } from 'keyv';
import * as vitest from 'vitest';
import { systemClock } from '#server/clock.ts';
import { openKeyv } from '#server/store/adapter.ts';
import type { Engine } from '#server/store/engine.ts';
import { openEngine } from '#server/store/open.ts';
import { createSeal } from '#server/store/seal.ts';
import { newDatabase } from '#tests/support/postgres.ts';

const { afterAll, beforeAll, describe } = vitest;

/** A place for an engine, and a function that removes it. */
function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'keyv-'));
  const remove = () => Promise.resolve(rmSync(folder, { recursive: true }));
  return Promise.resolve({ url: `file:${join(folder, 'store.sqlite')}`, remove });
}

/** What Keyv promises of any store, by Keyv’s own tests. Its namespaces are not used: each adapter has one of its own. */
describe.each([
  ['SQLite', newFolder],
  ['PostgreSQL', newDatabase],
])('the adapter, by Keyv’s test suite: %s', (_name, place) => {
  const seal = createSeal([createSecretKey(Buffer.alloc(32, 7))]);
  const fail = (error: unknown) => {
    throw error;
  };
  let engine: Engine;
  let remove: () => Promise<void>;
  const adapter = () =>
    openKeyv({ engine, seal, verified: new Map(), opened: new WeakMap() }, 'workspace/suite', fail)
      .store as KeyvStoreAdapter; // Keyv leaves its store untyped

  beforeAll(async () => {
    const { url, remove: removal } = await place();
    remove = removal;
    ({ engine } = await openEngine(url, seal, systemClock, fail));
  });
  afterAll(async () => {
    await engine.close();
    await remove();
  });

  keyvApiTests(vitest, Keyv, adapter);
  keyvValueTests(vitest, Keyv, adapter);
  keyvIteratorTests(vitest, Keyv, adapter);
});
