import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { counted } from '#rules/counted.ts';
import { ConfigError, parseConfig } from '../config.ts';
import { DatabaseError, otherTables } from '../sqlite/sqlite.ts';
import { startFailure } from './startFailure.ts';
import { copyStore } from '../store/copy.ts';
import { StoreKeyError } from '../store/keys.ts';
import { createSeal } from '../store/seal.ts';
import { isSharedUrl, shownUrl } from '../store/url.ts';

const usage = `Usage: npm run copy-store -- [FILE]
Copies the SQLite store in FILE, console.sqlite in DATA_DIR if it is not given, to the PostgreSQL database in STORE_URL.
`;

/** Reads the configuration. Throws ConfigError, also if it has no database or no key. */
function configured() {
  if (existsSync('.env')) process.loadEnvFile();
  const config = parseConfig(process.env);
  if (!isSharedUrl(config.storeUrl))
    throw new ConfigError([
      'STORE_URL names no PostgreSQL database: give the one to copy to, such as postgres://user:password@host/console.',
    ]);
  const [current, ...older] = config.storeKeys;
  if (!current)
    throw new StoreKeyError(
      `STORE_KEY is missing: give the key of the file, which is the first line of ${join(config.dataDir, 'store.key')} unless it was given as STORE_KEY before; all servers of the database need it.`,
    );
  return { config, seal: createSeal([current, ...older]) };
}

/** Copies the store; returns the exit code: 0 if it was copied, 2 for wrong usage. */
async function copy([given, ...more]: readonly string[]): Promise<number> {
  if (given?.startsWith('-') || more.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  const { config, seal } = configured();
  const path = given?.replace(/^file:/, '') ?? join(config.dataDir, 'console.sqlite');
  if (!existsSync(path)) throw new ConfigError([`There is nothing to copy: ${path} is missing.`]);
  const explained = (error: unknown): never => {
    if (error instanceof DatabaseError)
      throw new ConfigError([
        error.why === 'SQLITE_BUSY'
          ? `${path} is in use: stop the console that works on it first. Nothing was copied.`
          : `${path} cannot be opened as an SQLite store (${error.why === otherTables ? 'it holds tables of something else' : error.why}). Nothing was copied.`,
      ]);
    const sentence = startFailure(error, config);
    throw sentence === undefined ? error : new ConfigError([sentence]);
  };
  const copied = await copyStore(path, config.storeUrl, seal, () => undefined).catch(explained);
  const to = shownUrl(config.storeUrl);
  if ('before' in copied) {
    process.stdout.write(
      `${path} was copied to ${to} on ${copied.before.toISOString()}; nothing was copied again, and what was written to it later is not there.\n`,
    );
    return 0;
  }
  for (const { table, rows, namespaces } of copied.counted)
    process.stdout.write(
      `${table}: ${counted(rows, 'row')}${namespaces > 0 ? ` in ${counted(namespaces, 'namespace')}` : ''}\n`,
    );
  process.stdout.write(`Everything in ${path} is in ${to}, counted in both.\n`);
  return 0;
}

try {
  process.exitCode = await copy(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StoreKeyError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
