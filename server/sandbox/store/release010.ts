import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { isPostgres } from '#server/storage/migrate.ts';
import type { EarlierRelease } from '#server/storage/migrate.ts';

/** Jobs whose names and data are the same today; others of the fault lab, and webhooks under way, are left behind. */
const jobs = ['batch', 'subscription'];

/**
 * How the sandbox takes over a database of release 0.1.0: its resources have the form of today, except that a batch names
 * the key of its call, and a company has a name.
 */
export const release010: EarlierRelease = {
  tables: ['resource', 'answer', 'job', 'sent', 'worker', 'sandbox_version', 'probe'],
  firstVersion: '001 tables',
  drops: () => [],
  async takeOver(db: Kysely<unknown>, prefix: string) {
    const of = (name: string) => sql.table(prefix + name);
    const order = sql.ref('rowid');
    const added = (kind: string, name: string) =>
      isPostgres(db)
        ? sql`case when kind = ${sql.lit(kind)} and json::jsonb -> ${sql.lit(name)} is null
            then (json::jsonb || jsonb_build_object(${sql.lit(name)}, ''))::text else json end`
        : sql`case when kind = ${sql.lit(kind)} and json_extract(json, ${sql.lit(`$.${name}`)}) is null
            then json_set(json, ${sql.lit(`$.${name}`)}, '') else json end`;
    for (const [kind, name] of [
      ['batch', 'idempotencyKey'],
      ['company', 'name'],
    ] as const)
      await sql`update ${of('resource')} set json = ${added(kind, name)} where kind = ${kind}`.execute(db);
    for (const statement of [
      sql`insert into resources (application, kind, id, value)
        select application, kind, id, json from ${of('resource')} order by ${order}`,
      sql`insert into stored_answers (application, key, fingerprint, expires_at, status, body)
        select application, key, fingerprint, expires, status, json from ${of('answer')} where status is not null`,
      sql`insert into jobs (application, due_at, task, payload, attempt)
        select application, due, task, json, attempt from ${of('job')}
        where task in (${sql.join(jobs)}) order by id`,
      sql`insert into deliveries (application, webhook_id, type, sent_at, body, attempts, status, is_delivered)
        select application, ${sql.ref('webhookId')}, type, at, body, attempts, status, delivered
        from ${of('sent')} order by number`,
    ])
      await statement.execute(db);
  },
};
