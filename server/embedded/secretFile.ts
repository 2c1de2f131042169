import { join } from 'node:path';
import type { Config } from '#server/config/config.ts';
import { secretIn } from '#server/storage/keys.ts';

export const sandboxSecretFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'sandbox.secret');

/**
 * Returns the secret from which the credentials of this installation's sandbox are derived; a new one is in its file after
 * `keep`. Throws StoreKeyError if other users can read its file.
 */
export const sandboxSecretOf = (config: Pick<Config, 'sandboxSecret' | 'dataDir'>): ReturnType<typeof secretIn> =>
  config.sandboxSecret === undefined
    ? secretIn(sandboxSecretFile(config))
    : { secret: config.sandboxSecret, isNew: false, keep: () => undefined };
