import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Catalogue } from './catalogue/types.ts';
import type { SandboxCredentials } from './credentials.ts';
import type { SandboxConfig } from './config.ts';
import type { Idempotency } from './idempotency.ts';
import type { Faults } from './lab/faults.ts';
import type { Schedule } from './schedule.ts';
import type { SandboxStorage } from './storage.ts';
import type { Share } from './store/share.ts';
import type { Tokens } from './tokens.ts';
import type { Webhooks } from './webhooks.ts';
import type { Callers } from './callers.ts';

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

/** Services shared by the areas of the sandbox. */
export interface Services {
  config: SandboxConfig;
  credentials: SandboxCredentials;
  catalogue: Catalogue;
  clock: Clock;
  newId: () => string;
  storage: SandboxStorage;
  transaction: Share['transaction'];
  schedule: Schedule;
  idempotency: Idempotency;
  tokens: Tokens;
  callers: Callers;
  faults: Faults;
  webhooks: Webhooks;
}
