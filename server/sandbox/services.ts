import type { Logger } from 'pino';
import type { Clock } from '#server/clock.ts';
import type { Catalogue } from './catalogue/types.ts';
import type { SandboxCredentials } from './credentials.ts';
import type { SandboxConfig } from './config.ts';
import type { Idempotency } from '#server/sandbox/store/idempotency.ts';
import type { Faults } from './lab/faults.ts';
import type { Schedule } from '#server/sandbox/store/jobs.ts';
import type { SandboxStorage } from '#server/sandbox/store/collection.ts';
import type { Share } from '#server/sandbox/store/tenantStore.ts';
import type { Tokens } from '#server/sandbox/onboarding/tokens.ts';
import type { Webhooks } from '#server/sandbox/webhooks/sender.ts';
import type { Callers } from '#server/sandbox/onboarding/callers.ts';

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
