import { createSecretKey } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { StoreKeys } from '#server/store/keys.ts';
import { openStore } from '#server/store/store.ts';
import type { Store } from '#server/store/store.ts';

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A key of the store, the same for the same number. */
export const testKey = (number = 0) => createSecretKey(Buffer.alloc(32, number));

/** A store in a file of its own; give the same folder again to open the same records. */
export function testStore(folder = temporaryFolder(), workspace = 'default', keys: StoreKeys = [testKey()]): Store {
  const store = openStore({
    url: `file:${join(folder, 'console.sqlite')}`,
    keys,
    workspace,
    clock: systemClock,
    onError: () => undefined,
  });
  onTestFinished(() => store.close());
  return store;
}
