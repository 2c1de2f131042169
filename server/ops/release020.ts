import { sql } from 'kysely';
import { parse, stringify } from '#contract/json.ts';
import { batches, creditors } from '#server/companies/records.ts';
import { keyNames } from '#server/companies/storedSettings.ts';
import { messages } from '#server/messages/records.ts';
import type { Earlier } from '#server/storage/open.ts';
import { recordRows } from '#server/storage/recordRows.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { locations, ofWorkspace } from '#server/storage/schema.ts';
import { readable, type ApplicationOf } from './release020Kept.ts';
import { journalWrites } from './release020Writes.ts';

/** The kinds of records that have names; release 0.1.0 stored them without. */
const named: readonly RecordKind<never>[] = [batches, creditors, messages];

/** Number of records named at a time. */
const batchSize = 200;

const events = ['insert', 'delete', 'update'];
const triggers = ['count_inserted', 'count_deleted', 'count_changed'];

/**
 * Changes a store of release 0.2.0 into one of this release, in the transaction of the start: if it fails, the store is
 * as it was. Rejects with UnknownKeyError if the key of a value is missing.
 */
export async function fromRelease020(store: Earlier, applicationOf: ApplicationOf): Promise<void> {
  await forgetCounts(store);
  await keepSigningKeys(store);
  await keepCopyMark(store);
  await journalWrites(store, applicationOf);
  for (const kind of named) await nameRecords(store, kind);
  await sql`update records set name = null where name = ''`.execute(store.db);
  await sql`drop index records_unnamed`.execute(store.db);
}

/** Records are counted when their number is asked for. */
async function forgetCounts({ db, isPostgres }: Earlier): Promise<void> {
  const drops = isPostgres
    ? events.map((event) => `drop function count_records_after_${event}() cascade`)
    : triggers.map((name) => `drop trigger ${name}`);
  for (const statement of [...drops, 'drop table record_counts']) await sql.raw(statement).execute(db);
}

/** Settings as Keyv has stored them. */
interface KeptSettings {
  value: Record<string, string | undefined>;
}

/**
 * Moves signing keys to the settings of the workspace, by organisation; each company had a copy. A company's name gets
 * the id that it belongs to, and what programs had written is no longer told apart.
 */
async function keepSigningKeys({ db, encryption }: Earlier): Promise<void> {
  const rows = await db.selectFrom('settings').selectAll().orderBy('position').execute();
  const shared = new Map<string, KeptSettings>();
  async function store(place: { workspace: string; company_key: string }, kept: KeptSettings): Promise<void> {
    const value = encryption.encrypt(stringify(kept), locations.setting(place));
    const { numUpdatedRows } = await db
      .updateTable('settings')
      .set({ value })
      .where((on) => on.and(place))
      .executeTakeFirst();
    if (numUpdatedRows === 0n)
      await db
        .insertInto('settings')
        .values({ ...place, value })
        .execute();
  }
  const opened = rows.flatMap(({ workspace, company_key, value }) => {
    const text = readable(() => encryption.decrypt(value, locations.setting({ workspace, company_key })));
    return text === undefined ? [] : [{ workspace, company_key, kept: parse(text) as KeptSettings }]; // as it was stored
  });
  for (const { workspace, company_key, kept } of opened) {
    const { currentScope: currentCompany, ...value } = kept.value;
    if (company_key === ofWorkspace) shared.set(workspace, { value: { ...value, currentCompany } });
  }
  const unreadable = new Set(rows.filter((row) => row.company_key === ofWorkspace).map(({ workspace }) => workspace));
  for (const { workspace, company_key, kept } of opened) {
    if (company_key === ofWorkspace || (unreadable.has(workspace) && !shared.has(workspace))) continue;
    const { companySigningKey, previousSigningKey, written: _written, ...own } = kept.value;
    const { organisationId = '', companyId = '', companyName } = own;
    const ofAll = shared.get(workspace) ?? { value: {} };
    const { current, previous } = keyNames(organisationId);
    if (organisationId === '') own['unprovedKey'] = companySigningKey;
    else {
      ofAll.value[current] ??= companySigningKey;
      ofAll.value[previous] ??= previousSigningKey;
      shared.set(workspace, ofAll);
    }
    await store({ workspace, company_key }, { value: { ...own, ...(companyName && { companyNameOf: companyId }) } });
  }
  for (const [workspace, kept] of shared) await store({ workspace, company_key: ofWorkspace }, kept);
}

/** Puts the mark of a file that was copied into the row that marks the store; it had a table of its own. */
async function keepCopyMark({ db, isPostgres }: Earlier): Promise<void> {
  await sql`alter table index_key add column copied_to text`.execute(db);
  if (isPostgres) return;
  const { rows } = await sql`select 1 from sqlite_master where type = 'table' and name = 'copied_to'`.execute(db);
  if (rows.length === 0) return;
  await sql`update index_key set copied_to = (select name from copied_to order by rowid desc limit 1)`.execute(db);
  await sql`drop table copied_to`.execute(db);
}

/** Names the records of a kind that release 0.1.0 has stored and nobody has looked up since: their names are ''. */
async function nameRecords<Value>({ db, encryption, tag }: Earlier, kind: RecordKind<Value>): Promise<void> {
  const quarantine = { decrypt: () => Promise.reject(new Error('a record is only named')) };
  const { namesOf } = recordRows(kind, { encryption, tag, quarantine });
  for (let after = 0; ;) {
    const rows = await db
      .selectFrom('records')
      .selectAll()
      .where((on) => on.and({ kind: kind.kind, name: '' }))
      .where('position', '>', after)
      .orderBy('position')
      .limit(batchSize)
      .execute();
    for (const row of rows) {
      const text = readable(() => encryption.decrypt(row.value, locations.record(row)));
      if (text === undefined) continue;
      const names = namesOf({ workspace: row.workspace, companyKey: row.company_key }, parse(text) as Value); // as it was stored
      await db.updateTable('records').set(names).where('position', '=', row.position).execute();
    }
    if (rows.length < batchSize) return;
    after = rows.at(-1)!.position; // not empty
  }
}
