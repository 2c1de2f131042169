import { escapeId } from '#server/escapeId.ts';
import type { Database } from './database.ts';
import type { Tables } from './schema.ts';

/** What a write of the console creates at the service. */
export type Created = 'batch' | 'subscription' | 'organisation' | 'company' | 'account' | 'dataset';

/**
 * The ids that the service has returned to the writes of all users and companies, each with the write that received it
 * first. An id that comes again belongs to another answer. They are removed only with the sandbox that has issued them.
 */
export interface ReceivedIds {
  /**
   * Records that the write with this idempotency key has received an id. Returns false if another write has received it
   * before. Ignores letter case and surrounding blanks, as UUIDs do.
   */
  record(kind: Created, id: string, key: string): Promise<boolean>;
  /** Forgets ids of a sandbox that was replaced: the next one may issue them again. */
  forget(ids: readonly string[]): Promise<void>;
}

/** Ids that one statement removes. */
const removedAtOnce = 500;

const stored = (id: string): string => escapeId(id.trim().toLowerCase());

export const createReceivedIds = ({ read, write }: Pick<Database<Tables>, 'read' | 'write'>): ReceivedIds => ({
  async record(kind, received, key) {
    const id = stored(received);
    const { numInsertedOrUpdatedRows } = await write((db) =>
      db
        .insertInto('received_ids')
        .values({ kind, id, idempotency_key: key })
        .onConflict((on) => on.columns(['kind', 'id']).doNothing())
        .executeTakeFirst(),
    );
    if (numInsertedOrUpdatedRows === 1n) return true;
    const first = await read((db) =>
      db
        .selectFrom('received_ids')
        .select('idempotency_key as key')
        .where('kind', '=', kind)
        .where('id', '=', id)
        .executeTakeFirst(),
    );
    return first?.key === key;
  },
  async forget(ids) {
    for (let start = 0; start < ids.length; start += removedAtOnce) {
      const some = ids.slice(start, start + removedAtOnce).map(stored);
      await write((db) => db.deleteFrom('received_ids').where('id', 'in', some).execute());
    }
  },
});
