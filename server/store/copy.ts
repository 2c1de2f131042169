import { randomUUID } from 'node:crypto';
import type { Db } from '#server/sqlite/sqlite.ts';
import { openStoreFile } from './database.ts';
import { createConnections } from './postgres/connections.ts';
import type { Connections } from './postgres/connections.ts';
import { PostgresStoreError } from './postgres/migrate.ts';
import { prepare } from './postgres/open.ts';
import { reseal } from './reseal.ts';
import type { Seal } from './seal.ts';
import { mendTallies } from './tallies.ts';

/** Number of rows copied per statement. */
const atOnce = 100;

/**
 * The tables of both databases: the file's columns with their PostgreSQL types, the target columns, and the column by
 * which rows are counted. Open claims are copied without a server.
 */
const tables = [
  {
    table: 'entries',
    columns: { position: 'bigint', namespace: 'text', key: 'text', value: 'text', owner: 'text' },
    into: '(position, namespace, key, value, owner) select position, namespace, key, value, owner',
    by: 'namespace',
  },
  {
    table: 'set_aside',
    columns: { namespace: 'text', key: 'text', value: 'text', set_aside_at: 'bigint' },
    into: '(namespace, key, value, set_aside_at) select namespace, key, value, set_aside_at',
    by: 'namespace',
  },
  {
    table: 'claims',
    columns: { key: 'text', fingerprint: 'text', answer: 'text', claimed_at: 'bigint' },
    into: `(key, fingerprint, answer, claimed_at, server)
           select key, fingerprint, answer, to_timestamp(claimed_at / 1000.0), ''`,
    by: "''",
  },
  {
    table: 'sessions',
    columns: { key: 'text', value: 'text', started_at: 'bigint', used_at: 'bigint' },
    into: '(key, value, started_at, used_at) select key, value, started_at, used_at',
    by: "''",
  },
] as const;
type Table = (typeof tables)[number];

async function copyTable(db: Db, { write }: Connections, { table, columns, into }: Table): Promise<void> {
  const names = Object.keys(columns);
  const page = db.prepare(
    `select rowid as place, ${names.join(', ')} from ${table} where rowid > ? order by rowid limit ${atOnce}`,
  );
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  for (let last = 0; ;) {
    const rows = page.all(last) as ({ place: number } & Record<string, unknown>)[]; // the statement's columns
    if (rows.length === 0) return;
    await write(
      `insert into ${table} ${into} from unnest(${arrays.join(', ')}) with ordinality
       as given (${names.join(', ')}, ordinal) order by ordinal`,
      ...names.map((name) => rows.map((row) => row[name])),
    );
    last = rows.at(-1)!.place; // not empty
  }
}

/** The number of rows of a table, in total and by namespace. */
interface Counted {
  table: Table['table'];
  rows: number;
  namespaces: number;
}

/**
 * Compares the row counts of a table in both databases, by namespace. Rejects with PostgresStoreError if they differ.
 */
async function compare(url: string, db: Db, { rows }: Connections, { table, by }: Table): Promise<Counted> {
  const count = `select ${by} as name, count(*) as count from ${table} group by 1`;
  const here = db.prepare(count).all() as { name: string; count: number }[]; // the statement's columns
  const there = new Map((await rows<(typeof here)[number]>(count)).map((each) => [each.name, each.count]));
  const wrong = here.find(({ name, count: wanted }) => there.get(name) !== wanted);
  if (wrong || there.size !== here.length)
    throw new PostgresStoreError(
      url,
      `nothing was copied, because ${table} would not have had the same records there (${wrong?.name ?? 'more namespaces'})`,
    );
  return {
    table,
    rows: here.reduce((sum, each) => sum + each.count, 0),
    namespaces: here.filter(({ name }) => name !== '').length,
  };
}

/** Returns the unique id of the file; writes it into the file on the first call. */
function idOf(db: Db): string {
  db.prepare('create table if not exists origin (id text not null)').run();
  db.prepare('insert into origin select ? where not exists (select * from origin)').run(randomUUID());
  return (db.prepare('select id from origin').get() as { id: string }).id; // the statement's column
}

async function insistOnEmpty(url: string, { rows }: Connections): Promise<void> {
  const [found] = await rows<{ servers: boolean; records: boolean }>(
    `select exists (select from servers where alive_until > clock_timestamp()) as servers,
       ${tables.map(({ table }) => `exists (select from ${table})`).join(' or ')} as records`,
  );
  if (found?.servers) throw new PostgresStoreError(url, 'a server runs on it, stop it first');
  if (found?.records)
    throw new PostgresStoreError(url, 'it holds records that are not of this file, give an empty one');
}

/** The row counts of the copied tables, or the time of the earlier copy if the file had been copied before. */
export type Copied = { counted: Counted[] } | { before: Date };

/**
 * Copies an SQLite store to PostgreSQL in one transaction: everything or, if it is interrupted, nothing. Copies nothing
 * if the file was copied before, even if servers have written to the database since. Throws as `openStoreFile` and
 * `reseal` do; rejects as `prepare` does, and if the database holds other records or a server runs on it.
 */
export async function copyStore(
  path: string,
  url: string,
  seal: Seal,
  onError: (error: unknown) => void,
): Promise<Copied> {
  const db = openStoreFile(`file:${path}`);
  try {
    reseal(db, seal);
    mendTallies(db, seal);
    const file = idOf(db);
    const connections = createConnections(url, randomUUID(), onError);
    const { rows, write } = connections;
    let copied: Copied | undefined;
    try {
      await prepare(url, seal, connections, async () => {
        const [before] = await rows<{ copied_at: Date }>('select copied_at from copied where file = $1', file);
        if (before) {
          copied = { before: before.copied_at };
          return;
        }
        await insistOnEmpty(url, connections);
        for (const table of tables) await copyTable(db, connections, table);
        await write(
          `select setval(pg_get_serial_sequence('entries', 'position'), max(position)) from entries
           having max(position) is not null`,
        );
        const counted: Counted[] = [];
        for (const table of tables) counted.push(await compare(url, db, connections, table));
        await write('insert into copied (file) values ($1)', file);
        copied = { counted };
      });
    } finally {
      await connections.close();
    }
    return copied!; // set above
  } finally {
    db.close();
  }
}
