import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnTypes } from './migrate.ts';
import type { ColumnTypes } from './migrate.ts';

/** The table of records, with its indexes; console and sandbox have one each. */
export const recordsTable = ({ position, key }: ColumnTypes): string[] => [
  `create table records (
    position ${position},
    kind ${key} not null,
    workspace ${key} not null,
    company_key ${key} not null,
    id ${key} not null,
    value text not null,
    subject ${key},
    state ${key},
    name ${key},
    alias ${key},
    unique (kind, id, workspace, company_key)
  )`,
  'create index records_order on records (kind, workspace, company_key, position)',
  // A tag differs for each kind, workspace and company.
  'create index records_subject on records (subject, position) where subject is not null',
  'create index records_state on records (state, position) where state is not null',
];

/** The writes, and what each of those that pay pays: see writes.ts and invoiceLines.ts. */
export const writesTables = ({ position, key, time }: ColumnTypes): string[] => [
  `create table writes (
    position ${position},
    workspace ${key} not null,
    company_key ${key} not null,
    key ${key} not null,
    call ${key} not null,
    owner ${key} not null,
    fingerprint ${key} not null,
    body text,
    state ${key} not null,
    turn integer not null,
    claimed_at ${time} not null,
    service_time ${time},
    service_key ${key} not null,
    answer text,
    words text,
    created ${key} unique,
    created_id ${key},
    settled_by ${key},
    settled_at ${time},
    unique (workspace, company_key, key)
  )`,
  'create index writes_service_key on writes (service_key)',
  // What is looked for again and again is not done; of that there is little.
  "create index writes_undecided on writes (call, workspace, company_key, position) where state <> 'done'",
  'create index writes_settled on writes (workspace, company_key, settled_at) where settled_by is not null',

  `create table invoice_lines (
    position ${position},
    write ${time} not null,
    line integer not null,
    is_freed integer not null,
    reference ${key} not null,
    note ${key} not null,
    sum ${key} not null,
    payee_ids ${key} not null,
    ibans ${key} not null,
    numbers ${key} not null,
    name ${key} not null
  )`,
  'create index invoice_lines_write on invoice_lines (write)',
  "create index invoice_lines_reference on invoice_lines (reference) where reference <> ''",
  "create index invoice_lines_note on invoice_lines (note) where reference = '' and note <> ''",
  // Of many payments of one sum to one payee, those without a reference are looked for most.
  'create index invoice_lines_sum on invoice_lines (sum, reference)',
];

/** The tables and indexes of schema.ts. */
const tables = ({ position, key, time }: ColumnTypes): string[] => [
  ...recordsTable({ position, key, time }),
  'create index records_name on records (name, position) where name is not null',
  'create index records_alias on records (alias, position) where alias is not null',

  ...writesTables({ position, key, time }),

  `create table timeline (
    position ${position},
    workspace ${key} not null,
    id ${key} not null,
    at ${time} not null,
    length integer not null,
    value text not null,
    is_read integer not null,
    unique (workspace, id)
  )`,
  'create index timeline_order on timeline (workspace, position)',

  `create table sessions (
    position ${position},
    key ${key} not null unique,
    value text not null,
    started_at ${time} not null,
    used_at ${time} not null
  )`,

  `create table settings (
    position ${position},
    workspace ${key} not null,
    company_key ${key} not null,
    value text not null,
    unique (workspace, company_key)
  )`,

  `create table quarantine (
    position ${position},
    kind ${key} not null,
    workspace ${key} not null,
    company_key ${key} not null,
    id ${key} not null,
    value text not null,
    quarantined_at ${time} not null
  )`,

  `create table index_key (
    position ${position},
    value text not null,
    copied_to text
  )`,
];

/** Makes all tables of release 0.3.0, empty. */
async function baseline(db: Kysely<unknown>): Promise<void> {
  for (const statement of tables(columnTypes(db))) await sql.raw(statement).execute(db);
}

/**
 * The console's migrations, in the order of their names. The first one makes the tables of a release; a store of the
 * release before is taken over into these (`server/ops/release020.ts`). Never change one that has been released.
 */
export const migrations: Readonly<Record<string, Migration>> = { '010 release 0.3.0': { up: baseline } };

/** The migrations of release 0.2.0. */
export const before: readonly string[] = [
  '001 tables',
  '002 paid invoices of a company of the service',
  '003 received ids',
  '004 companies of idempotency keys',
  '005 reads of the timeline',
  '006 settings in one value',
  '007 counts of records',
  '008 company keys',
  '009 names of records',
];
