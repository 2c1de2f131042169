import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyvApiTests, keyvIteratorTests, keyvValueTests } from '@keyv/test-suite';
import { Keyv, type KeyvStoreAdapter } from 'keyv';
import * as vitest from 'vitest';
import { systemClock } from '#server/clock.ts';
import { openKeyv } from '#server/store/adapter.ts';
import { openStoreFile } from '#server/store/database.ts';
import { createSeal } from '#server/store/seal.ts';
import { sqliteEngine } from '#server/store/sqliteEngine.ts';

const { afterAll, describe } = vitest;

/** What Keyv promises of any store, by Keyv's own tests. Its namespaces are not used: each adapter has one of its own. */
describe('the adapter, by Keyv’s test suite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'keyv-'));
  const db = openStoreFile(`file:${join(folder, 'store.sqlite')}`);
  const seal = createSeal([createSecretKey(Buffer.alloc(32, 7))]);
  const engine = sqliteEngine(db, systemClock);
  const adapter = () =>
    openKeyv({ engine, seal, verified: new Map() }, 'workspace/suite', (error) => {
      throw error;
    }).store as KeyvStoreAdapter; // Keyv leaves its store untyped

  afterAll(() => {
    db.close();
    rmSync(folder, { recursive: true });
  });

  keyvApiTests(vitest, Keyv, adapter);
  keyvValueTests(vitest, Keyv, adapter);
  keyvIteratorTests(vitest, Keyv, adapter);
});
