import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { StoreKeys } from '#server/storage/keys.ts';
import { openStorage } from '#server/storage/open.ts';
import type { Storage } from '#server/storage/open.ts';
import { temporaryDatabase } from './postgres.ts';
import { temporaryFolder, testKey } from './store.ts';

/** The URL of a new SQLite file, which is removed after the test. */
export const temporaryFile = (): Promise<string> =>
  Promise.resolve(`file:${join(temporaryFolder(), 'console.sqlite')}`);

/** Both engines, each with a function that returns the URL of a new database. */
export const engines = [
  ['SQLite', temporaryFile],
  ['PostgreSQL', temporaryDatabase],
] as const;

interface Options {
  keys?: StoreKeys;
  clock?: Clock;
  /** Takes the errors that are reported. */
  errors?: unknown[];
}

/** Opens the storage of a database; it is closed with the test at the latest. */
export async function testStorage(
  url: string,
  { keys = [testKey()], clock = systemClock, errors = [] }: Options = {},
): Promise<Storage> {
  const storage = await openStorage({ url, keys, clock, onError: (error) => errors.push(error) });
  let closed: Promise<void> | undefined;
  const close = () => (closed ??= storage.close());
  onTestFinished(close);
  return { ...storage, close };
}

/** A company of a workspace. */
export const here = { workspace: 'w', company: 'c' };
