import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { valueIn } from '#server/store/adapter.ts';
import { placeOf } from '#server/store/namespaces.ts';
import { ownedKinds, ownerTag } from '#server/store/owners.ts';
import type { Seal } from '#server/store/seal.ts';
import { resealed, sealedColumns } from '#server/store/sealedColumns.ts';
import { createConnections, PostgresError } from './connections.ts';
import type { Connections } from './connections.ts';
import { PostgresStoreError, refusal } from './migrate.ts';
import { prepare } from './open.ts';
import { turnLock } from './schema.ts';

/** Number of values re-encrypted per transaction, and the pause (ms) before values that were locked are tried again. */
const [atOnce, pause] = [100, 100];

type Column = (typeof sealedColumns)[number];
interface Sealed extends Record<string, unknown> {
  key: string;
  value: string;
  place: string;
}

/** SQL condition: a column's value is encrypted under an older key. $1 and $2 are the marks of Seal. */
const isOlder = (column: string) => `starts_with(${column}, $1) and not starts_with(${column}, $2)`;

/** Returns the tag of a record's owner, made with the current key; undefined if the record has no owner. */
function ownerOf(namespace: string, value: string, place: string, seal: Seal): string | undefined {
  if (!ownedKinds.includes(namespace.slice(namespace.lastIndexOf('/') + 1)) || !value.startsWith(seal.mark))
    return undefined;
  return ownerTag(valueIn(seal.open(value, place)), seal);
}

/**
 * Re-encrypts the next batch of values after a key; resolves with the last key seen and the number of values. Skips
 * locked rows, so that it never waits for a server that others wait for. Takes the turn lock, because a turn locks rows
 * in several statements.
 */
async function encryptSome(
  { transaction, rows, write }: Connections,
  seal: Seal,
  { table, column, place }: Column,
  namespace: string | null,
  after: string,
): Promise<{ last: string | undefined; count: number }> {
  const within = (parameter: string) =>
    table === 'entries' ? `namespace = ${parameter}` : `${parameter}::text is null`;
  const owner = table === 'entries' ? ', owner = coalesce(given.owner, entries.owner)' : '';
  return transaction(async () => {
    if (namespace !== null) await write(turnLock, placeOf(namespace).workspace);
    const found = await rows<Sealed>(
      `select key, ${column} as value, ${place} as place from ${table}
       where ${isOlder(column)} and ${within('$3')} and key > $4 order by key limit ${atOnce} for update skip locked`,
      ...[seal.mark, seal.currentMark, namespace, after],
    );
    if (found.length === 0) return { last: undefined, count: 0 };
    const values = found.map(({ value, place: at }) => resealed(value, at, seal));
    const owners = found.map(({ place: at }, index) => namespace && ownerOf(namespace, values[index]!, at, seal)); // as long
    await write(
      `update ${table} set ${column} = given.value${owner} from unnest($2::text[], $3::text[], $4::text[])
       as given (key, value, owner) where ${within('$1')} and ${table}.key = given.key`,
      ...[namespace, found.map(({ key }) => key), values, owners.map((each) => each ?? null)],
    );
    return { last: found.at(-1)!.key, count: found.length }; // not empty
  });
}

/** Re-encrypts every value that is encrypted under an older key and not locked; resolves with their number. */
async function encryptAll(connections: Connections, seal: Seal): Promise<number> {
  const namespaces = await connections.rows<{ namespace: string }>(
    'select distinct namespace from tallies where count > 0 order by 1',
  );
  let count = 0;
  for (const each of sealedColumns)
    for (const namespace of each.table === 'entries' ? namespaces.map((found) => found.namespace) : [null])
      for (let after: string | undefined = ''; after !== undefined;) {
        const some: Awaited<ReturnType<typeof encryptSome>> = await encryptSome(
          ...[connections, seal, each, namespace, after],
        ).catch((error: unknown) => {
          // A lock timed out, or this was a deadlock; the next round finds what is left.
          if (error instanceof PostgresError && /^POSTGRES_(55P03|40P01)$/.test(error.code))
            return { last: undefined, count: 0 };
          throw error;
        });
        count += some.count;
        after = some.last;
      }
  return count;
}

/** Whether any value is encrypted under an older key. */
async function isLeft({ rows }: Connections, seal: Seal): Promise<boolean> {
  const olds = sealedColumns.map(({ table, column }) => `exists (select from ${table} where ${isOlder(column)})`);
  const [found] = await rows<{ left: boolean }>(`select ${olds.join(' or ')} as left`, seal.mark, seal.currentMark);
  return found?.left === true;
}

/** Rejects if a live server encrypts under another key. */
async function insistOnServers(url: string, { rows }: Connections, [current]: readonly string[]): Promise<void> {
  const others = await rows('select from servers where alive_until > clock_timestamp() and keys[1] <> $1', current);
  if (others.length > 0)
    throw new PostgresStoreError(
      url,
      'a server that runs on it still encrypts under another key, start it anew with this STORE_KEY and the one before as STORE_KEY_PREVIOUS first',
    );
}

/** The number of values re-encrypted, and the fingerprints of the keys that are no longer needed. */
export interface KeyChange {
  count: number;
  forgotten: string[];
}

/**
 * Re-encrypts everything in a PostgreSQL store under the first key, while servers read and write, and forgets the other
 * keys. If it is interrupted, it can be run again. Rejects as `prepare` does, and if a server encrypts under another
 * key.
 */
export async function changeKey(url: string, seal: Seal, onError: (error: unknown) => void): Promise<KeyChange> {
  const connections = createConnections(url, randomUUID(), onError);
  const [current] = seal.keyIds;
  const forgotten: string[] = [];
  let isDone = false;
  async function forget(): Promise<void> {
    await insistOnServers(url, connections, seal.keyIds);
    isDone = !(await isLeft(connections, seal));
    if (!isDone) return;
    const found = await connections.write<{ id: string }>('delete from keys where id <> $1 returning id', current);
    forgotten.push(...found.map(({ id }) => id));
  }
  try {
    await prepare(url, seal, connections, () => insistOnServers(url, connections, seal.keyIds));
    let count = 0;
    for (;;) {
      count += await encryptAll(connections, seal);
      // Servers start under the same lock, so none can begin to use a key while it is forgotten.
      await prepare(url, seal, connections, forget);
      if (isDone) return { count, forgotten };
      await wait(pause);
    }
  } catch (error) {
    throw refusal(url, error);
  } finally {
    await connections.close();
  }
}
