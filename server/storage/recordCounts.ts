import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnTypes, isPostgres } from './migrate.ts';

/**
 * The numbers of records of each kind and location, which the database keeps by triggers: counting 100,000 rows takes
 * milliseconds. A row whose subject is '' counts all of them, another one those about a subject.
 */
const counted = `kind, workspace, company, subject`;

/** Adds the rows of a select, with the number of each, to the counts. PostgreSQL locks the counts in one order. */
const add = (select: string): string => `insert into record_counts (${counted}, number)
  ${select} on conflict (${counted}) do update set number = record_counts.number + excluded.number`;

/** The records of a table, by what they count for. */
const summed = (table: string, sign: 1 | -1): string => `
  select kind, workspace, company, '' as subject, ${sign} * count(*) as number from ${table}
    group by kind, workspace, company
  union all select ${counted}, ${sign} * count(*) from ${table} where subject is not null
    group by ${counted}`;

/** Of what is removed, not even the name stays. */
const forget = (where: string): string => `delete from record_counts where number = 0 and ${where}`;

const ofSqlite = (): string[] => {
  const one = (row: 'new' | 'old', sign: 1 | -1) => [
    `${add(`values (${row}.kind, ${row}.workspace, ${row}.company, '', ${sign})`)};`,
    about(row, sign),
  ];
  const about = (row: 'new' | 'old', sign: 1 | -1) =>
    `${add(`select ${row}.kind, ${row}.workspace, ${row}.company, ${row}.subject, ${sign} where ${row}.subject is not null`)};`;
  const forgetOld = `${forget("kind = old.kind and workspace = old.workspace and company = old.company and subject in ('', old.subject)")};`;
  return [
    `create trigger count_inserted after insert on records begin ${one('new', 1).join('\n')} end`,
    `create trigger count_deleted after delete on records begin ${[...one('old', -1), forgetOld].join('\n')} end`,
    `create trigger count_changed after update of kind, workspace, company, subject on records
      when (old.kind, old.workspace, old.company, old.subject) is not (new.kind, new.workspace, new.company, new.subject)
      begin ${[...one('old', -1), ...one('new', 1), forgetOld].join('\n')} end`,
  ];
};

/** Once for each statement, however many records it changes. */
const ofPostgres = (): string[] => {
  const whole = (...parts: string[]) =>
    add(`select ${counted}, sum(number) from (${parts.join(' union all ')}) as changes
      group by ${counted} having sum(number) <> 0 order by ${counted}`);
  const forgetDeleted = `${forget('(kind, workspace, company) in (select kind, workspace, company from deleted)')};`;
  const trigger = (event: 'insert' | 'delete' | 'update', tables: string, statement: string) => [
    `create or replace function count_records_after_${event}() returns trigger language plpgsql as $$
      begin ${statement}; ${event === 'insert' ? '' : forgetDeleted} return null; end $$`,
    `create trigger count_after_${event} after ${event} on records referencing ${tables}
      for each statement execute function count_records_after_${event}()`,
  ];
  return [
    ...trigger('insert', 'new table as inserted', whole(summed('inserted', 1))),
    ...trigger('delete', 'old table as deleted', whole(summed('deleted', -1))),
    ...trigger(
      'update',
      'old table as deleted new table as inserted',
      whole(summed('deleted', -1), summed('inserted', 1)),
    ),
  ];
};

/** Makes the counts of the records that are there, and the triggers that keep them. */
export const countRecords: Migration = {
  async up(db: Kysely<unknown>) {
    const { position, key } = columnTypes(db);
    const statements = [
      `create table record_counts (
        position ${position},
        kind ${key} not null,
        workspace ${key} not null,
        company ${key} not null,
        subject ${key} not null,
        number bigint not null,
        unique (kind, workspace, company, subject)
      )`,
      `insert into record_counts (${counted}, number) ${summed('records', 1)}`,
      ...(isPostgres(db) ? ofPostgres() : ofSqlite()),
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};
