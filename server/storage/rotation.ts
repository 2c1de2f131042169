import { othersTurn } from '#server/concurrency.ts';
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import { mark, UnknownKeyError } from './encryption.ts';
import type { Encryption } from './encryption.ts';
import { DatabaseError, emptied, ownCodes } from './errors.ts';
import type { AcceptLoss } from './errors.ts';
import { encryptedColumns, locations } from './schema.ts';
import type { Tables } from './schema.ts';

/** Number of values re-encrypted in one transaction. */
const batchSize = 200;

/** The lock under which keys are changed. */
const lock = 'encryption';

/** The trait (Database) of a server that has a key. */
const keyTrait = (keyId: string): string => `key ${keyId}`;
/** The trait of a server that encrypts under a key. */
const currentKeyTrait = (keyId: string): string => `current key ${keyId}`;

/** The traits of a server with these keys. */
export const keyTraits = ({ keyIds }: Encryption): string[] => [
  ...keyIds.map(keyTrait),
  currentKeyTrait(keyIds[0]!), // there is a current key
];

/**
 * Re-encrypts a value with the current key. Marks a value that was tampered with as unreadable, without the prefix of a
 * key that will be removed. Throws UnknownKeyError if the value's key is missing.
 */
function reencrypted(value: string, place: string, encryption: Encryption): string {
  try {
    return encryption.reencrypt(value, place);
  } catch (error) {
    if (error instanceof UnknownKeyError) throw error;
    return `unreadable ${value}`;
  }
}

type Column = (typeof encryptedColumns)[number];
type Row = Record<string, unknown> & { position: number; encrypted: string };

async function reencryptColumn(
  { read, write, transaction }: Database<Tables>,
  encryption: Encryption,
  { table, column, place }: Column,
  lost?: AbortSignal,
): Promise<void> {
  const { currentMark } = encryption;
  for (let after = 0; ;) {
    const { rows } = await read((db) =>
      sql<Row>`select *, ${sql.ref(column)} as encrypted from ${sql.table(table)}
        where position > ${after} and substr(${sql.ref(column)}, 1, ${sql.lit(mark.length)}) = ${mark}
        and substr(${sql.ref(column)}, 1, ${sql.lit(currentMark.length)}) <> ${currentMark}
        order by position limit ${sql.lit(batchSize)}`.execute(db),
    );
    if (rows.length === 0) return;
    lost?.throwIfAborted();
    await transaction(lock, async () => {
      for (const row of rows) {
        const value = reencrypted(row.encrypted, place(row as never), encryption); // the row has the table's columns
        // Another server may have changed or removed it meanwhile.
        await write((db) =>
          sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value}
            where position = ${row.position} and ${sql.ref(column)} = ${row.encrypted}`.execute(db),
        );
      }
    });
    after = rows.at(-1)!.position; // not empty
    await othersTurn();
  }
}

/**
 * Re-encrypts everything that is encrypted under an older key. If it is interrupted, it can be run again. Rejects with
 * UnknownKeyError if the key of a value is missing, and with the reason of `lost` if that is aborted.
 */
export async function reencryptAll(
  database: Database<Tables>,
  encryption: Encryption,
  lost?: AbortSignal,
): Promise<void> {
  for (const each of encryptedColumns) await reencryptColumn(database, encryption, each, lost);
}

/** Opens the key of all tags. */
export function openIndexKey({ name }: { name: string }, encryption: Encryption, value: string): Buffer {
  try {
    return Buffer.from(encryption.decrypt(value, locations.indexKey()), 'base64');
  } catch (error) {
    if (error instanceof UnknownKeyError) throw error;
    throw new DatabaseError(name, ownCodes.unfit, 'the key of its index cannot be read, restore a backup', error);
  }
}

/** Makes the key of all tags of a new database. */
export async function makeIndexKey(write: Database<Tables>['write'], encryption: Encryption): Promise<Buffer> {
  const key = randomBytes(32);
  const value = encryption.encrypt(key.toString('base64'), locations.indexKey());
  await write((db) => db.insertInto('index_key').values({ value }).execute());
  return key;
}

/** Marks a store as copied to a database: it is out of date as soon as a server uses that database. */
export const markCopied = ({ write }: Database<Tables>, name: string | null): Promise<unknown> =>
  write((db) => db.updateTable('index_key').set({ copied_to: name }).execute());

/** What marks a store: the key of all tags, and the database to which it was copied. */
interface Mark {
  indexKey: Buffer;
  copiedTo: string | null;
}

/**
 * Returns the mark of a store. The key of all tags is made with the tables: without it, they were emptied. It is encrypted like
 * everything else, and last: as long as it is under an older key, values may be, and everything is re-encrypted. Rejects
 * with UnknownKeyError if it was encrypted under a key that is not given, and with DatabaseError if another server lacks
 * the current key or the loss of an emptied table is not accepted.
 */
export const prepareKeys = (
  database: Database<Tables>,
  encryption: Encryption,
  acceptLoss: AcceptLoss,
): Promise<Mark> =>
  database.withLock(lock, async (lost) => {
    const { read, write } = database;
    const row = await read((db) => db.selectFrom('index_key').selectAll().executeTakeFirst());
    if (!row) {
      acceptLoss(emptied(database.name));
      lost.throwIfAborted();
      return { indexKey: await makeIndexKey(write, encryption), copiedTo: null };
    }
    const mark: Mark = { indexKey: openIndexKey(database, encryption, row.value), copiedTo: row.copied_to };
    if (row.value.startsWith(encryption.currentMark)) return mark;
    if (!(await database.haveAll(keyTrait(encryption.keyIds[0]!))))
      // there is a current key
      throw new DatabaseError(
        database.name,
        ownCodes.unfit,
        'a server that runs on it was not given STORE_KEY, start it anew with this key as STORE_KEY_PREVIOUS first',
      );
    await reencryptAll(database, encryption, lost);
    const value = encryption.reencrypt(row.value, locations.indexKey());
    lost.throwIfAborted();
    await write((db) => db.updateTable('index_key').set({ value }).execute());
    // Old values remain in free pages and in the write-ahead log until both are rewritten.
    database.vacuum();
    return mark;
  });

/**
 * Re-encrypts everything under the current key while servers read and write, after `prepareKeys`. Nothing needs another
 * key afterwards. If it is interrupted, it can be run again. Rejects with DatabaseError if a server encrypts under
 * another key, with UnknownKeyError if the key of a value is missing.
 */
export const completeRotation = (database: Database<Tables>, encryption: Encryption): Promise<void> =>
  database.withLock(lock, async (lost) => {
    if (!(await database.haveAll(currentKeyTrait(encryption.keyIds[0]!))))
      // there is a current key
      throw new DatabaseError(
        database.name,
        ownCodes.unfit,
        'a server that runs on it still encrypts under another key, start it anew with this STORE_KEY and the one before as STORE_KEY_PREVIOUS first',
      );
    await reencryptAll(database, encryption, lost);
  });
