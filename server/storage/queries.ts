import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';

/** A list of texts as a parameter. */
export type List = readonly string[] | string;

/**
 * Lists of texts as one parameter of a statement: thousands of parameters would take longer to compile than the statement
 * to run.
 */
export function columnValues(isPostgres: boolean) {
  /** A list as a parameter. */
  const listOf = (texts: readonly string[]): List => (isPostgres ? texts : JSON.stringify(texts));
  const isIn = (column: string, list: List): RawBuilder<boolean> =>
    isPostgres
      ? sql`${sql.ref(column)} = any(${list}::text[])`
      : sql`${sql.ref(column)} in (select value from json_each(${list}))`;
  return {
    listOf,
    /** Whether a column has one of the values of a list. */
    isIn,
    /** Whether a column has one of these values. */
    isAmong: (column: string, texts: readonly string[]): RawBuilder<boolean> => isIn(column, listOf(texts)),
    /** A table of these texts in the column `one`. */
    given: (texts: readonly string[]): RawBuilder<unknown> =>
      isPostgres
        ? sql`unnest(${listOf(texts)}::text[]) as given (one)`
        : sql`(select value as one from json_each(${listOf(texts)})) as given`,
  };
}
