import type { Logger } from 'pino';
import { ConfigError } from '#server/config/configError.ts';
import type { Config } from '#server/config/config.ts';
import { sandboxSecretFile } from '#server/embedded/secretFile.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { DatabaseError, emptied } from '#server/storage/errors.ts';
import type { AcceptLoss } from '#server/storage/errors.ts';
import { statsOf } from '#server/storage/folder.ts';
import { hasSecret, keyFileIn, StoreKeyError, storeKeysOf } from '#server/storage/keys.ts';
import { anyStore, assertSecret, knownStore, rememberStore } from '#server/storage/knownStore.ts';
import { openStorage } from '#server/storage/open.ts';
import type { Storage, StorageOptions } from '#server/storage/open.ts';
import { isMissing } from '#server/storage/sqliteFiles.ts';
import { sandboxFiles } from './backup.ts';
import { fromRelease020 } from './release020.ts';
import type { ApplicationOf } from './release020Kept.ts';

const isFile = ({ storeUrl }: Config): boolean => !isSharedUrl(storeUrl) && storeUrl !== 'file::memory:';

const fileOf = ({ storeUrl }: Config): string => storeUrl.slice('file:'.length);

interface Acceptance {
  acceptLoss: AcceptLoss;
  /** Throws ConfigError if the user accepts a loss that there is not: the next one would pass unnoticed. */
  assertUsed: () => void;
}

/** Whether the user accepts that a store lacks what was stored; `isNew` if nothing is known to lack. */
function acceptanceOf({ acceptStore }: Config, isNew: boolean): Acceptance {
  let isUsed = isNew;
  return {
    acceptLoss(loss) {
      isUsed = true;
      if (!acceptStore)
        throw new DatabaseError(
          loss.database,
          loss.code,
          `${loss.why}. To start without what is lost, give --accept-store or ACCEPT_STORE=true: then invoices that were paid in it can be paid again`,
          loss,
        );
    },
    assertUsed() {
      if (acceptStore && !isUsed)
        throw new ConfigError([
          'ACCEPT_STORE is true, but the store lacks nothing: leave --accept-store or ACCEPT_STORE out, so that a loss is noticed.',
        ]);
    },
  };
}

/** The stores of this configuration, checked but not yet opened. */
interface Stores {
  acceptLoss: AcceptLoss;
  /** Opens the console's store, and notes that it is the one in use. */
  open: (
    options: Pick<StorageOptions, 'clock' | 'onError' | 'onStatement'> & { applicationOf: ApplicationOf },
  ) => Promise<Storage>;
}

/**
 * Checks that no store is missing beside its key, and no key beside its store, before anything is made. Throws
 * DatabaseError, StoreKeyError or ConfigError.
 */
export function checkStores(config: Config, log: Logger): Stores {
  const { dataDir, storeUrl, storeKeys } = config;
  const known = knownStore(dataDir);
  const { acceptLoss, assertUsed } = acceptanceOf(config, known === undefined);
  const secret = storeKeys.length > 0 || !isFile(config) ? undefined : keyFileIn(dataDir);
  if (secret !== undefined) assertSecret(fileOf(config), secret);
  if (!config.live && config.sandboxUrl === undefined) checkSandboxStore(config, acceptLoss);

  async function open({ applicationOf, ...options }: Parameters<Stores['open']>[0]): Promise<Storage> {
    const { keys, isNew, keep } = storeKeysOf(config);
    const hadKey = secret !== undefined && !isNew;
    const storage = await openStorage({
      ...options,
      url: storeUrl,
      keys,
      acceptLoss,
      takeOver: (store) => fromRelease020(store, applicationOf),
      known: known ?? (hadKey ? anyStore : undefined),
    });
    try {
      keep();
      assertUsed();
      remember(storage.id);
    } catch (error) {
      await storage.close();
      throw error;
    }
    return storage;
  }

  function remember(id: string): void {
    if (storeUrl === 'file::memory:') return;
    try {
      rememberStore(dataDir, storeUrl, id);
    } catch (error) {
      if (!(error instanceof StoreKeyError)) throw error;
      log.warn({ problem: error.message }, 'a loss of the store will not be noticed');
    }
  }
  return { acceptLoss, open };
}

function checkSandboxStore(config: Config, acceptLoss: AcceptLoss): void {
  const secret = config.sandboxSecret === undefined ? sandboxSecretFile(config) : undefined;
  if (secret === undefined) return;
  for (const file of sandboxFiles(config)) {
    assertSecret(file, secret);
    if (isMissing(file) && statsOf(secret)) acceptLoss(emptied(file));
  }
}

/** Checks the store of a sandbox on its own, as `checkStores` does. */
export function checkSandboxStores(config: Config): Acceptance {
  const acceptance = acceptanceOf(config, !hasSecret(sandboxSecretFile(config)));
  checkSandboxStore(config, acceptance.acceptLoss);
  return acceptance;
}
