import { join } from 'node:path';
import type { Config } from '#server/config/config.ts';

type Places = Pick<Config, 'storeUrl' | 'sandboxStoreUrl' | 'dataDir'>;

/** The sandbox's SQLite file; [] if its store is a database. */
export const sandboxFiles = ({ dataDir, sandboxStoreUrl }: Omit<Places, 'storeUrl'>): string[] =>
  sandboxStoreUrl === undefined ? [join(dataDir, 'sandbox.sqlite')] : [];

/**
 * The SQLite files of this configuration: the console's, and the sandbox's if it is `embedded`. Stores in a database
 * are omitted.
 */
export const filesOf = (config: Places, embedded: boolean): string[] => [
  ...(config.storeUrl.startsWith('file:') ? [config.storeUrl.slice('file:'.length)] : []),
  ...(embedded ? sandboxFiles(config) : []),
];
