import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { columnTypes } from './migrate.ts';
import type { ColumnTypes } from './migrate.ts';

/** The tables and indexes of schema.ts. */
const tables = ({ position, key, time }: ColumnTypes): string[] => [
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
 * The console's migrations, in the order of their names. Never change one that has been released; add new ones at the
 * end.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '001 tables': migration(tables),
  '002 paid invoices of a company of the service': migration(companyOfService),
  '003 received ids': migration(receivedIds),
};
