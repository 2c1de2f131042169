import { escapeId } from '#server/escapeId.ts';
import type { Database } from './database.ts';
import type { Tables } from './schema.ts';

/** What a write of the console creates at the service. */
export type Created = 'batch' | 'subscription' | 'organisation' | 'company' | 'account' | 'dataset';

/**
 * The ids that the service has returned to the writes of all users and companies, each with the write that received it
 * first. They are never removed: an id that comes again belongs to another answer.
 */
export interface ReceivedIds {
  /**
   * Records that the write with this idempotency key has received an id. Returns false if another write has received it
   * before. Ignores letter case and surrounding blanks, as UUIDs do.
   */
  record(kind: Created, id: string, key: string): Promise<boolean>;
}

export const createReceivedIds = ({ read, write }: Pick<Database<Tables>, 'read' | 'write'>): ReceivedIds => ({
  async record(kind, received, key) {
    const id = escapeId(received.trim().toLowerCase());
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
});
