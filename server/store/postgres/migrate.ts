import { shownUrl } from '#server/store/url.ts';
import { PostgresError } from './connections.ts';
import type { Connections } from './connections.ts';
import { unfitness, whyNot } from './fitting.ts';

/** Thrown if the database cannot be used as a store; `why` is a sentence without its beginning. */
export class PostgresStoreError extends Error {
  /** Host, port and name of the database, without user and password. */
  readonly database: string;
  readonly why: string;

  constructor(url: string, why: string, cause?: unknown) {
    super(`${shownUrl(url)}: ${why}`, { cause });
    this.name = 'PostgresStoreError';
    this.database = shownUrl(url);
    this.why = why;
  }
}

/** Number of the advisory lock under which the schema is made: an arbitrary number of ours. */
const schemaLock = 7_235_001;

/** Returns the error, or a PostgresStoreError with the reason if the error comes from the database. */
export function refusal(url: string, error: unknown): unknown {
  return error instanceof PostgresError ? new PostgresStoreError(url, whyNot(error), error) : error;
}

/** Tables that hold the schema's version, by the program whose database it is. */
const versionTables = { console: 'schema_version', sandbox: 'sandbox_migration' } as const;
type Program = keyof typeof versionTables;

/**
 * Creates or updates the tables of a program, within a transaction; one program at a time. `migrations` are the
 * statements that lead from each version to the next. Rejects with PostgresStoreError if the database is unsuitable,
 * was made by a later version or holds foreign tables.
 */
export async function migrate(
  url: string,
  program: Program,
  migrations: readonly string[],
  { server, write, rows, script }: Pick<Connections, 'server' | 'write' | 'rows' | 'script'>,
): Promise<void> {
  const unfit = await unfitness({ server, rows });
  if (unfit) throw new PostgresStoreError(url, unfit);
  await write('select pg_advisory_xact_lock($1)', schemaLock);
  const found = await rows<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
  );
  const tables = found.map(({ name }) => name);
  const table = versionTables[program];
  const other = program === 'console' ? 'sandbox' : 'console';
  if (tables.includes(versionTables[other]))
    throw new PostgresStoreError(url, `it is the database of a ${other}, give the ${program} one of its own`);
  if (tables.length > 0 && !tables.includes(table))
    throw new PostgresStoreError(url, `it holds tables of something else (${tables[0]!}), give an empty database`); // just checked
  await write(`create table if not exists ${table} (version integer not null)`);
  const [row] = await rows<{ version: number }>(`select version from ${table}`);
  const version = row?.version ?? 0;
  if (version > migrations.length)
    throw new PostgresStoreError(
      url,
      `it was made by a later version of the ${program} (schema ${version}, this one knows ${migrations.length}), start that version or a later one`,
    );
  if (version === migrations.length) return;
  for (const statements of migrations.slice(version)) await script(statements);
  await write(`delete from ${table}`);
  await write(`insert into ${table} values ($1)`, migrations.length);
}
