import { pruneUndatedSessions } from '#server/auth/sessions.ts';
import { recordKinds } from './recordKinds.ts';
import type { Storage } from '#server/storage/open.ts';
import { webhookKeyTtl, webhookKeyPrefix } from '#server/webhooks/receive.ts';

/**
 * Removes what is over, at the start: keys of webhooks that the service no longer repeats, and sessions of unknown age.
 * Keys of writes are kept for ever: without its key, a repeated write would be sent as a new request. Then looks for
 * unreadable records, which may take long; the returned function waits for that.
 */
export async function startUp(storage: Storage, onError: (error: unknown) => void): Promise<() => Promise<void>> {
  const { clock } = storage;
  await storage.idempotencyKeys.prune(webhookKeyPrefix, clock.now() - webhookKeyTtl);
  await pruneUndatedSessions(storage, clock);
  const sweeping = storage.sweep(recordKinds).catch(onError);
  return () => sweeping;
}
