import { sql } from 'kysely';
import type { Compilable, CompiledQuery, Kysely, RawBuilder } from 'kysely';

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

/**
 * Lists of texts as one parameter of a statement: thousands of parameters would take longer to compile than the statement
 * to run.
 */
export function columnValues(isPostgres: boolean) {
  /** A list as a parameter. */
  const listOf = (texts: readonly string[]): readonly string[] | string => (isPostgres ? texts : JSON.stringify(texts));
  return {
    listOf,
    /** Whether a column has one of these values. */
    isAmong: (column: string, texts: readonly string[]): RawBuilder<boolean> =>
      isPostgres
        ? sql`${sql.ref(column)} = any(${listOf(texts)}::text[])`
        : sql`${sql.ref(column)} in (select value from json_each(${listOf(texts)}))`,
    /** A table with the columns `one` and `other`, in the order of the pairs. */
    pairs: (rows: readonly (readonly [one: string, other: string | null])[]): RawBuilder<unknown> =>
      isPostgres
        ? sql`(select one, other from unnest(${rows.map(([one]) => one)}::text[], ${rows.map(([, other]) => other)}::text[])
            with ordinality as given (one, other, ordinal) order by ordinal) as pairs`
        : sql`(select value ->> 0 as one, value ->> 1 as other from json_each(${JSON.stringify(rows)}) order by key) as pairs`,
  };
}
