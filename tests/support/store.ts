import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { openStore } from '#server/store/store.ts';
import type { Store } from '#server/store/store.ts';

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A store in a file of its own; give the same folder again to open the same records. */
export function testStore(folder = temporaryFolder(), workspace = 'default'): Store {
  const store = openStore({
    url: `file:${join(folder, 'console.sqlite')}`,
    workspace,
    clock: systemClock,
    onError: () => undefined,
  });
  onTestFinished(() => store.close());
  return store;
}
