import { shownUrl } from '#server/store/url.ts';
import { PostgresError } from './connections.ts';
import type { Connections } from './connections.ts';

/** The database cannot be used as a store; `why` is a sentence without its beginning. */
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

/** Number of the lock under which the schema is made; any number that nobody else uses. */
const schemaLock = 7_235_001;

const reasons: Readonly<Record<string, string>> = {
  '28P01': 'it refuses the password, give the right one',
  '28000': 'it refuses the user, give one that may connect',
  '3D000': 'there is no such database, create it or give another one',
  '42501': 'the user may not create tables there, grant it or give another user',
  '55P03': 'another program is making its tables or copying a store into it, wait until that is done',
  ECONNREFUSED: 'nobody listens there, start the database or give another one',
  ENOTFOUND: 'there is no such host, give another one',
  EAI_AGAIN: 'there is no such host, give another one',
};

/** The same error, or the sentence for it if it comes from the database. */
export function refusal(url: string, error: unknown): unknown {
  if (!(error instanceof PostgresError)) return error;
  const why = reasons[error.code.replace('POSTGRES_', '')] ?? `it cannot be used (${error.message})`;
  return new PostgresStoreError(url, why, error);
}

/** The tables with the version of the schema, by whose database it is. */
const versionTables = { console: 'schema_version', sandbox: 'sandbox_version' } as const;
type Program = keyof typeof versionTables;

/**
 * Makes or completes the tables of a program, within a transaction; one program at a time. `migrations` are the statements
 * that make each version from the one before. Rejects with PostgresStoreError if the database was made by a later version
 * or holds tables of something else.
 */
export async function migrate(
  url: string,
  program: Program,
  migrations: readonly string[],
  { write, rows, script }: Pick<Connections, 'write' | 'rows' | 'script'>,
): Promise<void> {
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
