import { locationColumns } from '#server/storage/schema.ts';
import { locationOf } from './collection.ts';
import type { SandboxStore } from './sandboxStore.ts';

const tables = ['stored_answers', 'jobs', 'deliveries'] as const;

/** The rows of one application by table, in order; its records are those of `resources`. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** Reads all that an application has stored, but the key that signs tokens, which clients may have cached. */
export const rowsOf = (store: SandboxStore, application: string): Promise<Rows> =>
  store.transaction(application, async () => {
    const resources = await store.read((db) =>
      db
        .selectFrom('records')
        .select(['kind', 'id', 'value'])
        .where('workspace', '=', application)
        .where('kind', '<>', 'key')
        .orderBy('position')
        .execute(),
    );
    const found: [string, Record<string, unknown>[]][] = [['resources', resources]];
    for (const table of tables) {
      const rows: Record<string, unknown>[] = await store.read((db) =>
        db.selectFrom(table).selectAll().where('application', '=', application).orderBy('position').execute(),
      );
      found.push([table, rows.map(({ position: _, application: __, ...row }) => row)]);
    }
    return Object.fromEntries(found);
  });

/** Adds rows to an application that was emptied. Throws if they are not those of a snapshot; then nothing is added. */
export async function addRows(store: SandboxStore, application: string, rows: Rows): Promise<void> {
  const add = (table: 'records' | (typeof tables)[number], row: object) =>
    store.write((db) =>
      db
        .insertInto(table)
        .values(row as never) // read by rowsOf; the database checks it
        .execute(),
    );
  await store.transaction(application, async () => {
    const at = locationColumns(locationOf(application));
    for (const row of rows['resources'] ?? []) await add('records', { ...row, ...at });
    for (const table of tables) for (const row of rows[table] ?? []) await add(table, { ...row, application });
  });
}
