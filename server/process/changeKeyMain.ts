import { existsSync } from 'node:fs';
import { counted } from '#rules/counted.ts';
import { ConfigError, parseConfig } from '../config.ts';
import { startFailure } from './startFailure.ts';
import { storeKeysOf } from '../store/keys.ts';
import { changeKey } from '../store/postgres/changeKey.ts';
import { createSeal } from '../store/seal.ts';
import { isSharedUrl } from '../store/url.ts';

const usage = `Usage: npm run change-key
Encrypts the PostgreSQL store in STORE_URL under STORE_KEY; the key before is STORE_KEY_PREVIOUS.
`;

/**
 * Re-encrypts the PostgreSQL store of the configuration under STORE_KEY; returns the exit code: 0 if that succeeded, 2
 * for wrong usage. Rejects with ConfigError.
 */
async function change(given: readonly string[]): Promise<number> {
  if (given.length > 0) {
    process.stderr.write(usage);
    return 2;
  }
  if (existsSync('.env')) process.loadEnvFile();
  const config = parseConfig(process.env);
  if (!isSharedUrl(config.storeUrl))
    throw new ConfigError([
      'STORE_URL names no PostgreSQL database: the key of an SQLite file is changed by the start with the new STORE_KEY and the one before as STORE_KEY_PREVIOUS.',
    ]);
  try {
    const { count, forgotten } = await changeKey(
      config.storeUrl,
      createSeal(storeKeysOf(config)),
      () => undefined, // an idle connection broke
    );
    process.stdout.write(
      `${counted(count, 'value was', 'values were')} encrypted anew. Nothing in the database needs another key than STORE_KEY${forgotten.length > 0 ? `, and ${forgotten.join(', ')} is forgotten` : ''}: remove STORE_KEY_PREVIOUS from the servers, one after the other.\n`,
    );
    return 0;
  } catch (error) {
    const sentence = startFailure(error, config);
    throw sentence === undefined ? error : new ConfigError([sentence]);
  }
}

try {
  process.exitCode = await change(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
