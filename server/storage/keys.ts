import { createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isSharedUrl } from './databaseUrl.ts';
import { makeFolder } from './folder.ts';

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

/**
 * Returns the configured keys or, if there are none, those of the key file in the data folder. Throws StoreKeyError,
 * also if a shared store has no configured keys.
 */
export function storeKeysOf({ storeKeys: [current, ...older], dataDir, storeUrl }: KeySources): StoreKeys {
  if (current) return [current, ...older];
  if (isSharedUrl(storeUrl))
    throw new StoreKeyError(
      'STORE_KEY is missing: give all servers of the database the same 32 bytes in Base64, as openssl rand -base64 32 prints them; a key file belongs to one machine.',
    );
  return keysInFile(join(dataDir, 'store.key'));
}

/**
 * Returns the keys in a file: one per line, the current one first. Creates the file with one key if it is missing.
 * Throws StoreKeyError if other users can read the file or it holds anything but keys.
 */
function keysInFile(path: string): StoreKeys {
  const lines = readOrMake(path)
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const [current, ...older] = lines;
  if (current === undefined || !lines.every((line) => keyPattern.test(line)))
    throw new StoreKeyError(`${path} holds no key: put 32 bytes in Base64 there, one key to a line.`);
  return [keyFrom(current), ...older.map(keyFrom)];
}

/**
 * Reads a secret from a file; creates the file with a random secret if it is missing. Throws StoreKeyError if other
 * users can read the file, or if this process cannot.
 */
export const secretIn = (path: string): string => readOrMake(path).trim();

function readOrMake(path: string): string {
  try {
    return readOrMakeFile(path);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    const at = `DATA_DIR is ${JSON.stringify(dirname(path))}`;
    throw new StoreKeyError(
      code === 'ENOSPC' || code === 'EDQUOT'
        ? `${at}: its disk is full, make room there or give another folder.`
        : `${at}: ${path} cannot be kept there (${code}), give a folder that this user may write.`,
    );
  }
}

function readOrMakeFile(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return make(path);
  // Windows has no permission bits; the access rights of the folder apply.
  if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0)
    throw new StoreKeyError(`${path} can be read by other users: run chmod 600 ${path}.`);
  return readFileSync(path, 'utf8');
}

/** Creates the file atomically and flushes it to disk before anything is encrypted with the key. */
function make(path: string): string {
  const text = `${randomBytes(32).toString('base64')}\n`;
  makeFolder(dirname(path));
  writeFileSync(`${path}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${path}.new`, path);
  return text;
}
