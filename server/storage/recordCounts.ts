import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnTypes, isPostgres } from './migrate.ts';

/** The name of the column of a company's key: migration 008 changed it. */
type CompanyColumn = 'company' | 'company_key';

/**
 * The numbers of records of each kind and location, which the database keeps by triggers: counting 100,000 rows takes
 * milliseconds. A row whose subject is '' counts all of them, another one those about a subject.
 */
function partsBy(company: CompanyColumn) {
  const location = `kind, workspace, ${company}`;
  const counted = `${location}, subject`;
  return {
    ...{ location, counted },
    /** Adds the rows of a select, with the number of each, to the counts. PostgreSQL locks the counts in one order. */
    add: (select: string): string => `insert into record_counts (${counted}, number)
      ${select} on conflict (${counted}) do update set number = record_counts.number + excluded.number`,
    /** The records of a table, by what they count for. */
    summed: (table: string, sign: 1 | -1): string => `
      select ${location}, '' as subject, ${sign} * count(*) as number from ${table}
        group by ${location}
      union all select ${counted}, ${sign} * count(*) from ${table} where subject is not null
        group by ${counted}`,
  };
}

/** As the table was made. */
const { counted, add, summed } = partsBy('company');

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

/** The functions of PostgreSQL's triggers, which run once for each statement, however many records it changes. */
export function countFunctions(company: CompanyColumn): string[] {
  const parts = partsBy(company);
  const whole = (...changes: string[]) =>
    parts.add(`select ${parts.counted}, sum(number) from (${changes.join(' union all ')}) as changes
      group by ${parts.counted} having sum(number) <> 0 order by ${parts.counted}`);
  const [inserted, deleted] = [parts.summed('inserted', 1), parts.summed('deleted', -1)];
  const forgetDeleted = `${forget(`(${parts.location}) in (select ${parts.location} from deleted)`)};`;
  return (
    [
      ['insert', `${whole(inserted)};`],
      ['delete', `${whole(deleted)}; ${forgetDeleted}`],
      ['update', `${whole(deleted, inserted)}; ${forgetDeleted}`],
    ] as const
  ).map(
    ([event, statements]) => `create or replace function count_records_after_${event}() returns trigger language plpgsql
      as $$ begin ${statements} return null; end $$`,
  );
}

const ofPostgres = (): string[] => [
  ...countFunctions('company'),
  ...[
    ['insert', 'new table as inserted'],
    ['delete', 'old table as deleted'],
    ['update', 'old table as deleted new table as inserted'],
  ].map(
    ([event, tables]) => `create trigger count_after_${event} after ${event} on records referencing ${tables}
      for each statement execute function count_records_after_${event}()`,
  ),
];

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
