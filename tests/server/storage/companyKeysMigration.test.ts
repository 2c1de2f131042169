import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DatabaseError } from '#server/storage/errors.ts';
import type { Storage } from '#server/storage/open.ts';
import { tableNames } from '#server/storage/schema.ts';
import {
  asEarlierRow,
  earlierDatabase,
  engines,
  here,
  insertEarlier,
  payer,
  tamper,
  testDatabase,
  testStorage,
} from '#tests/support/storage.ts';

const other = { ...here, companyKey: 'd' };
const kind = { kind: 'notes', columns: { subject: (note: string) => note.slice(0, 1) } };
const notesIn = (storage: Storage) => storage.collection<string>(kind);

/** Writes rows of every table that has a location; one record is quarantined. */
async function fill(url: string): Promise<void> {
  const storage = await testStorage(url);
  await notesIn(storage).putAll(here, [
    ['one', 'a 1'],
    ['two', 'a 2'],
    ['three', 'b'],
    ['damaged', 'a 3'],
  ]);
  await notesIn(storage).put(other, 'one', 'a of the other');
  await storage.settings.of(here.workspace).set(here.companyKey, { companyId: 'id' });
  await storage.settings.of(here.workspace).set('', { useMock: 'true' });
  const keys = storage.idempotencyKeys;
  await keys.claim(here, 'done', 'print');
  await keys.complete(here, 'done', 'response');
  await keys.claim(here, 'open', 'print');
  await storage.paidInvoices.reserve(payer, { key: 'done', identities: ['invoice'], sums: ['sum'] });
  await storage.paidInvoices.reserve(payer, { key: 'again', identities: ['invoice'], reason: 'paid by hand' });
  await storage.close();
  await tamper(url, `insert into earlier_companies (workspace, company_key, owner) values ('w', 'earlier', '')`);
  await tamper(url, `update records set value = 'x' where id = 'damaged'`);
  const again = await testStorage(url);
  expect(await notesIn(again).get(here, 'damaged')).toBeUndefined();
  await again.close();
}

/** Makes a database as version 0.2.0 or a later one has left it before the migration, with the same rows. */
async function earlierCopy(from: string, to: string, last: string): Promise<void> {
  const present = await testDatabase(from);
  const { value } = await present.read((db) => db.selectFrom('index_key').selectAll().executeTakeFirstOrThrow());
  const earlier = await earlierDatabase(to, last, value);
  for (const table of tableNames.filter((name) => name !== 'index_key'))
    for (const row of await present.read((db) => db.selectFrom(table).selectAll().orderBy('position').execute()))
      await insertEarlier(earlier, table, asEarlierRow(row));
  await earlier.close();
  await present.close();
}

/** The texts of all that the tables consist of, columns and triggers included. */
const definitions = (isShared: boolean) =>
  isShared
    ? sql<{ text: string }>`
        select table_name || '.' || column_name as text from information_schema.columns where table_schema = current_schema()
        union all select indexdef from pg_indexes where schemaname = current_schema()
        union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
        union all select pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace`
    : sql<{ text: string }>`select sql as text from sqlite_master where sql is not null`;

describe.each(engines)('A store with the former names of company keys on %s', (_, newDatabase) => {
  it.each(['006 settings in one value', '007 counts of records'])(
    'as %s left it has all its rows afterwards, encrypted values and tags included',
    async (last) => {
      const [from, url] = [await newDatabase(), await newDatabase()];
      await fill(from);
      await earlierCopy(from, url, last);
      for (let start = 0; start < 2; start += 1) {
        const storage = await testStorage(url);
        const notes = notesIn(storage);
        expect((await notes.page(here, { limit: 9, where: { subject: 'a' } })).entries).toMatchObject([
          { id: 'one', value: 'a 1' },
          { id: 'two', value: 'a 2' },
        ]);
        expect(await notes.get(other, 'one')).toBe('a of the other');
        expect(await notes.locationsOf('one')).toEqual([here, other]);
        expect(await storage.settings.companies('w')).toEqual([['c', { companyId: 'id' }]]);
        expect(await storage.settings.of('w').get('')).toEqual({ useMock: 'true' });
        const { idempotencyKeys: keys, paidInvoices } = storage;
        expect(await keys.claim(here, 'done', 'print')).toEqual({ state: 'completed', response: 'response' });
        expect(await keys.claim(here, 'open', 'print')).toMatchObject({ state: 'inDoubt' });
        expect(await paidInvoices.covering(payer, ['invoice'])).toMatchObject([
          { ...here, key: 'done' },
          { ...here, key: 'again' },
        ]);
        expect(await paidInvoices.reserve(payer, { key: 'third', identities: ['invoice'] })).toHaveLength(2);
        expect(await paidInvoices.undecided(payer, ['sum'])).toMatchObject([{ ...here, key: 'done' }]);
        expect(await paidInvoices.unowned()).toEqual([{ workspace: 'w', companyKey: 'earlier' }]);
        expect(await storage.quarantine.list('w')).toMatchObject([{ ...here, id: 'damaged' }]);
        await storage.close();
      }
    },
  );

  it('counts records as before by its triggers, whatever is written afterwards', async () => {
    const [from, url] = [await newDatabase(), await newDatabase()];
    await fill(from);
    await earlierCopy(from, url, '007 counts of records');
    const storage = await testStorage(url);
    const notes = notesIn(storage);
    const counts = async () => [
      ...[await notes.count(here), await notes.count(other)],
      ...(await notes.countBySubject(here, ['a', 'b', 'c'])).values(),
    ];
    expect(await counts()).toEqual([3, 1, 2, 1, 0]);
    await notes.put(here, 'two', 'b instead');
    expect(await counts()).toEqual([3, 1, 1, 2, 0]);
    await notes.putAll(here, [
      ['four', 'c'],
      ['one', 'c'],
    ]);
    expect(await counts()).toEqual([4, 1, 0, 2, 2]);
    await notes.removeAll(here, ['three', 'four']);
    await storage.removeCompany(other);
    expect(await counts()).toEqual([2, 0, 0, 1, 1]);
    await storage.close();
    // Also the location of a record may change, by hand.
    await tamper(url, `update records set company_key = 'd' where id = 'two'`);
    const rows = await (
      await testDatabase(url)
    ).read((db) => db.selectFrom('record_counts').select(['company_key', 'number']).orderBy('company_key').execute());
    expect(rows.map((row) => `${row.number} of ${row.company_key}`)).toEqual(['1 of c', '1 of c', '1 of d', '1 of d']);
  });

  it('names no column, index, trigger or function by the former name afterwards', async () => {
    const url = await newDatabase();
    const database = await testDatabase(url);
    const { rows } = await database.read((db) => definitions(database.isShared).execute(db));
    const texts = rows.map(({ text }) => text);
    expect(texts.filter((text) => text.includes('company_key'))).not.toEqual([]);
    expect(texts.filter((text) => /\bcompany\b/.test(text))).toEqual([]);
  });

  it('refuses what a server of an earlier version would write before it sends a payment (threat 7.16)', async () => {
    const database = await testDatabase(await newDatabase());
    const claim = { workspace: 'w', company: 'c', key: 'key', turn: 1, fingerprint: 'print', claimed_at: 1 };
    await expect(insertEarlier(database, 'idempotency_keys', claim)).rejects.toThrow(DatabaseError);
    const invoice = {
      workspace: 'w',
      company: 'c',
      identity: 'i',
      idempotency_key: 'key',
      batch_id: '',
      reserved_at: 1,
    };
    await expect(insertEarlier(database, 'invoice_payments', invoice)).rejects.toThrow(DatabaseError);
  });
});
