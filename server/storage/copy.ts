import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import { DatabaseError, isConnectionLost, isCopied, ownCodes, refuseLoss } from './errors.ts';
import { anyStore } from './knownStore.ts';
import { openEncrypted } from './open.ts';
import type { StorageOptions } from './open.ts';
import { markCopied, prepareKeys } from './rotation.ts';
import { locations, tableNames } from './schema.ts';
import type { Tables } from './schema.ts';

/** Number of rows copied in one statement. */
const batchSize = 200;

type Table = (typeof tableNames)[number];

const countIn = async ({ read }: Database<Tables>, table: Table): Promise<number> => {
  const { count } = await read((db) =>
    db
      .selectFrom(table)
      .select((on) => on.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  );
  return count;
};

async function copyTable(from: Database<Tables>, to: Database<Tables>, table: Table): Promise<number> {
  for (let after = 0; ;) {
    const { rows } = await from.read((db) =>
      sql<{ position: number }>`select * from ${sql.table(table)} where position > ${after}
        order by position limit ${sql.lit(batchSize)}`.execute(db),
    );
    if (rows.length === 0) break;
    // The table's name is known only here, so Kysely is told no more than that its rows have columns.
    await to.write((db) =>
      db
        .$omitTables<keyof Tables>()
        .$extendTables<Record<Table, Record<string, unknown>>>()
        .insertInto(table)
        .values(rows)
        .execute(),
    );
    after = rows.at(-1)!.position; // not empty
  }
  await to.write((db) =>
    sql`select setval(pg_get_serial_sequence(${table}, 'position'), max(position)) from ${sql.table(table)}
      having max(position) is not null`.execute(db),
  );
  const [wanted, found] = [await countIn(from, table), await countIn(to, table)];
  if (wanted !== found)
    throw new DatabaseError(
      to.name,
      ownCodes.unfit,
      `nothing was copied, because ${table} would have had ${found} rows instead of ${wanted}`,
    );
  return wanted;
}

const copyOf = async (db: Kysely<Tables>): Promise<string | null> =>
  (await db.selectFrom('index_key').select('copied_to').executeTakeFirstOrThrow()).copied_to;

/** The number of rows of each table; undefined if the file had been copied before. */
export type Copied = Record<Table, number> | undefined;

/**
 * Copies an SQLite file into a PostgreSQL database in one transaction: everything or, if it is interrupted, nothing.
 * Copies nothing if the file was copied before, even if servers have written to the database since. Marks the file as
 * copied, so that it is not used again unawares. Rejects as `openStorage` does, and with DatabaseError if the database
 * holds other records, a server runs on it, or the file was copied to another one.
 */
export async function copyStorage(path: string, url: string, options: Omit<StorageOptions, 'url'>): Promise<Copied> {
  const { acceptLoss = refuseLoss } = options;
  const { database: from, encryption } = await openEncrypted({ ...options, url: `file:${path}`, known: anyStore });
  try {
    const { indexKey } = await prepareKeys(from, encryption, acceptLoss);
    const { database: to } = await openEncrypted({ ...options, url }, true);
    try {
      const before = await from.read((db) => copyOf(db));
      if (before !== null && before !== to.name) acceptLoss(isCopied(path, before));
      // Before the copy: nobody can tell afterwards whether an interrupted one was completed.
      await markCopied(from, to.name);
      return await copyTables(from, to, { encryption, indexKey }).catch(async (error: unknown) => {
        if (before === null && !isConnectionLost(error)) await markCopied(from, null);
        throw error;
      });
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

const copyTables = (
  from: Database<Tables>,
  to: Database<Tables>,
  { encryption, indexKey }: { encryption: Encryption; indexKey: Buffer },
): Promise<Copied> =>
  to.transaction('copy', async () => {
    // It is new for each file, and copied with everything else.
    const there = await to.read((db) => db.selectFrom('index_key').selectAll().executeTakeFirst());
    if (there && encryption.decrypt(there.value, locations.indexKey()) === indexKey.toString('base64'))
      return undefined;
    if (there)
      throw new DatabaseError(to.name, ownCodes.unfit, 'it holds records that are not of this file, give an empty one');
    const counts: [Table, number][] = [];
    for (const table of tableNames) counts.push([table, await copyTable(from, to, table)]);
    await markCopied(to, null);
    return Object.fromEntries(counts) as Record<Table, number>; // all of them
  });
