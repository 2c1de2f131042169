import { parse } from '#contract/json.ts';
import type { Database } from './database.ts';
import type { Encryption } from './encryption.ts';
import { locations } from './schema.ts';
import type { Tables } from './schema.ts';

/** What is deleted with a workspace. */
const deleted = ['records', 'settings', 'timeline', 'quarantine'] as const;
/** What stays when a workspace is removed, because nothing may be sent or paid twice. */
const kept = ['writes'] as const;
const tables = [...deleted, ...kept] as const;
type WorkspaceTable = (typeof tables)[number];

/** A row of a workspace, decrypted; `value` is undefined if it has none or cannot be read. */
export interface StoredRow {
  table: WorkspaceTable;
  row: Readonly<Record<string, unknown>>;
  value: unknown;
}

/** Everything that is stored of each user, whatever area it belongs to. Settings are read by Settings. */
export interface Workspaces {
  /** Returns the names of all workspaces of which something is stored, sorted. */
  list(): Promise<string[]>;
  /** Returns the number of rows of a workspace by table. */
  count(workspace: string): Promise<Record<WorkspaceTable, number>>;
  /** Returns the payments of a workspace whose outcome is not known, by their idempotency keys. */
  undecided(workspace: string): Promise<string[]>;
  /** Returns the number of payments of all workspaces whose outcome is not known, sent before and after a time (ms). */
  countUndecided(since: number): Promise<{ before: number; after: number }>;
  /** Yields what is stored of a workspace, but its settings, in order of insertion. */
  rows(workspace: string): AsyncGenerator<StoredRow, void>;
  /**
   * Deletes what belongs to a workspace and returns how many rows. Of its writes stay the keys and the fingerprints of
   * the requests, without bodies and answers: a repeat counts as one whose answer was lost. Of its payments stay the invoices.
   */
  remove(workspace: string): Promise<number>;
}

/** The call whose writes are payments. */
const payment = 'createBatch';

/** Number of rows read at a time. */
const batchSize = 200;

type AnyRow = Readonly<Record<string, unknown>> & { position: number };

export function createWorkspaces({ read, write, transaction }: Database<Tables>, encryption: Encryption): Workspaces {
  const countOf = async (table: WorkspaceTable, workspace: string) =>
    (
      await read((db) =>
        db
          .selectFrom(table)
          .select((on) => on.fn.countAll<number>().as('count'))
          .where('workspace', '=', workspace)
          .executeTakeFirstOrThrow(),
      )
    ).count;

  const decrypted = (text: string, place: string): unknown => {
    try {
      return parse(encryption.decrypt(text, place));
    } catch {
      return undefined; // also what was quarantined
    }
  };

  /** The decrypted value of a row that has one. */
  function valueOf(table: WorkspaceTable, row: AnyRow): unknown {
    const { value, answer } = row as { value?: string; answer?: string | null }; // the encrypted columns
    if (table === 'records' && value !== undefined) return decrypted(value, locations.record(row as never)); // of this table
    if (table === 'timeline' && value !== undefined) return decrypted(value, locations.timeline(row as never));
    if (table === 'writes' && answer) return decrypted(answer, locations.writeAnswer(row as never));
    return undefined;
  }

  return {
    async list() {
      const names = new Set<string>();
      for (const table of tables)
        for (const { workspace } of await read((db) => db.selectFrom(table).select('workspace').distinct().execute()))
          names.add(workspace);
      return [...names].sort();
    },
    async count(workspace) {
      const counts = await Promise.all(tables.map(async (table) => [table, await countOf(table, workspace)] as const));
      return Object.fromEntries(counts) as Record<WorkspaceTable, number>; // of all tables
    },
    async undecided(workspace) {
      const rows = await read((db) =>
        db
          .selectFrom('writes')
          .select('key')
          .where('workspace', '=', workspace)
          .where('call', '=', payment)
          .where('state', '<>', 'done')
          .execute(),
      );
      return rows.map(({ key }) => key);
    },
    async countUndecided(since) {
      const payments = await read((db) =>
        db.selectFrom('writes').select('claimed_at').where('call', '=', payment).where('state', '<>', 'done').execute(),
      );
      const after = payments.filter(({ claimed_at: at }) => at >= since).length;
      return { before: payments.length - after, after };
    },
    async *rows(workspace) {
      for (const table of tables.filter((each) => each !== 'settings'))
        for (let after = 0; ;) {
          const rows: AnyRow[] = await read((db) =>
            db
              .selectFrom(table)
              .selectAll()
              .where('workspace', '=', workspace)
              .where('position', '>', after)
              .orderBy('position')
              .limit(batchSize)
              .execute(),
          );
          for (const row of rows) yield { table, row, value: valueOf(table, row) };
          if (rows.length < batchSize) break;
          after = rows.at(-1)!.position; // not empty
        }
    },
    remove: (workspace) =>
      transaction(workspace, async () => {
        let rows = 0;
        for (const table of deleted) {
          const { numDeletedRows } = await write((db) =>
            db.deleteFrom(table).where('workspace', '=', workspace).executeTakeFirst(),
          );
          rows += Number(numDeletedRows);
        }
        const { numUpdatedRows } = await write((db) =>
          db
            .updateTable('writes')
            .set({ body: null, answer: null, words: null })
            .where('workspace', '=', workspace)
            .where('body', 'is not', null)
            .executeTakeFirst(),
        );
        return rows + Number(numUpdatedRows);
      }),
  };
}
