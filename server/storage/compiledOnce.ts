import type { Compilable, CompiledQuery, Kysely } from 'kysely';

/**
 * Returns a function that runs a query of one database, which is built and compiled once: for a read by key, that takes
 * longer than to run it. `build` gives each parameter some value, in the order in which they are given later.
 */
export function compiledOnce<Tables, Row>(build: (db: Kysely<Tables>) => Compilable<Row>) {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db: Kysely<Tables>, parameters: readonly unknown[]): Promise<Row[]> => {
    compiled ??= build(db).compile();
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters });
    return rows;
  };
}
