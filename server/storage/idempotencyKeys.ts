import { sql } from 'kysely';
import { parse, stringify } from '#contract/json.ts';
import { escapeId } from '#server/escapeId.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import { locationColumns, locations } from './schema.ts';
import type { Location, Tables } from './schema.ts';

/**
 * What became of a claim:
 *
 * - `new`: the caller is the first one, since `claimedAt` (ms), and holds the key;
 * - `inDoubt`: an earlier attempt, at `claimedAt`, has not recorded its response; the caller now holds the key;
 * - `locked`: somebody else works under the key, in this process or another;
 * - `completed`: the first response is stored;
 * - `conflict`: the key was claimed for another request, with the fingerprint `before`;
 * - `unreadable`: what is stored was changed or damaged.
 */
type Claim =
  | ({ state: 'new' | 'inDoubt' } & Claimed)
  | { state: 'locked' }
  | { state: 'unreadable' }
  | { state: 'completed'; response: unknown }
  | { state: 'conflict'; before: string };

interface Claimed {
  /** In ms. */
  claimedAt: number;
  /** The time (ms) of the service when the request was sent first; absent if it is not known. */
  serviceTime?: number;
  /** The text under which an earlier version stored company and key together; absent since. */
  former?: string;
}

/**
 * Idempotency keys of each company, or of a workspace (`companyKey` is ''), so that what a key stands for is done once on
 * all servers. Whoever gets `new` or `inDoubt` holds the key until it completes, releases or relinquishes it, or its
 * process ends. A process that is suspended loses the key to the next one that claims it.
 */
export interface IdempotencyKeys {
  /** Claims a key. Of a fingerprint only the part before its first space is compared. */
  claim(at: Location, key: string, fingerprint: string): Promise<Claim>;
  /** Whether a key is claimed, whatever became of it. */
  exists(at: Location, key: string): Promise<boolean>;
  /** Returns when a key was claimed (ms), and the response, if there is one; undefined if nobody has claimed it. */
  find(at: Location, key: string): Promise<{ claimedAt: number; response?: unknown } | undefined>;
  /** Returns when the request under a key was sent first, while its response is not recorded. */
  firstSend(at: Location, key: string): Promise<Pick<Claimed, 'claimedAt' | 'serviceTime'> | undefined>;
  /**
   * Whether nobody has claimed, completed or removed the key since the caller claimed it. Notes the time (ms) of the
   * service, if given, as that when the request is sent first.
   */
  isMine(at: Location, key: string, serviceTime?: number): Promise<boolean>;
  /** Stores the response under a key that the caller holds. */
  complete(at: Location, key: string, response: unknown): Promise<void>;
  /** Forgets the claim, if it is still the caller's: nothing was done under the key. */
  release(at: Location, key: string): Promise<void>;
  /** Lets others try again under the key; the claim stays in doubt. Never rejects. */
  relinquish(at: Location, key: string): Promise<void>;
  /** Deletes the claims of keys with this prefix, in all workspaces, that are older than `before` (ms). */
  prune(prefix: string, before: number): Promise<void>;
}

const digestOf = (fingerprint: string): string => fingerprint.split(' ', 1).join();

/** A key held by this process. */
interface Hold {
  unlock: () => Promise<void>;
  /** The row, and the number of this claim of it. */
  position: number;
  turn: number;
  former: string | null;
}

export function createIdempotencyKeys(
  { read, write, tryLock, afterCommit, afterRollback, clock }: Database<Tables>,
  encryption: Encryption,
): IdempotencyKeys {
  const held = new Map<string, Hold>();
  const place = (at: Location, key: string) => ({ ...locationColumns(at), key: escapeId(key) });
  const lockOf = ({ workspace, company_key: companyKey, key }: ReturnType<typeof place>) =>
    `idempotency key ${JSON.stringify([workspace, companyKey, key])}`;

  async function unlock(name: string): Promise<void> {
    const hold = held.get(name);
    held.delete(name);
    await hold?.unlock();
  }

  const rowAt = (at: ReturnType<typeof place>) =>
    read((db) =>
      db
        .selectFrom('idempotency_keys')
        .selectAll()
        .where((on) => on.and(at))
        .executeTakeFirst(),
    );

  /** What is stored under a key; undefined if nothing is. */
  async function stored(at: ReturnType<typeof place>, fingerprint: string) {
    const row = await rowAt(at);
    if (!row) return undefined;
    try {
      const before = encryption.decrypt(row.fingerprint, locations.fingerprint(row));
      if (digestOf(before) !== digestOf(fingerprint)) return { state: 'conflict', before } as const;
      if (row.response === null) return { state: 'inDoubt', row } as const;
      const response = parse(encryption.decrypt(row.response, locations.response(row)));
      return { state: 'completed', response } as const;
    } catch {
      return { state: 'unreadable' } as const;
    }
  }

  /** Claims a key whose lock is held; `hold` is absent unless the caller now holds the key. */
  async function claimLocked(
    at: ReturnType<typeof place>,
    fingerprint: string,
  ): Promise<{ claim: Claim; hold?: Omit<Hold, 'unlock'> }> {
    // The fingerprint is encrypted too, because a body could be guessed from it.
    const encrypted = encryption.encrypt(fingerprint, locations.fingerprint({ ...at, former: null }));
    const claimedAt = clock.now();
    const made = await write((db) =>
      db
        .insertInto('idempotency_keys')
        .values({ ...at, turn: 1, fingerprint: encrypted, claimed_at: claimedAt })
        .onConflict((on) => on.columns(['workspace', 'company_key', 'key']).doNothing())
        .returning('position')
        .executeTakeFirst(),
    );
    if (made) return { claim: { state: 'new', claimedAt }, hold: { position: made.position, turn: 1, former: null } };
    const found = await stored(at, fingerprint);
    // Nobody else removes it: only the holder of the key does, and the pruning of keys that nobody repeats.
    if (!found) return { claim: { state: 'locked' } };
    if (found.state !== 'inDoubt') return { claim: found };
    const { position, turn, former, claimed_at, service_time } = found.row;
    const taken = await write((db) =>
      db
        .updateTable('idempotency_keys')
        .set({ turn: turn + 1 })
        .where((on) => on.and({ position, turn }))
        .where('response', 'is', null)
        .executeTakeFirst(),
    );
    // Its holder, whose session with the database has broken, has just completed or released it.
    if (taken.numUpdatedRows === 0n) return { claim: { state: 'locked' } };
    const since = { claimedAt: claimed_at, ...(service_time !== null && { serviceTime: service_time }) };
    return {
      claim: { state: 'inDoubt', ...since, ...(former !== null && { former }) },
      hold: { position, turn: turn + 1, former },
    };
  }

  return {
    async claim(location, key, fingerprint) {
      const at = place(location, key);
      const name = lockOf(at);
      const release = await tryLock(name);
      if (!release) {
        const found = await stored(at, fingerprint);
        return !found || found.state === 'inDoubt' ? { state: 'locked' } : found;
      }
      let isHeld = false;
      try {
        const { claim, hold } = await claimLocked(at, fingerprint);
        if (hold) {
          isHeld = true;
          held.set(name, { ...hold, unlock: release });
          afterRollback(() => unlock(name));
        }
        return claim;
      } finally {
        if (!isHeld) await release();
      }
    },
    exists: async (at, key) => (await rowAt(place(at, key))) !== undefined,
    async firstSend(at, key) {
      const row = await rowAt(place(at, key));
      if (!row || row.response !== null) return undefined;
      return { claimedAt: row.claimed_at, ...(row.service_time !== null && { serviceTime: row.service_time }) };
    },
    async find(at, key) {
      const row = await rowAt(place(at, key));
      if (!row) return undefined;
      if (row.response === null) return { claimedAt: row.claimed_at };
      const response = parse(encryption.decrypt(row.response, locations.response(row)));
      return { claimedAt: row.claimed_at, response };
    },
    async isMine(at, key, serviceTime) {
      const hold = held.get(lockOf(place(at, key)));
      if (!hold) return false;
      const { position, turn } = hold;
      if (serviceTime === undefined) {
        const row = await rowAt(place(at, key));
        return row?.position === position && row.turn === turn && row.response === null;
      }
      const { numUpdatedRows } = await write((db) =>
        db
          .updateTable('idempotency_keys')
          .set({ service_time: serviceTime })
          .where((on) => on.and({ position, turn }))
          .where('response', 'is', null)
          .executeTakeFirst(),
      );
      return numUpdatedRows === 1n;
    },
    async complete(location, key, response) {
      const at = place(location, key);
      const name = lockOf(at);
      const { position, former = null } = held.get(name) ?? {};
      const encrypted = encryption.encrypt(stringify(response), locations.response({ ...at, former }));
      // If another server has taken the key over since this one's session broke, the first response stays.
      if (position !== undefined)
        await write((db) =>
          db
            .updateTable('idempotency_keys')
            .set({ response: encrypted })
            .where('position', '=', position)
            .where('response', 'is', null)
            .execute(),
        );
      await afterCommit(() => unlock(name));
    },
    async release(at, key) {
      const name = lockOf(place(at, key));
      const hold = held.get(name);
      try {
        if (hold)
          await write((db) =>
            db
              .deleteFrom('idempotency_keys')
              .where((on) => on.and({ position: hold.position, turn: hold.turn }))
              .where('response', 'is', null)
              .execute(),
          );
      } finally {
        await afterCommit(() => unlock(name));
      }
    },
    relinquish: (at, key) => unlock(lockOf(place(at, key))),
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
