import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DatabaseError } from '#server/storage/errors.ts';
import { collectionIn, engines, here, temporaryFile, testStorage } from '#tests/support/storage.ts';
import { takeWaitingTransactions } from '#tests/support/transactions.ts';

describe.each(engines)('A transaction on %s', (_, newDatabase) => {
  async function opened() {
    const url = await newDatabase();
    const storage = await testStorage(url);
    return {
      url,
      storage,
      notes: collectionIn<string>(storage, { kind: 'notes' }),
      counters: collectionIn<number>(storage, { kind: 'counters' }),
    };
  }

  it('stores all of its writes, or none after an error, and reads its own writes', async () => {
    const { storage, notes } = await opened();
    await storage.transaction('w', async () => {
      await notes.put(here, 'one', 'stored');
      await storage.settings.of<string>(here.workspace).set('companyId', 'stored');
      expect(await notes.get(here, 'one')).toBe('stored');
    });
    const failing = storage.transaction('w', async () => {
      await notes.put(here, 'one', 'undone');
      await notes.put(here, 'two', 'undone');
      await storage.settings.of<string>(here.workspace).set('companyId', 'undone');
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await notes.get(here, 'one')).toBe('stored');
    expect(await notes.get(here, 'two')).toBeUndefined();
    expect(await storage.settings.of<string>(here.workspace).get('companyId')).toBe('stored');
  });

  it('includes nested writes and transactions of the same lock, however deep', async () => {
    const { storage, notes } = await opened();
    const deep = async () => {
      await Promise.all([notes.put(here, 'one', 'undone'), notes.put(here, 'two', 'undone')]);
      await storage.transaction('w', () => notes.put(here, 'three', 'undone'));
    };
    const failing = storage.transaction('w', async () => {
      await deep();
      expect(await notes.count(here)).toBe(3);
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await notes.count(here)).toBe(0);
  });

  it('is invisible to other readers before its commit', async () => {
    const { storage, notes } = await opened();
    const seen: (string | undefined)[] = [];
    let reading: Promise<void> | undefined;
    const read = async () => void seen.push(await notes.get(here, 'one'));
    const start = () => (reading = read());
    const written = storage.transaction('w', async () => {
      await notes.put(here, 'one', 'undone');
      await wait(50);
      throw new Error('on purpose');
    });
    await wait(20);
    void start();
    await expect(written).rejects.toThrow('on purpose');
    await reading;
    expect(seen).toEqual([undefined]);
    expect(takeWaitingTransactions()).toHaveLength(storage.isShared ? 0 : 1);
  });

  it('is serialised with others of the same lock, so that no update is lost', async () => {
    const { url, counters, storage } = await opened();
    const all = [{ storage, counters }];
    if (storage.isShared) {
      const other = await testStorage(url);
      all.push({ storage: other, counters: collectionIn<number>(other, { kind: 'counters' }) });
    }
    await counters.put(here, 'one', 0);
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const each = all[index % all.length]!; // not empty
        return each.storage.transaction('w', async () => {
          const before = await each.counters.get(here, 'one');
          await each.counters.put(here, 'one', before! + 1);
        });
      }),
    );
    expect(await counters.get(here, 'one')).toBe(20);
  });

  it('is rolled back if one of its statements failed, also if the error was caught', async () => {
    const { storage, notes } = await opened();
    const sessions = storage.sessions<string>();
    const begin = () => sessions.begin('the same key', { value: 'v', startedAt: 0, usedAt: 0 });
    await begin();
    const failing = storage.transaction('w', async () => {
      await notes.put(here, 'one', 'undone');
      await begin().catch(() => undefined);
    });
    await expect(failing).rejects.toThrow(DatabaseError);
    expect(await notes.get(here, 'one')).toBeUndefined();
  });

  it('does not include work that continues after its end', async () => {
    const { storage, notes } = await opened();
    let later: Promise<void> | undefined;
    const failing = storage.transaction('w', async () => {
      await notes.put(here, 'one', 'undone');
      later = wait(30).then(() => notes.put(here, 'two', 'stored'));
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await later;
    expect(await notes.get(here, 'two')).toBe('stored');
  });

  it('refuses to take a lock or to start a transaction of another lock, which could deadlock', async () => {
    const { storage } = await opened();
    await expect(storage.transaction('w', () => storage.withLock('name', () => Promise.resolve()))).rejects.toThrow(
      'the lock "name" cannot be taken within a transaction',
    );
    await expect(storage.transaction('w', () => storage.transaction('other', () => Promise.resolve()))).rejects.toThrow(
      'a transaction of "other" cannot be part of one of "w"',
    );
  });

  it('publishes notifications after its commit, and none after a rollback', async () => {
    const { storage, notes } = await opened();
    const heard: unknown[] = [];
    storage.subscribe('notes', (message) => heard.push(message));
    await storage.transaction('w', async () => {
      await notes.put(here, 'one', 'stored');
      await storage.publish('notes', 'one');
      expect(heard).toEqual([]);
    });
    const failing = storage.transaction('w', async () => {
      await storage.publish('notes', 'two');
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(heard).toEqual([{ id: 'one' }]);
  });
});

const hash = () => crypto.subtle.digest('SHA-256', Buffer.alloc(1024));

describe('A transaction on SQLite', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['the next turn', () => new Promise((resolve) => setImmediate(resolve))],
    ['a timer', () => wait(1)],
    ['a file', () => readFile('package.json')],
    ['hashes made by another thread', () => hash().then(hash)], // the turn ends between the two
  ])('that waits for %s is reported to the tests', async (_, waits) => {
    const storage = await testStorage(await temporaryFile());
    await storage.transaction('w', waits);
    expect(takeWaitingTransactions()).toMatchObject([
      { message: 'a transaction of "w" waits for something else than the database' },
    ]);
  });

  it('of thousands of records, read and written, waits for nothing but the database', async () => {
    const storage = await testStorage(await temporaryFile());
    const notes = storage.records<string>({ kind: 'notes', columns: { state: (note) => note } }, here);
    await storage.transaction('w', async () => {
      await notes.putAll(Array.from({ length: 1000 }, (_, index) => [`${index}`, `${index % 2}`]));
      expect(await notes.list()).toHaveLength(1000);
      for await (const note of notes.newest({ state: '1' })) expect(note).toBe('1');
      await notes.removeAll(Array.from({ length: 900 }, (_, index) => `${index}`));
    });
    expect(await notes.count()).toBe(100);
    expect(takeWaitingTransactions()).toEqual([]);
  });

  it.each([
    ['ends with success', () => undefined],
    [
      'fails',
      () => {
        throw new Error('on purpose');
      },
    ],
  ])(
    'that is long and %s lets other work have its turn before those that wait, and before its caller',
    async (_, end) => {
      const storage = await testStorage(await temporaryFile());
      const notes = storage.records<string>({ kind: 'notes' }, here);
      let turns = 0;
      const counting = setInterval(() => (turns += 1));
      const seen: number[] = [];
      const long = (lock: string) =>
        storage.transaction(lock, async () => {
          seen.push(turns);
          await notes.putAll(Array.from({ length: 2000 }, (_, index) => [`${index}`, lock.repeat(100)]));
          end();
        });
      const goOn = () => {
        seen.push(turns);
        for (const until = performance.now() + 5; performance.now() < until;); // takes its turn as a transaction does
      };
      await Promise.all(['v', 'w', 'x'].map((lock) => long(lock).then(goOn, goOn)));
      clearInterval(counting);
      expect(new Set(seen).size).toBe(6);
      expect(takeWaitingTransactions()).toEqual([]);
    },
  );
});

describe('A deadlock on PostgreSQL', () => {
  it('is resolved by running one transaction again, so that both are stored', async () => {
    const url = await engines[1][1]();
    const storage = await testStorage(url);
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    await notes.putAll(here, [
      ['a', ''],
      ['b', ''],
    ]);
    let runs = 0;
    let haveBoth = (): void => undefined;
    const bothHaveOne = new Promise<void>((resolve) => (haveBoth = resolve));
    const both = (lock: string, first: string, second: string) =>
      storage.transaction(lock, async () => {
        runs += 1;
        await notes.put(here, first, lock);
        if (runs === 2) haveBoth();
        await bothHaveOne;
        await notes.put(here, second, lock);
      });
    await Promise.all([both('one', 'a', 'b'), both('two', 'b', 'a')]);
    expect(runs).toBe(3);
    expect(await notes.get(here, 'a')).toBe(await notes.get(here, 'b'));
  });
});
