import { join } from 'node:path';
import type { Config } from '#server/config.ts';

/** The sandbox's SQLite file. */
export const sandboxFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'sandbox.sqlite');

/** The SQLite files of this configuration: the console's, unless its store is no file, and the sandbox's if it is `embedded`. */
export const filesOf = (config: Pick<Config, 'storeUrl' | 'dataDir'>, embedded: boolean): string[] => [
  ...(config.storeUrl.startsWith('file:') ? [config.storeUrl.slice('file:'.length)] : []),
  ...(embedded ? [sandboxFile(config)] : []),
];
