import type { SandboxStore } from './sandboxStore.ts';

const tables = ['resources', 'stored_answers', 'jobs', 'deliveries'] as const;

/** The rows of one application by table, in order. */
export type Rows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** The record that a snapshot leaves out: the key that signs tokens, which clients may have cached. */
const isKey = ({ kind }: Readonly<Record<string, unknown>>): boolean => kind === 'key';

/** Reads all that an application has stored. */
export const rowsOf = (store: SandboxStore, application: string): Promise<Rows> =>
  store.transaction(application, async () => {
    const found: [string, Record<string, unknown>[]][] = [];
    for (const table of tables) {
      const rows: Record<string, unknown>[] = await store.read((db) =>
        db.selectFrom(table).selectAll().where('application', '=', application).orderBy('position').execute(),
      );
      found.push([table, rows.filter((row) => !isKey(row)).map(({ position: _, application: __, ...row }) => row)]);
    }
    return Object.fromEntries(found);
  });

/** Adds rows to an application that was emptied. Throws if they are not those of a snapshot; then nothing is added. */
export async function addRows(store: SandboxStore, application: string, rows: Rows): Promise<void> {
  await store.transaction(application, async () => {
    for (const table of tables)
      for (const row of rows[table] ?? [])
        await store.write((db) =>
          db
            .insertInto(table)
            .values({ ...row, application } as never) // read by rowsOf; the database checks it
            .execute(),
        );
  });
}
