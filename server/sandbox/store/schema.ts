import { sql, type Generated, type Kysely } from 'kysely';
import { columnTypes } from '#server/storage/migrate.ts';
import type { Schema } from '#server/storage/migrate.ts';
import { recordsTable } from '#server/storage/migrations.ts';
import type { RecordRow } from '#server/storage/schema.ts';

/** The rows of the sandbox's own tables are in order of insertion, each with the application that it belongs to. */
interface Row {
  position: Generated<number>;
  application: string;
}

/** The answer to the first call under an idempotency key. */
interface StoredAnswerRow extends Row {
  key: string;
  fingerprint: string;
  /** Steady time of the sandbox's clock, in ms. */
  expires_at: number;
  /** Null until the call is answered, which is in the same transaction. */
  status: number | null;
  /** JSON; null for an answer without a body. */
  body: string | null;
}

interface JobRow extends Row {
  /** Steady time of the sandbox's clock, in ms. */
  due_at: number;
  task: string;
  /** JSON. */
  payload: string;
  /** Counted from 0. */
  attempt: number;
}

interface DeliveryRow extends Row {
  webhook_id: string;
  type: string;
  /** ms since the epoch. */
  sent_at: number;
  body: string;
  /** JSON of the InjectedFault; null if there is none. */
  injected: string | null;
  attempts: number;
  status: number;
  /** 0 or 1. */
  is_delivered: number;
  /** JSON of the latest attempts at all receivers. */
  log: string;
}

export interface Tables {
  /** As the console's; `workspace` is the application, `company_key` empty. */
  records: RecordRow;
  stored_answers: StoredAnswerRow;
  jobs: JobRow;
  deliveries: DeliveryRow;
  /** One row: the process that works on the database, if several can use it. */
  worker: { id: string };
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  const types = columnTypes(db);
  const [position, key, time] = [sql.raw(types.position), sql.raw(types.key), sql.raw(types.time)];

  for (const statement of recordsTable(types)) await sql.raw(statement).execute(db);

  await db.schema
    .createTable('stored_answers')
    .addColumn('position', position)
    .addColumn('application', key, (column) => column.notNull())
    .addColumn('key', key, (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('expires_at', time, (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('body', 'text')
    .addUniqueConstraint('stored_answers_key', ['application', 'key'])
    .execute();
  await db.schema
    .createIndex('stored_answers_expiry')
    .on('stored_answers')
    .columns(['application', 'expires_at'])
    .execute();

  await db.schema
    .createTable('jobs')
    .addColumn('position', position)
    .addColumn('application', key, (column) => column.notNull())
    .addColumn('due_at', time, (column) => column.notNull())
    .addColumn('task', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex('jobs_due').on('jobs').columns(['application', 'due_at', 'position']).execute();

  await db.schema
    .createTable('deliveries')
    .addColumn('position', position)
    .addColumn('application', key, (column) => column.notNull())
    .addColumn('webhook_id', key, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('sent_at', time, (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('injected', 'text')
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('status', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('is_delivered', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('log', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  await db.schema.createIndex('deliveries_order').on('deliveries').columns(['application', 'position']).execute();
  await db.schema.createIndex('deliveries_id').on('deliveries').columns(['application', 'webhook_id']).execute();

  await db.schema
    .createTable('worker')
    .addColumn('id', key, (column) => column.notNull())
    .execute();
  await (db as Kysely<Tables>).insertInto('worker').values({ id: '' }).execute();
}

/** The sandbox's migrations, as the console's; a store of release 0.2.0 has the same tables. */
export const schema: Schema = {
  migrations: { '010 release 0.3.0': { up: createTables } },
  before: ['001 tables', '002 log of attempts', '003 records', '004 company keys', '005 names of records'],
  takeOver: () => Promise.resolve(),
};
