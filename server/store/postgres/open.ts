import { UnknownKeyError } from '#server/store/seal.ts';
import type { Seal } from '#server/store/seal.ts';
import type { Connections } from './connections.ts';
import { migrate, PostgresStoreError, refusal } from './migrate.ts';
import { migrations } from './schema.ts';

/**
 * Creates or updates the tables, notes the current key as in use, and runs `then`, in one transaction; one program at a
 * time. Rejects with PostgresStoreError if the database cannot be reached, was made by a later version or holds foreign
 * tables, or if another server lacks the current key; with UnknownKeyError if this server lacks a key in use.
 */
export async function prepare(
  url: string,
  seal: Pick<Seal, 'keyIds'>,
  connections: Connections,
  then: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { transaction } = connections;
  try {
    await transaction(async () => {
      await migrate(url, 'console', migrations, connections);
      await noteKey(url, seal, connections);
      await then();
    });
  } catch (error) {
    throw refusal(url, error);
  }
}

/** Other servers must be able to decrypt what this one will write, and this one what is stored. */
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
