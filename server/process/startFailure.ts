import { dirname, relative } from 'node:path';
import type { Config } from '../config.ts';
import { DatabaseError, otherTables } from '../sqlite/sqlite.ts';
import { SandboxStoreError } from '../sandbox/store/sandboxStore.ts';
import { ownCodes } from '../storage/errors.ts';
import { PostgresStoreError } from '../store/postgres/migrate.ts';
import { StoreKeyError } from '../store/keys.ts';
import { UnknownKeyError } from '../store/seal.ts';

/** Returns what prevented the start: a sentence that names the variable to change; undefined for unexpected errors. */
export function startFailure(error: unknown, config: Config): string | undefined {
  if (error instanceof DatabaseError) return ofData(error, config);
  if (error instanceof SandboxStoreError) return ofSandbox(error, config);
  if (error instanceof PostgresStoreError) return `STORE_URL names the database ${error.database}: ${error.why}.`;
  if (error instanceof StoreKeyError) return error.message;
  if (error instanceof UnknownKeyError) return ofKey(error, config);
  return ofListening(error as ListenError, config); // other errors lack these members
}

/** Members that Node adds to the error of `listen`. */
type ListenError = Partial<Pick<NodeJS.ErrnoException, 'code'> & { port: number; address: string; hostname: string }>;

function ofListening(error: ListenError, { host, sandboxHost, port, metrics }: Config): string | undefined {
  const name = error.port === port ? 'PORT' : error.port === metrics?.port ? 'METRICS_PORT' : 'SANDBOX_PORT';
  const at = `${name} is ${error.port}`;
  const where = error.address ?? error.hostname;
  const hosts = { HOST: host, SANDBOX_HOST: sandboxHost, METRICS_HOST: metrics?.host };
  const [hostName, given] = Object.entries(hosts).find(([, each]) => each === where) ?? ['HOST', host];
  switch (error.code) {
    case 'EADDRINUSE':
      return `${at}: this port is in use, give another one or 0 for any free one.`;
    case 'EACCES':
      if (error.port === undefined) return undefined; // not an error of `listen`
      return `${at}: this user may not listen there, give a port from 1024 on or 0 for any free one.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${hostName} is ${JSON.stringify(given)}: this machine has no such address, give 127.0.0.1 or 0.0.0.0 for all of its addresses.`;
    default:
      return undefined;
  }
}

function ofKey({ keyId }: UnknownKeyError, { dataDir, storeKeys }: Config): string {
  const [is, where] =
    storeKeys.length > 0
      ? ['STORE_KEY is not the key', 'as STORE_KEY, or as STORE_KEY_PREVIOUS beside a new one']
      : [`DATA_DIR is ${JSON.stringify(dataDir)}: its store.key is not the key`, 'there, or below a new one'];
  return `${is} that the data were encrypted with: give the one with the fingerprint ${keyId} ${where}.`;
}

function ofSandbox({ database, code, why }: SandboxStoreError, config: Config): string {
  if (config.sandboxStoreUrl !== undefined) return `SANDBOX_STORE_URL names the database ${database}: ${why}.`;
  return ofData({ path: database, why: code === ownCodes.laterSchema ? why : code }, config);
}

function ofData(
  { path, why }: Pick<DatabaseError, 'path' | 'why'>,
  { dataDir, storeUrl }: Pick<Config, 'dataDir' | 'storeUrl'>,
): string {
  const inFolder = relative(dataDir, dirname(path)) === '';
  const [at, place] = inFolder
    ? [`DATA_DIR is ${JSON.stringify(dataDir)}`, 'folder']
    : [`STORE_URL is ${JSON.stringify(storeUrl)}`, 'file'];
  switch (why) {
    case 'SQLITE_BUSY':
      return `${at}: another process is using ${path}, stop it or give another ${place}.`;
    case 'SQLITE_NOTADB':
      return `${at}: ${path} is not an SQLite database, move it away or give another ${place}.`;
    case otherTables:
      return `${at}: ${path} holds tables of something else, move it away or give another ${place}.`;
    case 'SQLITE_CORRUPT':
      return `${at}: ${path} is damaged, restore it, or move it away to begin anew.`;
    case 'SQLITE_FULL':
      return `${at}: its disk is full, make room there or give another ${place}.`;
    default:
      return `${at}: ${path} cannot be opened (${why}), give a ${place} that this user may write.`;
  }
}
