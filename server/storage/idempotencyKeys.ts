import { sql } from 'kysely';
import { parse, stringify } from '#contract/json.ts';
import { escapeId } from '#server/escapeId.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import { locations } from './schema.ts';
import type { Tables } from './schema.ts';

/**
 * What became of a claim:
 *
 * - `new`: the caller is the first one, and holds the key;
 * - `inDoubt`: an earlier attempt, at `claimedAt` (ms), has not recorded its response; the caller now holds the key;
 * - `locked`: somebody else works under the key, in this process or another;
 * - `completed`: the first response is stored;
 * - `conflict`: the key was claimed for another request, with the fingerprint `before`;
 * - `unreadable`: what is stored was changed or damaged.
 */
export type Claim =
  | { state: 'new' }
  | { state: 'locked' }
  | { state: 'unreadable' }
  | { state: 'inDoubt'; claimedAt: number }
  | { state: 'completed'; response: unknown }
  | { state: 'conflict'; before: string };

/**
 * Idempotency keys of each workspace, so that what a key stands for is done once on all servers. Whoever gets `new` or
 * `inDoubt` holds the key until it completes, releases or relinquishes it, or its process ends.
 */
export interface IdempotencyKeys {
  /** Claims a key. Of a fingerprint only the part before its first space is compared. */
  claim(workspace: string, key: string, fingerprint: string): Promise<Claim>;
  /** Whether a key is claimed, whatever became of it. */
  exists(workspace: string, key: string): Promise<boolean>;
  /** Returns when a key was claimed (ms), and the response, if there is one; undefined if nobody has claimed it. */
  find(workspace: string, key: string): Promise<{ claimedAt: number; response?: unknown } | undefined>;
  /** Stores the response under a key that the caller holds. */
  complete(workspace: string, key: string, response: unknown): Promise<void>;
  /** Forgets the claim: nothing was done under the key. */
  release(workspace: string, key: string): Promise<void>;
  /** Lets others try again under the key; the claim stays in doubt. Never rejects. */
  relinquish(workspace: string, key: string): Promise<void>;
  /** Deletes the claims of keys with this prefix, in all workspaces, that are older than `before` (ms). */
  prune(prefix: string, before: number): Promise<void>;
}

const digestOf = (fingerprint: string): string => fingerprint.split(' ', 1).join();

export function createIdempotencyKeys(
  { read, write, tryLock, afterCommit, afterRollback, clock }: Database<Tables>,
  encryption: Encryption,
): IdempotencyKeys {
  /** The functions that release the locks of the keys held by this process. */
  const held = new Map<string, () => Promise<void>>();
  const lockOf = (workspace: string, key: string) => `idempotency key ${JSON.stringify([workspace, key])}`;

  async function unlock(name: string): Promise<void> {
    const release = held.get(name);
    held.delete(name);
    await release?.();
  }

  /** What is stored under a key; undefined if nothing is, or an attempt has not recorded its response. */
  async function stored(workspace: string, key: string, fingerprint: string) {
    const row = await read((db) =>
      db
        .selectFrom('idempotency_keys')
        .select(['workspace', 'key', 'fingerprint', 'response', 'claimed_at as claimedAt'])
        .where('workspace', '=', workspace)
        .where('key', '=', key)
        .executeTakeFirst(),
    );
    if (!row) return undefined;
    try {
      const before = encryption.decrypt(row.fingerprint, locations.fingerprint(row));
      if (digestOf(before) !== digestOf(fingerprint)) return { state: 'conflict', before } as const;
      if (row.response === null) return { state: 'inDoubt', claimedAt: row.claimedAt } as const;
      const response = parse(encryption.decrypt(row.response, locations.response(row)));
      return { state: 'completed', response } as const;
    } catch {
      return { state: 'unreadable' } as const;
    }
  }

  async function claimLocked(workspace: string, key: string, fingerprint: string): Promise<Claim> {
    // The fingerprint is encrypted too, because a body could be guessed from it.
    const encrypted = encryption.encrypt(fingerprint, locations.fingerprint({ workspace, key }));
    const row = { workspace, key, fingerprint: encrypted, claimed_at: clock.now() };
    const { numInsertedOrUpdatedRows } = await write((db) =>
      db
        .insertInto('idempotency_keys')
        .values(row)
        .onConflict((on) => on.columns(['workspace', 'key']).doNothing())
        .executeTakeFirst(),
    );
    if (numInsertedOrUpdatedRows === 1n) return { state: 'new' };
    // Nobody else removes it: only the holder of the key does, and the pruning of keys that nobody repeats.
    return (await stored(workspace, key, fingerprint)) ?? { state: 'locked' };
  }

  return {
    async claim(workspace, idempotencyKey, fingerprint) {
      const key = escapeId(idempotencyKey);
      const name = lockOf(workspace, key);
      const release = await tryLock(name);
      if (!release) {
        const found = await stored(workspace, key, fingerprint);
        return !found || found.state === 'inDoubt' ? { state: 'locked' } : found;
      }
      let isHeld = false;
      try {
        const claim = await claimLocked(workspace, key, fingerprint);
        isHeld = claim.state === 'new' || claim.state === 'inDoubt';
        if (isHeld) {
          held.set(name, release);
          afterRollback(() => unlock(name));
        }
        return claim;
      } finally {
        if (!isHeld) await release();
      }
    },
    async exists(workspace, key) {
      const row = await read((db) =>
        db
          .selectFrom('idempotency_keys')
          .select('position')
          .where('workspace', '=', workspace)
          .where('key', '=', escapeId(key))
          .executeTakeFirst(),
      );
      return row !== undefined;
    },
    async find(workspace, given) {
      const row = await read((db) =>
        db
          .selectFrom('idempotency_keys')
          .select(['workspace', 'key', 'response', 'claimed_at as claimedAt'])
          .where('workspace', '=', workspace)
          .where('key', '=', escapeId(given))
          .executeTakeFirst(),
      );
      if (!row) return undefined;
      const { claimedAt, response } = row;
      if (response === null) return { claimedAt };
      return { claimedAt, response: parse(encryption.decrypt(response, locations.response(row))) };
    },
    async complete(workspace, given, response) {
      const key = escapeId(given);
      const encrypted = encryption.encrypt(stringify(response), locations.response({ workspace, key }));
      // If another server holds the key since this one's session broke, the first response stays.
      await write((db) =>
        db
          .updateTable('idempotency_keys')
          .set({ response: encrypted })
          .where('workspace', '=', workspace)
          .where('key', '=', key)
          .where('response', 'is', null)
          .execute(),
      );
      await afterCommit(() => unlock(lockOf(workspace, key)));
    },
    async release(workspace, given) {
      const key = escapeId(given);
      try {
        await write((db) =>
          db
            .deleteFrom('idempotency_keys')
            .where('workspace', '=', workspace)
            .where('key', '=', key)
            .where('response', 'is', null)
            .execute(),
        );
      } finally {
        await afterCommit(() => unlock(lockOf(workspace, key)));
      }
    },
    relinquish: (workspace, given) => unlock(lockOf(workspace, escapeId(given))),
    async prune(prefix, before) {
      await write((db) =>
        db
          .deleteFrom('idempotency_keys')
          .where(sql`substr(key, 1, ${sql.lit(prefix.length)})`, '=', prefix)
          .where('claimed_at', '<', before)
          .execute(),
      );
    },
  };
}
