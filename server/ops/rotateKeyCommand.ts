import { systemClock as clock } from '#server/clock.ts';
import { UseError } from '#rules/useError.ts';
import { runCommand } from '#server/command.ts';
import { ConfigError } from '#server/config/configError.ts';
import { readConfig } from '#server/config/config.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { storeKeysOf } from '#server/storage/keys.ts';
import { rotateKey } from '#server/storage/open.ts';
import { startFailure } from './startFailure.ts';

const usage = `Usage: npm run change-key
Encrypts the PostgreSQL store in STORE_URL under STORE_KEY; the key before is STORE_KEY_PREVIOUS.`;

/**
 * Re-encrypts the PostgreSQL store of the configuration under STORE_KEY; returns the exit
 * status. Rejects with UseError or ConfigError.
 */
async function change(parameters: readonly string[]): Promise<number> {
  if (parameters.length > 0) throw new UseError(usage);
  const config = readConfig();
  if (!isSharedUrl(config.storeUrl))
    throw new ConfigError([
      'STORE_URL names no PostgreSQL database: the key of an SQLite file is changed by the start with the new STORE_KEY and the one before as STORE_KEY_PREVIOUS.',
    ]);
  try {
    const onError = () => undefined; // an idle connection broke
    await rotateKey({ url: config.storeUrl, keys: storeKeysOf(config).keys, clock, onError });
    process.stdout.write(
      'Nothing in the database needs another key than STORE_KEY: remove STORE_KEY_PREVIOUS from the servers, one after the other.\n',
    );
    return 0;
  } catch (error) {
    const sentence = startFailure(error, config);
    throw sentence === undefined ? error : new ConfigError([sentence]);
  }
}

await runCommand(change, [ConfigError]);
