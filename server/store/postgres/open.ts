import { UnknownKeyError } from '#server/store/seal.ts';
import type { Seal } from '#server/store/seal.ts';
import { PostgresError } from './connections.ts';
import { shownUrl } from '#server/store/url.ts';
import type { Connections } from './connections.ts';
import { migrations } from './schema.ts';

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

/**
 * Makes or completes the tables, notes the current key as in use, and runs `then`, in one transaction; one program at a
 * time. Rejects with PostgresStoreError if the database cannot be reached, was made by a later version or holds tables of
 * something else, or if another server was not given the current key; with UnknownKeyError if a key is in use that is not
 * given.
 */
export async function prepare(
  url: string,
  seal: Pick<Seal, 'keyIds'>,
  connections: Connections,
  then: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { transaction, write } = connections;
  try {
    await transaction(async () => {
      await write('select pg_advisory_xact_lock($1)', schemaLock);
      await migrate(url, connections);
      await noteKey(url, seal, connections);
      await then();
    });
  } catch (error) {
    throw refusal(url, error);
  }
}

async function migrate(url: string, { write, rows, script }: Connections): Promise<void> {
  const tables = await rows<{ name: string }>(
    'select tablename as name from pg_tables where schemaname = current_schema() order by 1',
  );
  if (tables.length > 0 && !tables.some(({ name }) => name === 'schema_version'))
    throw new PostgresStoreError(
      url,
      `it holds tables of something else (${tables[0]!.name}), give an empty database`, // just checked
    );
  await write('create table if not exists schema_version (version integer not null)');
  const [found] = await rows<{ version: number }>('select version from schema_version');
  const version = found?.version ?? 0;
  if (version > migrations.length)
    throw new PostgresStoreError(
      url,
      `it was made by a later version of the console (schema ${version}, this one knows ${migrations.length}), start that version or a later one`,
    );
  if (version === migrations.length) return;
  for (const statements of migrations.slice(version)) await script(statements);
  await write('delete from schema_version');
  await write('insert into schema_version values ($1)', migrations.length);
}

/** Other servers must be able to read what this one will encrypt, and this one what is there. */
async function noteKey(url: string, { keyIds }: Pick<Seal, 'keyIds'>, { write, rows }: Connections): Promise<void> {
  const inUse = await rows<{ id: string }>('select id from keys');
  const missing = inUse.find(({ id }) => !keyIds.includes(id));
  if (missing) throw new UnknownKeyError(missing.id);
  const [current] = keyIds;
  if (inUse.some(({ id }) => id === current)) return;
  const [other] = await rows(
    'select id from servers where alive_until > clock_timestamp() and not $1 = any(keys)',
    current,
  );
  if (other)
    throw new PostgresStoreError(
      url,
      'a server that runs on it was not given STORE_KEY, start it anew with this key as STORE_KEY_PREVIOUS first',
    );
  await write('insert into keys values ($1)', current);
}
