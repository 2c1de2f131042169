import { join } from 'node:path';
import type { Config } from './config.ts';
import { credentialsOf } from './sandbox/credentials.ts';
import type { SandboxCredentials } from './sandbox/credentials.ts';
import { secretIn } from './store/keys.ts';

/** The sandbox's credentials in this installation. Throws StoreKeyError if other users can read the secret. */
export const sandboxCredentialsOf = ({
  sandboxSecret,
  dataDir,
}: Pick<Config, 'sandboxSecret' | 'dataDir'>): SandboxCredentials =>
  credentialsOf(sandboxSecret ?? secretIn(join(dataDir, 'sandbox.secret')));
