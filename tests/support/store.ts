import { createSecretKey } from 'node:crypto';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { Metrics } from '#server/metrics/metrics.ts';
import type { StoreKeys } from '#server/store/keys.ts';
import { openStores } from '#server/store/store.ts';
import type { Store, Stores } from '#server/store/store.ts';
import { defaultWorkspace } from '#server/workspace/workspaces.ts';
import { temporaryDatabase } from './postgres.ts';

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'console-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The content of the database and its write-ahead log, as a byte string. */
export const bytesIn = (folder: string): string =>
  readdirSync(folder)
    .filter((name) => name.startsWith('console.sqlite'))
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');

/** A key of the store, always the same for the same number. */
export const testKey = (number = 0) => createSecretKey(Buffer.alloc(32, number));

/** The databases of folders. */
const databases = new Map<string, Promise<string>>();

/** Where the stores of a folder are: in a file there, or with STORE=postgres in a database that is made for it. */
function storeUrlIn(folder: string): Promise<string> {
  if (process.env['STORE'] !== 'postgres') return Promise.resolve(`file:${join(folder, 'console.sqlite')}`);
  const known = databases.get(folder) ?? temporaryDatabase();
  databases.set(folder, known);
  return known;
}

/** Stores of their own, closed with the test at the latest; passing the same folder again opens the same records. */
export async function testStores(
  folder = temporaryFolder(),
  keys: StoreKeys = [testKey()],
  clock = systemClock,
  onError: (error: unknown) => void = () => undefined,
  metrics?: Metrics,
): Promise<Stores> {
  const stores = await openStores({
    url: await storeUrlIn(folder),
    keys,
    clock,
    onError,
    ...(metrics && { metrics }),
  });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= stores.close());
  onTestFinished(close);
  return { ...stores, close };
}

/** The store of one workspace. */
export async function testStore(
  folder?: string,
  workspace = defaultWorkspace,
  keys?: StoreKeys,
): Promise<Store & Pick<Stores, 'close'>> {
  const stores = await testStores(folder, keys);
  return { ...stores.of(workspace), close: () => stores.close() };
}

/** A user's session just after sign-in. */
export const aSession = {
  workspace: 'default',
  name: 'A User',
  subject: 'a-user',
  idToken: 'token',
  accessToken: 'the-access-token',
  askedAt: 0,
  confirmedAt: 0,
};
