import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { displayUrl, isSharedUrl } from './databaseUrl.ts';
import { linkStatsOf, makeFolder, statsOf } from './folder.ts';
import { explanation, hasSecret, StoreKeyError } from './keys.ts';
import { isSqliteFile } from './sqliteFiles.ts';

/** A store that was used before: its id, and its file or database; '' for what is not known. */
export interface KnownStore {
  id: string;
  place: string;
}

/** Any store, as long as it is one. */
export const anyStore: KnownStore = { id: '', place: '' };

/** The file in the data folder that says which store was used last: it outlives the store. */
const fileIn = (dataDir: string): string => join(dataDir, 'store.json');

/** Reads which store was used last; undefined if none was. Throws StoreKeyError if it cannot be read. */
export function knownStore(dataDir: string): KnownStore | undefined {
  const path = fileIn(dataDir);
  if (!linkStatsOf(path)) return undefined;
  try {
    const { id, place } = (JSON.parse(readFileSync(path, 'utf8')) ?? {}) as Partial<KnownStore>; // checked below
    if (typeof id === 'string' && typeof place === 'string') return { id, place };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw explanation(path, error);
  }
  throw new StoreKeyError(
    `${path} does not say which store was used last: restore it, or remove it if the store is the right one.`,
  );
}

/**
 * Notes the store that is used, so that its loss is noticed at the next start. Throws StoreKeyError if the folder cannot be
 * written.
 */
export function rememberStore(dataDir: string, storeUrl: string, id: string): void {
  const path = fileIn(dataDir);
  const known: KnownStore = { id, place: placeOf(storeUrl) };
  const before = knownStore(dataDir);
  if (before?.id === id && before.place === known.place) return;
  try {
    makeFolder(dataDir);
    writeFileSync(`${path}.new`, `${JSON.stringify(known)}\n`, { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw explanation(path, error);
  }
}

/** For display: a file's path, or a server's host, port and database. */
function placeOf(storeUrl: string): string {
  if (isSharedUrl(storeUrl)) return displayUrl(storeUrl);
  const path = resolve(storeUrl.slice('file:'.length));
  return statsOf(path) ? realpathSync(path) : path;
}

/** Throws StoreKeyError if the file with a secret is missing, although an SQLite file was made with it. */
export function assertSecret(file: string, secret: string): void {
  if (!isSqliteFile(file) || hasSecret(secret)) return;
  const link = linkStatsOf(secret) ? ' (a link to a file that is missing)' : '';
  throw new StoreKeyError(
    `${secret} is missing${link}, although ${file} was made with it: put it back. To begin anew, move that file away.`,
  );
}
