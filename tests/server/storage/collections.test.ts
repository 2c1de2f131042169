import { describe, expect, it } from 'vitest';
import { ExactNumber } from '#contract/json.ts';
import type { Entry } from '#server/storage/collection.ts';
import type { Storage } from '#server/storage/open.ts';
import { engines, here, testStorage } from '#tests/support/storage.ts';

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
});
