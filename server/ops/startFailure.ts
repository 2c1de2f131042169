import { dirname, relative } from 'node:path';
import type { Config } from '#server/config/config.ts';
import { SandboxStoreError } from '#server/sandbox/store/sandboxStore.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { UnknownKeyError } from '#server/storage/encryption.ts';
import { DatabaseError } from '#server/storage/errors.ts';
import { StoreKeyError } from '#server/storage/keys.ts';

/** Returns what prevented the start: a sentence that names the variable to change; undefined for unexpected errors. */
export function startFailure(error: unknown, config: Config): string | undefined {
  if (error instanceof DatabaseError) return ofDatabase(error, config);
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

/** The variable that gives the place of the sandbox's or the console's database. */
function variableOf(error: DatabaseError, { dataDir, storeUrl, sandboxStoreUrl }: Config): string {
  if (error instanceof SandboxStoreError && sandboxStoreUrl !== undefined) return 'SANDBOX_STORE_URL';
  if (error instanceof SandboxStoreError) return 'DATA_DIR';
  return isSharedUrl(storeUrl) || relative(dataDir, dirname(error.database)) !== '' ? 'STORE_URL' : 'DATA_DIR';
}

function ofDatabase(error: DatabaseError, config: Config): string {
  const { storeUrl, sandboxStoreUrl = '' } = config;
  const what = isSharedUrl(error instanceof SandboxStoreError ? sandboxStoreUrl : storeUrl) ? 'database' : 'file';
  return `${variableOf(error, config)} names the ${what} ${error.database}: ${error.why}.`;
}
