import { describe, expect, it } from 'vitest';
import { ExactNumber } from '#contract/json.ts';
import type { Entry, Where } from '#server/storage/recordRows.ts';
import type { Storage } from '#server/storage/open.ts';
import type { RecordKind } from '#server/storage/records.ts';
import { collectionIn, engines, here, testStorage } from '#tests/support/storage.ts';

interface Creditor {
  name: string;
  subscriptionId?: string;
  status?: string;
}

const creditorsIn = (storage: Storage) =>
  collectionIn<Creditor>(storage, {
    kind: 'creditors',
    columns: { subject: ({ subscriptionId }) => subscriptionId, state: ({ status }) => status },
  });

interface Person {
  name: string;
  nick?: string;
}

const peopleIn = (storage: Storage) =>
  collectionIn<Person>(storage, { kind: 'people', columns: { name: ({ name }) => name, alias: ({ nick }) => nick } });

const idsOf = (entries: readonly Entry<unknown>[]) => entries.map(({ id }) => id);

const notes: RecordKind<string> = { kind: 'notes' };

describe.each(engines)('A collection on %s', (_, newDatabase) => {
  const opened = async () => creditorsIn(await testStorage(await newDatabase()));

  it('returns the latest value of a record, also after a restart, and nothing at another location', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    const creditors = creditorsIn(storage);
    expect(await creditors.get(here, 'one')).toBeUndefined();
    await creditors.put(here, 'one', { name: 'first' });
    await creditors.put(here, 'one', { name: 'Ünïcode "quoted"' });
    await storage.close();
    const again = creditorsIn(await testStorage(url));
    expect(await again.get(here, 'one')).toEqual({ name: 'Ünïcode "quoted"' });
    expect(await again.get({ ...here, companyKey: 'other' }, 'one')).toBeUndefined();
    expect(await again.get({ ...here, workspace: 'other' }, 'one')).toBeUndefined();
    expect(await again.get(here, 'ONE')).toBeUndefined();
  });

  it('keeps all digits of numbers', async () => {
    const storage = await testStorage(await newDatabase());
    const amounts = collectionIn<{ amount: ExactNumber }>(storage, { kind: 'amounts' });
    await amounts.put(here, 'one', { amount: new ExactNumber('120.50') });
    expect(await amounts.get(here, 'one')).toEqual({ amount: new ExactNumber('120.50') });
  });

  it('inserts a record once by 20 concurrent inserts', async () => {
    const creditors = await opened();
    const wins = await Promise.all(
      Array.from({ length: 20 }, (_, index) => creditors.insert(here, 'one', { name: String(index) })),
    );
    expect(wins.filter(Boolean)).toHaveLength(1);
    expect((await creditors.get(here, 'one'))?.name).toBe(String(wins.indexOf(true)));
  });

  it('loses none of 20 concurrent changes of a record', async () => {
    const storage = await testStorage(await newDatabase());
    const counters = collectionIn<number>(storage, { kind: 'counters' });
    await counters.put(here, 'one', 0);
    await Promise.all(Array.from({ length: 20 }, () => counters.change(here, 'one', (before) => before + 1)));
    expect(await counters.get(here, 'one')).toBe(20);
    expect(await counters.change(here, 'one', () => undefined)).toBeUndefined();
    expect(await counters.change(here, 'unknown', (before) => before + 1)).toBeUndefined();
    expect(await counters.get(here, 'one')).toBe(20);
  });

  it('pages in order of insertion, ascending or descending, whatever was updated', async () => {
    const creditors = await opened();
    const ids = Array.from({ length: 7 }, (_, index) => `id ${index}`);
    await creditors.putAll(
      here,
      ids.map((id) => [id, { name: id }]),
    );
    await creditors.put(here, 'id 0', { name: 'changed' });
    const first = await creditors.page(here, { limit: 3 });
    const second = await creditors.page(here, { limit: 3, after: first.next! });
    const third = await creditors.page(here, { limit: 3, after: second.next! });
    expect([first, second, third].flatMap(({ entries }) => idsOf(entries))).toEqual(ids);
    expect(third.next).toBeUndefined();
    const latest = await creditors.page(here, { limit: 4, order: 'desc' });
    const rest = await creditors.page(here, { limit: 4, order: 'desc', after: latest.next! });
    expect([...idsOf(latest.entries), ...idsOf(rest.entries)]).toEqual(ids.toReversed());
  });

  it('iterates over more records than a page holds, also while they are removed', async () => {
    const creditors = await opened();
    const ids = Array.from({ length: 450 }, (_, index) => `id ${index}`);
    await creditors.putAll(
      here,
      ids.map((id) => [id, { name: id }]),
    );
    const seen: string[] = [];
    for await (const { name } of creditors.earliest(here)) {
      seen.push(name);
      await creditors.remove(here, name);
    }
    expect(seen).toEqual(ids);
    expect(await creditors.count(here)).toBe(0);
  });

  it('finds and counts records by their current subject and state (behaviour 3.8)', async () => {
    const creditors = await opened();
    await creditors.putAll(here, [
      ['a', { name: 'a', subscriptionId: 's1', status: 'waiting' }],
      ['b', { name: 'b', subscriptionId: 's1', status: 'done' }],
      ['c', { name: 'c', subscriptionId: 's2', status: 'waiting' }],
      ['d', { name: 'd' }],
    ]);
    await creditors.put({ ...here, companyKey: 'other' }, 'e', { name: 'e', subscriptionId: 's1' });
    expect((await creditors.list(here, { subject: 's1' })).map(({ name }) => name)).toEqual(['a', 'b']);
    expect((await creditors.list(here, { subject: 's1', state: 'waiting' })).map(({ name }) => name)).toEqual(['a']);
    expect(await creditors.count(here)).toBe(4);
    expect(await creditors.count(here, {}, 3)).toBe(3);
    expect(await creditors.count(here, { state: 'waiting' })).toBe(2);
    expect(await creditors.count(here, { state: 'waiting' }, 1)).toBe(1);
    await creditors.change(here, 'a', (before) => ({ ...before, status: 'done' }));
    await creditors.put(here, 'c', { name: 'c' });
    expect(await creditors.count(here, { state: 'waiting' })).toBe(0);
    expect(await creditors.count(here, { subject: 's2' })).toBe(0);
  });

  it('counts records by subject, at its location only', async () => {
    const creditors = await opened();
    await creditors.putAll(here, [
      ['a', { name: 'a', subscriptionId: 's1' }],
      ['b', { name: 'b', subscriptionId: 's1' }],
      ['c', { name: 'c', subscriptionId: 's2' }],
      ['d', { name: 'd' }],
    ]);
    await creditors.put({ ...here, companyKey: 'other' }, 'e', { name: 'e', subscriptionId: 's1' });
    expect(Object.fromEntries(await creditors.countBySubject(here, ['s1', 's3']))).toEqual({ s1: 2, s3: 0 });
    expect(await creditors.countBySubject(here, [])).toEqual(new Map());
  });

  it('removes one, several or all records of a location', async () => {
    const creditors = await opened();
    await creditors.putAll(
      here,
      ['a', 'b', 'c', 'd'].map((id) => [id, { name: id }]),
    );
    await creditors.put({ ...here, companyKey: 'other' }, 'a', { name: 'a' });
    expect([await creditors.remove(here, 'a'), await creditors.remove(here, 'a')]).toEqual([true, false]);
    await creditors.removeAll(here, ['b', 'unknown']);
    expect(idsOf((await creditors.page(here, { limit: 9 })).entries)).toEqual(['c', 'd']);
    await creditors.removeAll(here, ['c', 'd']);
    expect(await creditors.count(here)).toBe(0);
    expect(await creditors.count({ ...here, companyKey: 'other' })).toBe(1);
  });

  it('stores the last of several values with one id, and accepts empty lists', async () => {
    const creditors = await opened();
    await creditors.putAll(here, [
      ['a', { name: 'first' }],
      ['a', { name: 'last' }],
    ]);
    await creditors.putAll(here, []);
    await creditors.removeAll(here, []);
    expect(await creditors.get(here, 'a')).toEqual({ name: 'last' });
    expect(await creditors.count(here)).toBe(1);
  });

  it('returns all locations of records with an id', async () => {
    const storage = await testStorage(await newDatabase());
    const other = { workspace: 'other', companyKey: '' };
    await storage.records(notes, here).put('one', 'here');
    await storage.records(notes, other).put('one', 'there');
    const collection = storage.collection(notes);
    expect(await collection.locationsOf('one')).toEqual([here, other]);
    expect(await collection.locationsOf('two')).toEqual([]);
    expect(await collection.anywhere('one')).toEqual([
      { workspace: 'w', value: 'here' },
      { workspace: 'other', value: 'there' },
    ]);
  });

  it('finds a record by an id with control characters, quotes or no characters (threat 3.8)', async () => {
    const storage = await testStorage(await newDatabase());
    const records = storage.records(notes, here);
    for (const id of ['a\u0000b', 'a\ud800b', '\u0000', 'a\nb', '\u202Ea', "a'b", 'a/b', '%', '']) {
      await records.put(id, 'text');
      expect(await records.get(id)).toBe('text');
      expect(await storage.collection(notes).locationsOf(id)).toEqual([here]);
      expect(await records.remove(id)).toBe(true);
    }
  });

  it('refuses a second declaration of its kind', async () => {
    const storage = await testStorage(await newDatabase());
    storage.records({ kind: 'notes' }, here);
    expect(() => storage.records({ kind: 'notes' }, here)).toThrow('the records of kind "notes" are declared twice');
  });

  it('finds records by each of two names, at their location only, and counts them', async () => {
    const storage = await testStorage(await newDatabase());
    const people = peopleIn(storage);
    await people.putAll(here, [
      ['1', { name: 'Ada', nick: 'a' }],
      ['2', { name: 'Bob' }],
      ['3', { name: 'Ada', nick: 'b' }],
    ]);
    await people.put({ ...here, companyKey: 'other' }, '4', { name: 'Ada', nick: 'a' });
    const idsBy = async (where: Where) => idsOf((await people.page(here, { where, limit: 9 })).entries);
    expect(await idsBy({ name: 'Ada' })).toEqual(['1', '3']);
    expect(await idsBy({ alias: 'a' })).toEqual(['1']);
    expect(await idsBy({ name: 'Ada', alias: 'b' })).toEqual(['3']);
    expect(await idsBy({ name: 'ada' })).toEqual([]);
    await people.change(here, '1', () => ({ name: 'Eve' }));
    await people.put(here, '2', { name: 'Ada' });
    expect(await idsBy({ name: 'Ada' })).toEqual(['2', '3']);
    expect([await people.count(here, { name: 'Ada' }), await people.count(here, { alias: 'a' })]).toEqual([2, 0]);
  });
});
