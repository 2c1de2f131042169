import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '#rules/counted.ts';
import { systemClock as clock } from '#server/clock.ts';
import { UseError } from '#rules/useError.ts';
import { runCommand } from '#server/command.ts';
import { ConfigError } from '#server/config/configError.ts';
import { readConfig } from '#server/config/config.ts';
import { copyStorage } from '#server/storage/copy.ts';
import { displayUrl, isSharedUrl } from '#server/storage/databaseUrl.ts';
import { DatabaseError } from '#server/storage/errors.ts';
import { StoreKeyError } from '#server/storage/keys.ts';
import type { StoreKeys } from '#server/storage/keys.ts';
import { startFailure } from './startFailure.ts';

const usage = `Usage: npm run copy-store -- [FILE]
Copies the SQLite store in FILE, console.sqlite in DATA_DIR if it is not given, to the PostgreSQL database in STORE_URL.`;

/** Reads the configuration. Throws ConfigError, also if it has no database or no key. */
function configured() {
  const config = readConfig();
  if (!isSharedUrl(config.storeUrl))
    throw new ConfigError([
      'STORE_URL names no PostgreSQL database: give the one to copy to, such as postgres://user:password@host/console.',
    ]);
  const [current, ...older] = config.storeKeys;
  if (!current)
    throw new StoreKeyError(
      `STORE_KEY is missing: give the key of the file, which is the first line of ${join(config.dataDir, 'store.key')} unless it was given as STORE_KEY before; all servers of the database need it.`,
    );
  const keys: StoreKeys = [current, ...older];
  return { config, keys };
}

/** Copies the store; returns the exit status. Throws UseError, ConfigError or StoreKeyError. */
async function copy([given, ...more]: readonly string[]): Promise<number> {
  if (given?.startsWith('-') || more.length > 0) throw new UseError(usage);
  const { config, keys } = configured();
  const path = given?.replace(/^file:/, '') ?? join(config.dataDir, 'console.sqlite');
  if (!existsSync(path)) throw new ConfigError([`There is nothing to copy: ${path} is missing.`]);
  const onError = () => undefined; // an idle connection broke
  const copied = await copyStorage(path, config.storeUrl, { keys, clock, onError }).catch((error: unknown) => {
    if (error instanceof DatabaseError && error.database === path)
      throw new ConfigError([`${path} cannot be copied: ${error.why}. Nothing was copied.`]);
    const sentence = startFailure(error, config);
    throw sentence === undefined ? error : new ConfigError([sentence]);
  });
  const to = displayUrl(config.storeUrl);
  if (!copied) {
    process.stdout.write(
      `${path} was copied to ${to} before; nothing was copied again, and what was written to it since is not there.\n`,
    );
    return 0;
  }
  for (const [table, rows] of Object.entries(copied)) process.stdout.write(`${table}: ${counted(rows, 'row')}\n`);
  process.stdout.write(`Everything in ${path} is in ${to}, counted in both.\n`);
  return 0;
}

await runCommand(copy, [ConfigError, StoreKeyError]);
