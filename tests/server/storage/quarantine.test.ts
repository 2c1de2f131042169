import { describe, expect, it } from 'vitest';
import { UnreadableError } from '#server/storage/errors.ts';
import { collectionIn, engines, here, tamper, testStorage } from '#tests/support/storage.ts';

const tampered = `value = substr(value, 1, 40) || 'AAAA'`;

describe.each(engines)('An unreadable record on %s', (_, newDatabase) => {
  /** A database with three notes, of which this statement spoils some. */
  async function spoiled(statement: string): Promise<string> {
    const url = await newDatabase();
    const storage = await testStorage(url);
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    await notes.putAll(here, [
      ['one', '1'],
      ['two', '2'],
      ['three', '3'],
    ]);
    await storage.settings.of<string>(here.workspace).set('companyId', 'c');
    await storage.close();
    await tamper(url, statement);
    return url;
  }

  it('is quarantined when it is read, reported and listed, and the other records are returned (threat 2.18)', async () => {
    const url = await spoiled(`update records set ${tampered} where id = 'two'`);
    const errors: unknown[] = [];
    const storage = await testStorage(url, { errors });
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    expect((await notes.page(here, { limit: 9 })).entries.map(({ id }) => id)).toEqual(['one', 'three']);
    expect(errors).toEqual([expect.objectContaining({ name: 'UnreadableError', place: 'notes/w/c/two' })]);
    expect(await storage.quarantine.list('w')).toEqual([
      { kind: 'notes', ...here, id: 'two', at: expect.any(Number) as number },
    ]);
    expect(await storage.quarantine.list('v')).toEqual([]);
    expect(await storage.quarantine.count()).toBe(1);
    expect(await notes.count(here)).toBe(2);
    // The same id can be used again.
    expect(await notes.insert(here, 'two', 'again')).toBe(true);
    expect(await storage.quarantine.count()).toBe(1);
  });

  it('does not end a page early', async () => {
    const url = await spoiled(`update records set ${tampered} where id <> 'three'`);
    const notes = collectionIn<string>(await testStorage(url), { kind: 'notes' });
    const first = await notes.page(here, { limit: 2 });
    expect(first.entries).toEqual([]);
    expect((await notes.page(here, { limit: 2, after: first.next! })).entries).toMatchObject([{ id: 'three' }]);
  });

  it('is found by a sweep, before anything reads or counts it', async () => {
    const url = await spoiled(`update records set ${tampered} where id = 'two'`);
    const storage = await testStorage(url);
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    await storage.sweep([{ kind: 'notes' }]);
    expect(await storage.quarantine.count()).toBe(1);
    expect(await notes.count(here)).toBe(2);
  });

  it('beyond those that a sweep has read when it is ended stays for the next one', async () => {
    const url = await newDatabase();
    const first = await testStorage(url);
    const many = Array.from({ length: 200 }, (_, index): [string, string] => [`${index}`, 'text']);
    await collectionIn<string>(first, { kind: 'notes' }).putAll(here, many);
    await first.close();
    await tamper(url, `update records set ${tampered} where id in ('0', '199')`);
    const storage = await testStorage(url);
    const kinds = [{ kind: 'notes' }];
    await storage.sweep(kinds, AbortSignal.abort());
    expect((await storage.quarantine.list('w')).map(({ id }) => id)).toEqual(['0']);
    await storage.sweep(kinds);
    expect((await storage.quarantine.list('w')).map(({ id }) => id)).toEqual(['0', '199']);
  });

  it('stays in place and makes reads fail if it is vital, and is ignored if its kind is not swept', async () => {
    const url = await spoiled(`update records set ${tampered}`);
    const errors: unknown[] = [];
    const undeclared = await testStorage(url, { errors });
    await undeclared.sweep([]);
    expect(errors).toEqual([]);
    await undeclared.close();
    const storage = await testStorage(url, { errors });
    const vital = { kind: 'notes', isVital: true };
    const notes = collectionIn<string>(storage, vital);
    await storage.sweep([vital]);
    expect(errors).toHaveLength(3);
    for (let times = 0; times < 2; times += 1) {
      await expect(notes.get(here, 'one')).rejects.toThrow(UnreadableError);
      await expect(notes.page(here, { limit: 9 })).rejects.toThrow('notes/w/c/one');
    }
    expect(await storage.quarantine.count()).toBe(0);
  });

  it('of a setting makes reads fail, and is listed until it is written again as a whole', async () => {
    const url = await spoiled(`update settings set ${tampered}`);
    const storage = await testStorage(url);
    expect(await storage.settings.unreadable()).toEqual([]); // no sweep has run yet
    await storage.sweep([]);
    for (let times = 0; times < 2; times += 1) {
      expect(await storage.settings.unreadable()).toEqual(['settings/w/companyId']);
      await expect(storage.settings.of(here.workspace).get('companyId')).rejects.toThrow(UnreadableError);
    }
    await storage.settings.of<string>(here.workspace).set('companyId', 'again');
    expect(await storage.settings.unreadable()).toEqual([]);
  });
});
