import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Encryption } from './encryption.ts';
import { columnTypes, isPostgres } from './migrate.ts';
import { countFunctions, countRecords } from './recordCounts.ts';
import { settingsInOneValue } from './settingsMigration.ts';
import type { ColumnTypes } from './migrate.ts';

/** The table of records, with its indexes; console and sandbox have one each. */
export const recordsTable = ({ position, key }: ColumnTypes): string[] => [
  `create table records (
    position ${position},
    kind ${key} not null,
    workspace ${key} not null,
    company ${key} not null,
    id ${key} not null,
    value text not null,
    subject ${key},
    state ${key},
    unique (kind, id, workspace, company)
  )`,
  'create index records_order on records (kind, workspace, company, position)',
  // A tag differs for each kind, workspace and company.
  'create index records_subject on records (subject, position) where subject is not null',
  'create index records_state on records (state, position) where state is not null',
];

/** The tables and indexes of schema.ts. */
const tables = ({ position, key, time }: ColumnTypes): string[] => [
  ...recordsTable({ position, key, time }),

  `create table idempotency_keys (
    position ${position},
    workspace ${key} not null,
    key ${key} not null,
    fingerprint text not null,
    response text,
    claimed_at ${time} not null,
    unique (workspace, key)
  )`,

  `create table paid_invoices (
    position ${position},
    workspace ${key} not null,
    company ${key} not null,
    identity ${key} not null,
    idempotency_key ${key} not null,
    batch_id ${key} not null,
    reserved_at ${time} not null,
    reason text
  )`,
  'create unique index paid_invoices_once on paid_invoices (workspace, company, identity) where reason is null',
  'create index paid_invoices_identity on paid_invoices (workspace, company, identity)',
  'create index paid_invoices_key on paid_invoices (workspace, company, idempotency_key)',

  `create table timeline (
    position ${position},
    workspace ${key} not null,
    id ${key} not null,
    at ${time} not null,
    length integer not null,
    value text not null,
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
    company ${key} not null,
    key ${key} not null,
    value text not null,
    unique (workspace, company, key)
  )`,

  `create table quarantine (
    position ${position},
    kind ${key} not null,
    workspace ${key} not null,
    company ${key} not null,
    id ${key} not null,
    value text not null,
    quarantined_at ${time} not null
  )`,

  `create table index_key (position ${position}, value text not null)`,
];

const migration = (statements: (types: ColumnTypes) => string[]): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const statement of statements(columnTypes(db))) await sql.raw(statement).execute(db);
  },
});

/**
 * An invoice is paid once for a company of the service, whichever of the console's records stands for that: the company
 * is part of the tags alone. Those stored before name the console's record instead. The table has a new name, so that
 * servers of an earlier version, which would not find the new tags, fail before they send a payment.
 */
const companyOfService = ({ position, key, time }: ColumnTypes): string[] => [
  ...['drop index paid_invoices_once', 'drop index paid_invoices_identity', 'drop index paid_invoices_key'],
  'alter table paid_invoices rename to invoice_payments',
  'create unique index invoice_payments_once on invoice_payments (identity) where reason is null',
  'create index invoice_payments_identity on invoice_payments (identity)',
  'create index invoice_payments_key on invoice_payments (workspace, company, idempotency_key)',

  `create table undecided_sums (
    position ${position},
    workspace ${key} not null,
    company ${key} not null,
    sum ${key} not null,
    idempotency_key ${key} not null,
    reserved_at ${time} not null
  )`,
  'create index undecided_sums_sum on undecided_sums (sum)',
  'create index undecided_sums_key on undecided_sums (workspace, company, idempotency_key)',

  `create table earlier_companies (
    position ${position},
    workspace ${key} not null,
    company ${key} not null,
    owner ${key} not null
  )`,
  `insert into earlier_companies (workspace, company, owner)
    select distinct workspace, company, '' from invoice_payments`,
];

/** The kinds of records that hold what the console has created, with the names of receivedIds.ts. */
const createdKinds = { batches: 'batch', subscriptions: 'subscription', accounts: 'account', datasets: 'dataset' };

const receivedIds = ({ position, key }: ColumnTypes): string[] => [
  `create table received_ids (
    position ${position},
    kind ${key} not null,
    id ${key} not null,
    idempotency_key ${key} not null,
    unique (kind, id)
  )`,
  ...Object.entries(createdKinds).map(
    ([records, kind]) => `insert into received_ids (kind, id, idempotency_key)
      select distinct '${kind}', lower(trim(id)), '' from records where kind = '${records}'`,
  ),
];

/**
 * Splits the key of each write into its company and its key: until then, the company's scope and a slash stood before
 * the key, unless it was the first company. The key of the first company that would have been the same text is blocked,
 * because the row could be that key's: what cannot be decrypted is unreadable, and nothing is sent under it.
 */
function splitIdempotencyKeys({ position, key, time }: ColumnTypes): string[] {
  const scope = `(select company from settings where settings.workspace = old.workspace and company not in ('', 'first')
    and substr(old.key, 1, length(company) + 7) = 'write/' || company || '/' limit 1)`;
  const columns = 'workspace, company, key, former, turn, fingerprint, response, claimed_at';
  return [
    'alter table idempotency_keys rename to old_idempotency_keys',
    `create table idempotency_keys (
      position ${position},
      workspace ${key} not null,
      company ${key} not null,
      key ${key} not null,
      former ${key},
      turn integer not null,
      fingerprint text not null,
      response text,
      claimed_at ${time} not null,
      service_time ${time},
      unique (workspace, company, key)
    )`,
    `insert into idempotency_keys (${columns})
      select workspace,
        case when substr(key, 1, 6) <> 'write/' then '' when scope is null then 'first' else scope end,
        case when scope is null then key else 'write/' || substr(key, length(scope) + 8) end,
        key, 1, fingerprint, response, claimed_at
      from (select old.*, ${scope} as scope from old_idempotency_keys old) as each_row order by position`,
    `insert into idempotency_keys (${columns})
      select workspace, 'first', former, null, 1, '', null, claimed_at
      from idempotency_keys where former <> key order by position`,
    'drop table old_idempotency_keys',
  ];
}

const readsOfTimeline = (): string[] => ['alter table timeline add column is_read integer not null default 0'];

/** Names the column that holds the key of a company's context; until then, it was named as if it held a company's id. */
export const nameCompanyKey = async (db: Kysely<unknown>, table: string): Promise<void> =>
  void (await sql`alter table ${sql.table(table)} rename column company to company_key`.execute(db));

/** The tables whose rows have a location. */
const withLocation = [
  ...['records', 'record_counts', 'idempotency_keys', 'invoice_payments', 'undecided_sums', 'earlier_companies'],
  ...['settings', 'quarantine'],
];

/**
 * Servers of an earlier version, which lack the new name, fail before they claim a key, and so before they send anything.
 * SQLite changes its triggers with the column, but PostgreSQL has their statements as texts.
 */
const companyKeys: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of withLocation) await nameCompanyKey(db, table);
    if (isPostgres(db)) for (const statement of countFunctions('company_key')) await sql.raw(statement).execute(db);
  },
};

/** Adds the columns of the names of records; without an index, they hold nothing yet. */
export const nameColumns = ({ key }: Pick<ColumnTypes, 'key'>): string[] =>
  ['name', 'alias'].map((column) => `alter table records add column ${column} ${key}`);

/** The kinds that have names. Their records of earlier versions are named when some are first looked up by one. */
const namedKinds = ['batches', 'creditors', 'messages', 'paymentAttempts'];

const namesOfRecords = (types: ColumnTypes): string[] => [
  ...nameColumns(types),
  `update records set name = '' where kind in (${namedKinds.map((kind) => `'${kind}'`).join()})`,
  'create index records_name on records (name, position) where name is not null',
  'create index records_alias on records (alias, position) where alias is not null',
  "create index records_unnamed on records (kind, workspace, company_key, position) where name = ''",
];

/**
 * The console's migrations, in the order of their names. Never change one that has been released; add new ones at the
 * end. `encryption` has the keys of the store.
 */
export const migrationsWith = (encryption: Encryption | undefined): Readonly<Record<string, Migration>> => ({
  '001 tables': migration(tables),
  '002 paid invoices of a company of the service': migration(companyOfService),
  '003 received ids': migration(receivedIds),
  '004 companies of idempotency keys': migration(splitIdempotencyKeys),
  '005 reads of the timeline': migration(readsOfTimeline),
  '006 settings in one value': settingsInOneValue(encryption),
  '007 counts of records': countRecords,
  '008 company keys': companyKeys,
  '009 names of records': migration(namesOfRecords),
});
