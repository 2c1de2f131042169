import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/**
 * Lists of texts as one parameter of a statement: thousands of parameters would take longer to compile than the statement
 * to run.
 */
export function columnValues(isPostgres: boolean) {
  /** A list as a parameter. */
  const listOf = (texts: readonly string[]): readonly string[] | string => (isPostgres ? texts : JSON.stringify(texts));
  return {
    /** Whether a column has one of these values. */
    isAmong: (column: string, texts: readonly string[]): RawBuilder<boolean> =>
      isPostgres
        ? sql`${sql.ref(column)} = any(${listOf(texts)}::text[])`
        : sql`${sql.ref(column)} in (select value from json_each(${listOf(texts)}))`,
    /** A table of these texts in the column `one`. */
    given: (texts: readonly string[]): RawBuilder<unknown> =>
      isPostgres
        ? sql`unnest(${listOf(texts)}::text[]) as given (one)`
        : sql`(select value as one from json_each(${listOf(texts)})) as given`,
  };
}
