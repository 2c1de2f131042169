import { readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { displayUrl, isSharedUrl } from './databaseUrl.ts';
import { DatabaseError, ownCodes } from './errors.ts';
import type { AcceptLoss } from './errors.ts';
import { linkStatsOf, makeFolder, statsOf } from './folder.ts';
import { explanation, hasSecret, StoreKeyError } from './keys.ts';
import { isSqliteFile, sizeOf } from './sqliteFiles.ts';

/** What the data folder knows of the store that was used last: its id, and its file or database. */
interface Known {
  id: string;
  place: string;
  isShared: boolean;
}

/** The file in the data folder that says which store was used last: it outlives the store. */
const fileIn = (dataDir: string): string => join(dataDir, 'store.json');

/** Reads what is known; undefined if nothing is. Throws StoreKeyError if it cannot be read. */
export function knownStore(dataDir: string): Known | undefined {
  const path = fileIn(dataDir);
  if (!linkStatsOf(path)) return undefined;
  try {
    const { id, place, isShared } = (JSON.parse(readFileSync(path, 'utf8')) ?? {}) as Partial<Known>; // checked below
    if (typeof id === 'string' && typeof place === 'string' && typeof isShared === 'boolean')
      return { id, place, isShared };
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
  const known: Known = { id, place: placeOf(storeUrl), isShared: isSharedUrl(storeUrl) };
  const before = linkStatsOf(path) && knownStore(dataDir);
  if (before && JSON.stringify(before) === JSON.stringify(known)) return;
  try {
    makeFolder(dataDir);
    writeFileSync(`${path}.new`, `${JSON.stringify(known)}\n`, { mode: 0o600, flush: true });
    renameSync(`${path}.new`, path);
  } catch (error) {
    throw explanation(path, error);
  }
}

const fileOf = (storeUrl: string): string => storeUrl.slice('file:'.length);

/** For display: a file's path, or a server's host, port and database. */
function placeOf(storeUrl: string): string {
  if (isSharedUrl(storeUrl)) return displayUrl(storeUrl);
  const path = resolve(fileOf(storeUrl));
  return statsOf(path) ? realpathSync(path) : path;
}

const lost = (place: string, why: string): DatabaseError => new DatabaseError(place, ownCodes.lost, why);

/** The link's target, if the path is a link. */
const linkTo = (path: string): string =>
  linkStatsOf(path)?.isSymbolicLink() ? ' (a link to a file that is missing)' : '';

/** An SQLite file and the file with the secret that belongs to it; the secret is absent if it is configured. */
interface Pair {
  file: string;
  secret?: string | undefined;
}

/**
 * Checks that an SQLite file and its secret are both there or both missing, before either is made. Throws StoreKeyError if
 * the secret is missing, and calls `acceptLoss` if the file is.
 */
export function assertBeside({ file, secret }: Pair, acceptLoss: AcceptLoss): void {
  if (secret === undefined) return;
  if (isSqliteFile(file) && !hasSecret(secret))
    throw new StoreKeyError(
      `${secret} is missing${linkTo(secret)}, although ${file} was made with it: put it back. To begin anew, move that file away.`,
    );
  if (sizeOf(file) === 0 && statsOf(secret))
    acceptLoss(lost(file, `${stateOf(file)}, although ${secret} belongs to it: put it back, or restore a backup`));
}

const stateOf = (file: string): string => (statsOf(file) ? 'it is empty' : `it is missing${linkTo(file)}`);

/**
 * Checks the configured store against the one that is known, before anything is made or opened. Calls `acceptLoss` if it
 * is missing or out of date.
 */
export function assertPresent(known: Known, storeUrl: string, acceptLoss: AcceptLoss): void {
  if (isSharedUrl(storeUrl)) return; // opening it will tell
  const file = fileOf(storeUrl);
  if (sizeOf(file) === 0)
    acceptLoss(
      lost(
        file,
        `${stateOf(file)}; the store that was used last is ${known.place}: give that one, or restore a backup`,
      ),
    );
  else if (known.isShared)
    acceptLoss(
      lost(file, `it is out of date: the store that was used last is the database ${known.place}, give that one`),
    );
}
