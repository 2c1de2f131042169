import { join } from 'node:path';
import type { Config } from '#server/config/config.ts';
import { secretIn } from '#server/storage/keys.ts';

/**
 * Returns the secret from which the credentials of this installation's sandbox are derived. Throws StoreKeyError if
 * other users can read its file.
 */
export const sandboxSecretOf = ({ sandboxSecret, dataDir }: Pick<Config, 'sandboxSecret' | 'dataDir'>): string =>
  sandboxSecret ?? secretIn(join(dataDir, 'sandbox.secret'));
