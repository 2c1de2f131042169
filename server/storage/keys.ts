import { createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSharedUrl } from './databaseUrl.ts';
import { linkStatsOf, makeFolder, statsOf } from './folder.ts';

/** Thrown if the store's key cannot be used; the message says why and what to do. */
export class StoreKeyError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'StoreKeyError';
  }
}

/** Matches 32 bytes in Base64. */
export const keyPattern = /^[A-Za-z0-9+/]{43}=$/;
export const keyFrom = (base64: string): KeyObject => createSecretKey(base64, 'base64');

/** Where keys come from. */
interface KeySources {
  /** The configured keys, the current one first. */
  storeKeys: readonly KeyObject[];
  /** The folder of the key file. */
  dataDir: string;
  storeUrl: string;
}

export type StoreKeys = readonly [KeyObject, ...KeyObject[]];

/** Keys, or a secret, that may be new. */
interface MaybeNew {
  isNew: boolean;
  /** Puts what is new into its file: call it once a store exists for it. */
  keep: () => void;
}

/** The path of the file that has the store's key. */
export const keyFileIn = (dataDir: string): string => join(dataDir, 'store.key');

/**
 * Returns the configured keys or, if there are none, those of the key file in the data folder; makes a key if there is no
 * file. Throws StoreKeyError, also if a shared store has no configured keys.
 */
export function storeKeysOf({ storeKeys, dataDir, storeUrl }: KeySources): MaybeNew & { keys: StoreKeys } {
  const [current, ...older] = storeKeys;
  if (current) return { keys: [current, ...older], isNew: false, keep: () => undefined };
  if (isSharedUrl(storeUrl))
    throw new StoreKeyError(
      'STORE_KEY is missing: give all servers of the database the same 32 bytes in Base64, as openssl rand -base64 32 prints them; a key file belongs to one machine.',
    );
  const path = keyFileIn(dataDir);
  const { secret, ...kept } = secretIn(path);
  return { keys: keysIn(secret, path), ...kept };
}

/** Reads keys: one per line, the current one first. Throws StoreKeyError if the text holds anything but keys. */
function keysIn(text: string, path: string): StoreKeys {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const [current, ...older] = lines;
  if (current === undefined || !lines.every((line) => keyPattern.test(line)))
    throw new StoreKeyError(`${path} holds no key: put 32 bytes in Base64 there, one key to a line.`);
  return [keyFrom(current), ...older.map(keyFrom)];
}

/** Where a new secret is until its store exists. */
const newFile = (path: string): string => `${path}.new`;

/** Whether a file with a secret exists: the file itself, or the one of a first start that did not complete. */
export const hasSecret = (path: string): boolean => existsSync(path) || existsSync(newFile(path));

/**
 * Reads a secret from a file. If the file is missing, makes a random secret, which is in the file only after `keep`: a
 * start that is interrupted before leaves no secret without its store. Throws StoreKeyError if other users can read the
 * file, or if this process cannot.
 */
export function secretIn(path: string): MaybeNew & { secret: string } {
  try {
    if (linkStatsOf(path)) return { secret: read(path), isNew: false, keep: () => undefined };
    const fresh = newFile(path);
    const text = linkStatsOf(fresh)?.isFile() ? read(fresh) : '';
    return { secret: text || make(fresh), isNew: true, keep: () => explained(path, () => renameSync(fresh, path)) };
  } catch (error) {
    throw explanation(path, error);
  }
}

function explained(path: string, run: () => void): void {
  try {
    run();
  } catch (error) {
    throw explanation(path, error);
  }
}

/** Returns an error of the file system as a StoreKeyError, others unchanged. */
export function explanation(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  const at = `DATA_DIR is ${JSON.stringify(dirname(path))}`;
  return new StoreKeyError(
    code === 'ENOSPC' || code === 'EDQUOT'
      ? `${at}: its disk is full, make room there or give another folder.`
      : `${at}: ${path} cannot be kept there (${code}), give a folder that this user may write.`,
  );
}

function read(path: string): string {
  const stats = statsOf(path);
  if (!stats) throw new StoreKeyError(`${path} is a link to a file that is missing: put the file there.`);
  // Windows has no permission bits; the access rights of the folder apply.
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
    throw new StoreKeyError(`${path} can be read by other users: run chmod 600 ${path}.`);
  return readFileSync(path, 'utf8').trim();
}

/** Creates a file with a secret and flushes it to disk before anything is encrypted with it. */
function make(path: string): string {
  const text = randomBytes(32).toString('base64');
  makeFolder(dirname(path));
  writeFileSync(path, `${text}\n`, { mode: 0o600, flush: true });
  return text;
}
