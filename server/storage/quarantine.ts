import type { Clock } from '#server/clock.ts';
import type { Database } from './database.ts';
import { UnknownKeyError } from './encryption.ts';
import type { Encryption } from './encryption.ts';
import { UnreadableError } from './errors.ts';
import type { Location, RecordRow, Tables } from './schema.ts';

/** A quarantined record; `at` in ms. */
export interface Quarantined extends Location {
  kind: string;
  id: string;
  at: number;
}

/** What identifies a stored value, and the value as it is stored. */
type Found = Pick<RecordRow, 'kind' | 'workspace' | 'company_key' | 'id' | 'value'> & { position: number };

/** Moves unreadable records, as they are, to a table of their own, so that the others can be listed. */
export interface Quarantine {
  /**
   * Decrypts the value of a row at its place. Moves an unreadable row into quarantine, reports it and returns undefined;
   * a row of a kind that `isVital` stays, and UnreadableError is thrown. It is also thrown for a value that another
   * server encrypted under a key that this one lacks.
   */
  decrypt(table: 'records' | 'timeline', row: Found, place: string, isVital: boolean): Promise<string | undefined>;
  /** The quarantined records of a workspace, oldest first. */
  list(workspace: string): Promise<Quarantined[]>;
  /** The number of quarantined records of all workspaces. */
  count(): Promise<number>;
}

export function createQuarantine(
  { read, write, transaction, isShared }: Database<Tables>,
  encryption: Encryption,
  clock: Clock,
  onError: (error: unknown) => void,
): Quarantine {
  /** Moves a row unless its value has changed meanwhile. */
  const move = (table: 'records' | 'timeline', { position, kind, workspace, company_key, id, value }: Found) =>
    transaction(workspace, async () => {
      const { numDeletedRows } = await write((db) =>
        db.deleteFrom(table).where('position', '=', position).where('value', '=', value).executeTakeFirst(),
      );
      if (numDeletedRows === 0n) return;
      const row = { kind, workspace, company_key, id, value, quarantined_at: clock.now() };
      await write((db) => db.insertInto('quarantine').values(row).execute());
    });

  return {
    async decrypt(table, row, place, isVital) {
      try {
        return encryption.decrypt(row.value, place);
      } catch (cause) {
        const error = new UnreadableError([row.kind, row.workspace, row.company_key, row.id].join('/'), cause);
        if (isVital || (isShared && cause instanceof UnknownKeyError)) throw error;
        onError(error);
        // If the database cannot be written, the row stays.
        await move(table, row).catch(onError);
        return undefined;
      }
    },
    async list(workspace) {
      const rows = await read((db) =>
        db
          .selectFrom('quarantine')
          .select(['kind', 'workspace', 'company_key as companyKey', 'id', 'quarantined_at as at'])
          .where('workspace', '=', workspace)
          .orderBy('position')
          .execute(),
      );
      return rows;
    },
    async count() {
      const { count } = await read((db) =>
        db
          .selectFrom('quarantine')
          .select((on) => on.fn.countAll<number>().as('count'))
          .executeTakeFirstOrThrow(),
      );
      return count;
    },
  };
}
