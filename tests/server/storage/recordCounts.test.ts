import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  asEarlierRow,
  earlierDatabase,
  engines,
  here,
  insertEarlier,
  tamper,
  testDatabase,
  testStorage,
} from '#tests/support/storage.ts';

const kind = { kind: 'notes', columns: { subject: (note: string) => (note === '' ? undefined : note) } };
const subjects = ['', 'a', 'b', 'c'];

/** A repeatable series of numbers from 0 to below `most`. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
}

describe.each(engines)('The counts of records on %s', (_, newDatabase) => {
  it.each([1, 2, 3])('are those of the rows after any writes, also failed ones (series %i)', async (seed) => {
    const storage = await testStorage(await newDatabase());
    const next = numbers(seed);
    const places = [here, { ...here, companyKey: 'd' }];
    const notes = storage.collection<string>(kind);
    const others = storage.collection<string>({ kind: 'others', columns: kind.columns });
    const all = () => [notes, others][next(2)]!;
    const at = () => places[next(2)]!;
    const id = () => `${next(12)}`;
    const subject = () => subjects[next(4)]!;
    const steps = [
      () => all().put(at(), id(), subject()),
      () =>
        all().putAll(
          at(),
          Array.from({ length: next(150) }, () => [id(), subject()] as const),
        ),
      () => all().insert(at(), id(), subject()),
      () => all().change(at(), id(), () => subject()),
      () => all().remove(at(), id()),
      () => all().removeAll(at(), [id(), id(), id()]),
      () => (next(4) === 0 ? all().clear(at()) : undefined),
      () => (next(6) === 0 ? storage.removeCompany(places[1]!) : undefined),
      () =>
        storage
          .transaction('w', async () => {
            await all().put(at(), id(), subject());
            await all().clear(at());
            throw new Error('on purpose');
          })
          .catch(() => undefined),
    ];
    for (let turn = 0; turn < 60; turn += 1) await steps[next(steps.length)]!();
    for (const each of [notes, others])
      for (const place of places) {
        const found: string[] = [];
        for await (const { value } of each.iterate(place)) found.push(value);
        expect(await each.count(place)).toBe(found.length);
        const expected = subjects.slice(1).map((name) => [name, found.filter((value) => value === name).length]);
        expect([...(await each.countBySubject(place, subjects.slice(1)))]).toEqual(expected);
        for (const [name, count] of expected as [string, number][])
          expect(await each.count(place, { subject: name })).toBe(count);
      }
  });

  it('include the records of an earlier version, and lose those that are quarantined', async () => {
    const url = await newDatabase();
    const before = await testStorage(url);
    await before.collection<string>(kind).putAll(here, [
      ['one', 'a'],
      ['two', 'a'],
      ['three', ''],
    ]);
    const rows = await testRows(url, before.close);
    const earlier = await newDatabase();
    const database = await earlierDatabase(earlier, '006 settings in one value', rows.indexKey);
    for (const row of rows.records) await insertEarlier(database, 'records', asEarlierRow(row));
    await database.close();
    const storage = await testStorage(earlier);
    const notes = storage.collection<string>(kind);
    expect([await notes.count(here), await notes.count(here, { subject: 'a' })]).toEqual([3, 2]);
    await storage.close();
    await tamper(earlier, `update records set value = 'x' where id = 'two'`);
    const after = (await testStorage(earlier)).collection<string>(kind);
    expect(await after.get(here, 'two')).toBeUndefined();
    expect([await after.count(here), await after.count(here, { subject: 'a' })]).toEqual([2, 1]);
  });

  it('that have come to 0 are removed, so that nothing names a removed company', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    const notes = storage.collection<string>(kind);
    await notes.putAll(here, [
      ['one', 'a'],
      ['two', 'b'],
    ]);
    await notes.put(here, 'two', 'a');
    await notes.removeAll(here, ['one', 'two']);
    await notes.put({ ...here, companyKey: 'd' }, 'one', 'a');
    await storage.removeCompany({ ...here, companyKey: 'd' });
    await storage.close();
    const { read } = await testDatabase(url);
    expect(await read((db) => db.selectFrom('record_counts').selectAll().execute())).toEqual([]);
  });

  it('of writes at the same time are those of the rows', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    const storages = [storage, ...(storage.isShared ? [await testStorage(url)] : [])];
    await Promise.all(
      Array.from({ length: 40 }, (__, index) =>
        storages[index % storages.length]!.collection<string>(kind).putAll(
          here,
          Array.from({ length: 5 }, (___, each) => [`${index % 20}-${each}`, subjects[(index + each) % 4]!] as const),
        ),
      ),
    );
    expect(await storage.collection<string>(kind).count(here)).toBe(100);
    const { rows } = await (
      await (storage.isShared ? testDatabase(url) : storage.close().then(() => testDatabase(url)))
    ).read((db) =>
      sql<{ subject: string; number: number; found: number }>`select subject, number,
        (select count(*) from records where record_counts.subject in ('', records.subject)) as found
        from record_counts order by subject`.execute(db),
    );
    for (const { number, found } of rows) expect(number).toBe(found);
  });
});

/** The rows of a database and the key of its tags. */
async function testRows(url: string, close: () => Promise<void>) {
  await close();
  const { read } = await testDatabase(url);
  const [{ value: indexKey }] = (await read((db) => db.selectFrom('index_key').select('value').execute())) as [
    { value: string },
  ]; // there is one
  const records = await read((db) =>
    db.selectFrom('records').select(['kind', 'workspace', 'company_key', 'id', 'value', 'subject', 'state']).execute(),
  );
  return { indexKey, records };
}
