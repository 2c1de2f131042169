import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import type { Notification } from '#server/storage/notifications.ts';
import { eventually } from '#tests/support/eventually.ts';
import { statement } from '#tests/support/postgres.ts';
import { engines, testStorage } from '#tests/support/storage.ts';

const cutAll = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

describe.each(engines)('Locks on %s', (_, newDatabase) => {
  it('run one function per name at a time on all servers, different names concurrently, also after an error', async () => {
    const url = await newDatabase();
    const storages = [await testStorage(url), ...(isSharedUrl(url) ? [await testStorage(url)] : [])];
    let running = 0;
    let most = 0;
    const work = (index: number) =>
      storages[index % storages.length]!.withLock('name', async () => {
        running += 1;
        most = Math.max(most, running);
        await wait(5);
        running -= 1;
        if (index === 2) throw new Error('on purpose');
        return index;
      });
    const results = await Promise.allSettled(Array.from({ length: 8 }, (__, index) => work(index)));
    expect(most).toBe(1);
    expect(results.map(({ status }) => status).filter((status) => status === 'fulfilled')).toHaveLength(7);
    const beside = storages[0]!.withLock('name', () => storages[0]!.withLock('other', () => Promise.resolve('both')));
    expect(await beside).toBe('both');
  });

  it('are acquired by one tryLock at a time, and again after their release', async () => {
    const { tryLock } = await testStorage(await newDatabase());
    const release = await tryLock('name');
    expect(await tryLock('name')).toBeUndefined();
    await release!();
    expect(await tryLock('name')).toBeDefined();
  });
});

describe.each(engines)('Notifications on %s', (_, newDatabase) => {
  it('reach the subscribers of their topic on all servers once, until they unsubscribe', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    const others = isSharedUrl(url) ? [await testStorage(url)] : [];
    const heard = [storage, ...others].map((each) => {
      const ids: Notification[] = [];
      const end = each.subscribe('topic', (message) => ids.push(message));
      each.subscribe('other', () => expect.unreachable());
      return { ids, end };
    });
    await storage.publish('topic', 'one');
    await eventually(() => expect(heard.map(({ ids }) => ids)).toEqual(heard.map(() => [{ id: 'one' }])));
    heard[0]!.end();
    await storage.publish('topic', 'two');
    expect(heard[0]!.ids).toEqual([{ id: 'one' }]);
  });
});

describe('A database session on PostgreSQL', () => {
  const newDatabase = engines[1][1];

  it('that is cut causes gaps before and after reconnecting, and notifications resume', async () => {
    const url = await newDatabase();
    const errors: unknown[] = [];
    const [one, other] = [await testStorage(url, { errors }), await testStorage(url, { errors })];
    const heard: Notification[] = [];
    one.subscribe('topic', (message) => heard.push(message));
    await statement(url, cutAll);
    await eventually(() => expect(heard.filter((each) => 'gap' in each).length).toBeGreaterThan(1));
    await eventually(async () => {
      await other.publish('topic', 'one');
      expect(heard).toContainEqual({ id: 'one' });
    });
  });

  it('that is cut regains its locks, unless they were released', async () => {
    const url = await newDatabase();
    const [one, other] = [await testStorage(url), await testStorage(url)];
    const release = await one.tryLock('kept');
    await statement(url, cutAll);
    expect(await one.tryLock('another')).toBeDefined();
    expect(await other.tryLock('kept')).toBeUndefined();
    await release!();
    expect(await other.tryLock('kept')).toBeDefined();
  });

  it('that is cut keeps no lock that is released while it is made again', async () => {
    const url = await newDatabase();
    const [one, other] = [await testStorage(url), await testStorage(url)];
    const names = Array.from({ length: 200 }, (_, index) => `lock ${index}`);
    const released: Promise<void>[] = [];
    const releases = new Map<string, () => Promise<void>>();
    for (const [index, name] of names.entries())
      releases.set(
        name,
        (await one.tryLock(name, () => {
          released.push(wait(index * 2).then(() => releases.get(name)!())); // taken before
        }))!,
      );
    await statement(url, cutAll);
    await eventually(() => expect(released).toHaveLength(names.length));
    await Promise.all(released);
    expect(await one.tryLock('another')).toBeDefined();
    const free = await Promise.all(names.map(async (name) => (await other.tryLock(name)) !== undefined));
    expect(free.filter((isFree) => !isFree)).toEqual([]);
  });

  it('that is cut tells the holders of its locks, also if it has taken them again (threat 7.18)', async () => {
    const url = await newDatabase();
    const [one, other] = [await testStorage(url), await testStorage(url)];
    const lost: string[] = [];
    const [first, second, released] = [
      await one.tryLock('first', () => lost.push('first')),
      await one.tryLock('second', () => lost.push('second')),
      await one.tryLock('released', () => lost.push('released')),
    ];
    await released!();
    const run = one.withLock('third', async (signal) => {
      await statement(url, cutAll);
      await eventually(() => expect(signal.aborted).toBe(true));
      expect(await one.tryLock('another')).toBeDefined();
      expect(await other.tryLock('third')).toBeUndefined();
      signal.throwIfAborted();
    });
    await expect(run).rejects.toMatchObject({ name: 'DatabaseError', code: 'LOCK_LOST' });
    expect(lost.sort()).toEqual(['first', 'second']);
    for (const release of [first, second]) await release!();
    const signals: boolean[] = [];
    await one.withLock('third', (signal) => Promise.resolve(void signals.push(signal.aborted)));
    expect(signals).toEqual([false]);
  });

  it('reports a notification that is too long as a gap', async () => {
    const url = await newDatabase();
    const [one, other] = [await testStorage(url), await testStorage(url)];
    const heard: Notification[] = [];
    one.subscribe('topic', (message) => heard.push(message));
    await other.publish('topic', 'x'.repeat(10_000));
    await eventually(() => expect(heard).toEqual([{ gap: true }]));
  });

  it('gives all servers the time of the database', async () => {
    const url = await newDatabase();
    const ahead = { now: () => Date.now() + 1_000_000, steady: () => 5_000_000 };

    const { clock } = await testStorage(url, { clock: { ...systemClock, ...ahead } });
    expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
  });
});
