import { describe, expect, it } from 'vitest';
import { ExactNumber } from '#contract/json.ts';
import { UnreadableError } from '#server/storage/errors.ts';
import type { Entry, Where } from '#server/storage/recordRows.ts';
import type { Storage } from '#server/storage/open.ts';
import { engines, here, tamper, testStorage } from '#tests/support/storage.ts';

interface Creditor {
  name: string;
  subscriptionId?: string;
  status?: string;
}

const creditorsIn = (storage: Storage) =>
  storage.collection<Creditor>({
    kind: 'creditors',
    columns: { subject: ({ subscriptionId }) => subscriptionId, state: ({ status }) => status },
  });

interface Person {
  name: string;
  nick?: string;
}

const peopleIn = (storage: Storage) =>
  storage.collection<Person>({ kind: 'people', columns: { name: ({ name }) => name, alias: ({ nick }) => nick } });

const idsOf = (entries: readonly Entry<unknown>[]) => entries.map(({ id }) => id);

async function all<Value>(entries: AsyncGenerator<Entry<Value>, void>): Promise<Entry<Value>[]> {
  const found = [];
  for await (const each of entries) found.push(each);
  return found;
}

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
    const amounts = storage.collection<{ amount: ExactNumber }>({ kind: 'amounts' });
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
    const counters = storage.collection<number>({ kind: 'counters' });
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
    for await (const { id } of creditors.iterate(here)) {
      seen.push(id);
      await creditors.remove(here, id);
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
    expect(idsOf(await all(creditors.iterate(here, { where: { subject: 's1' } })))).toEqual(['a', 'b']);
    expect(idsOf(await all(creditors.iterate(here, { where: { subject: 's1', state: 'waiting' } })))).toEqual(['a']);
    expect(await creditors.count(here)).toBe(4);
    expect(await creditors.count(here, { state: 'waiting' })).toBe(2);
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
    await creditors.clear(here);
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
    const creditors = await opened();
    await creditors.put(here, 'one', { name: 'here' });
    await creditors.put({ workspace: 'other', companyKey: '' }, 'one', { name: 'there' });
    expect(await creditors.locationsOf('one')).toEqual([here, { workspace: 'other', companyKey: '' }]);
    expect(await creditors.locationsOf('two')).toEqual([]);
  });

  it('finds a record by an id with control characters, quotes or no characters (threat 3.8)', async () => {
    const creditors = await opened();
    for (const id of ['a\u0000b', 'a\ud800b', '\u0000', 'a\nb', '\u202Ea', "a'b", 'a/b', '%', '']) {
      await creditors.put(here, id, { name: id });
      expect(await creditors.get(here, id)).toEqual({ name: id });
      expect(await creditors.locationsOf(id)).toEqual([here]);
      expect(await creditors.remove(here, id)).toBe(true);
    }
  });

  it('refuses a second declaration of its kind', async () => {
    const storage = await testStorage(await newDatabase());
    creditorsIn(storage);
    expect(() => creditorsIn(storage)).toThrow('the records of kind "creditors" are declared twice');
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
    expect(await people.positionOf(here, '2')).toBeLessThan((await people.positionOf(here, '3'))!);
    expect(await people.positionOf(here, '4')).toBeUndefined();
  });

  it('of an earlier version has its names once a record is looked up by one, whether read or counted first', async () => {
    for (const how of ['page', 'count'] as const) {
      const url = await newDatabase();
      const storage = await testStorage(url);
      const records = Array.from({ length: 120 }, (_, index): [string, Person] => [
        `${index}`,
        { name: index % 2 ? 'odd' : 'even', ...(index % 3 === 0 && { nick: 'third' }) },
      ]);
      await peopleIn(storage).putAll(here, records);
      await storage.close();
      await tamper(url, `update records set name = '', alias = null`);
      const people = peopleIn(await testStorage(url));
      if (how === 'page')
        expect(await people.page(here, { where: { alias: 'third' }, limit: 99 })).toMatchObject({
          entries: { length: 40 },
        });
      expect(await people.count(here, { name: 'odd' })).toBe(60);
      expect(await people.count(here, { name: 'even', alias: 'third' })).toBe(20);
    }
  });

  it('quarantines a damaged record of an earlier version that is looked up by a name, and finds the others', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    await peopleIn(storage).putAll(here, [
      ['1', { name: 'Ada' }],
      ['2', { name: 'Ada' }],
    ]);
    await storage.close();
    await tamper(url, `update records set name = '', value = case id when '1' then 'x' else value end`);
    const again = await testStorage(url);
    expect(idsOf((await peopleIn(again).page(here, { where: { name: 'Ada' }, limit: 9 })).entries)).toEqual(['2']);
    expect(await again.quarantine.list('w')).toMatchObject([{ id: '1' }]);
  });

  it('that is vital names of an earlier version only what has the other columns, and throws for a damaged one of them', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    const payments = (of: Storage) =>
      of.collection<Person>({
        kind: 'people',
        isVital: true,
        columns: { name: ({ name }) => name, state: ({ nick }) => nick },
      });
    await payments(storage).putAll(here, [
      ['1', { name: 'Ada', nick: 'done' }],
      ['2', { name: 'Ada', nick: 'open' }],
    ]);
    await storage.close();
    await tamper(url, `update records set name = '', value = case id when '1' then 'x' else value end`);
    const again = payments(await testStorage(url));
    expect(idsOf((await again.page(here, { where: { name: 'Ada', state: 'open' }, limit: 9 })).entries)).toEqual(['2']);
    await expect(again.page(here, { where: { name: 'Ada', state: 'done' }, limit: 9 })).rejects.toThrow(
      UnreadableError,
    );
  });
});
