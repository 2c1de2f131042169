import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { makeFolder } from '#server/storage/folder.ts';
import { addressOf } from '#server/storage/sqliteConnection.ts';
import type { Config } from '#server/config/config.ts';

type Places = Pick<Config, 'storeUrl' | 'sandboxStoreUrl' | 'dataDir'>;

/** The sandbox's SQLite file; [] if its store is a database. */
export const sandboxFiles = ({ dataDir, sandboxStoreUrl }: Omit<Places, 'storeUrl'>): string[] =>
  sandboxStoreUrl === undefined ? [join(dataDir, 'sandbox.sqlite')] : [];

/**
 * The SQLite files of this configuration: the console's, and the sandbox's if it is `embedded`. Stores in a database
 * are omitted.
 */
export const filesOf = (config: Places, embedded: boolean): string[] => [
  ...(config.storeUrl.startsWith('file:') ? [config.storeUrl.slice('file:'.length)] : []),
  ...(embedded ? sandboxFiles(config) : []),
];

/** Thrown if the copy fails; the message is a sentence. */
export class BackupError extends Error {
  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.name = 'BackupError';
  }
}

/**
 * Worker that copies a consistent snapshot, while other connections of this process read and write. Posts error
 * messages as text, because the driver's errors lose theirs when they are transferred between threads.
 */
const copying = `
  const { parentPort, workerData: { driver, from, to } } = require('node:worker_threads');
  try {
    const db = new (require(driver))(from);
    db.exec('pragma busy_timeout = 2000');
    db.prepare('vacuum into ?').run(to);
    db.close();
  } catch (error) {
    parentPort.postMessage(error.message);
  }
`;

/** Flushes a file or folder to the disk. */
function flush(path: string): void {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

/**
 * Copies an SQLite file, which no other process may have open, to a new file, atomically. A worker thread does it, so
 * that this one is not blocked. Rejects with BackupError, also if the target exists.
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  if (existsSync(to)) throw new BackupError(`${to} is there already: give a folder without it.`);
  const part = `${to}.part`;
  try {
    makeFolder(dirname(to));
    rmSync(part, { force: true });
    closeSync(openSync(part, 'wx', 0o600)); // readable only by its owner
    const driver = createRequire(import.meta.url).resolve('libsql');
    const worker = new Worker(copying, { eval: true, workerData: { driver, from: addressOf(from), to: part } });
    await new Promise<void>((resolve, reject) => {
      worker.once('error', reject);
      worker.once('message', (problem: string) => reject(new Error(problem)));
      worker.once('exit', () => resolve());
    });
    flush(part);
    renameSync(part, to);
    if (process.platform !== 'win32') flush(dirname(to));
  } catch (error) {
    if (existsSync(part)) rmSync(part);
    const { message } = error as Error; // the driver and node throw errors
    const why = /database is locked/.test(message) ? 'another program that cannot be asked has it open' : message;
    throw new BackupError(`${from} cannot be copied to ${to}: ${why}.`, error);
  }
}
