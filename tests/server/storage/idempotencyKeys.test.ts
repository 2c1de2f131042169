import { describe, expect, it } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { isSharedUrl } from '#server/storage/databaseUrl.ts';
import { statement } from '#tests/support/postgres.ts';
import { collectionIn, engines, here, testStorage } from '#tests/support/storage.ts';

describe.each(engines)('An idempotency key on %s', (_, newDatabase) => {
  it('is new for one of several claims, locked for the others, and completed with one response', async () => {
    const { idempotencyKeys: keys } = await testStorage(await newDatabase());
    const claims = await Promise.all(Array.from({ length: 10 }, () => keys.claim(here, 'key', 'print')));
    expect(claims.map(({ state }) => state).sort()).toEqual([...Array<string>(9).fill('locked'), 'new']);
    await keys.complete(here, 'key', { batchId: 'b' });
    for (let times = 0; times < 2; times += 1)
      expect(await keys.claim(here, 'key', 'print')).toEqual({ state: 'completed', response: { batchId: 'b' } });
  });

  it('belongs to its workspace', async () => {
    const { idempotencyKeys: keys } = await testStorage(await newDatabase());
    expect(await keys.claim(here, 'key', 'print')).toMatchObject({ state: 'new' });
    expect(await keys.claim({ ...here, workspace: 'v' }, 'key', 'print')).toMatchObject({ state: 'new' });
  });

  it('conflicts with another fingerprint, locked or completed, up to the first space', async () => {
    const { idempotencyKeys: keys } = await testStorage(await newDatabase());
    await keys.claim(here, 'key', 'print {"name":"first"}');
    const conflict = { state: 'conflict', before: 'print {"name":"first"}' };
    expect(await keys.claim(here, 'key', 'other')).toEqual(conflict);
    await keys.complete(here, 'key', null);
    expect(await keys.claim(here, 'key', 'other')).toEqual(conflict);
    expect(await keys.claim(here, 'key', 'print {}')).toEqual({ state: 'completed', response: null });
  });

  it('is in doubt for one claim at a time after it was relinquished or the process has ended', async () => {
    const url = await newDatabase();
    const clock = { ...systemClock, now: () => 1_000_000 };
    const storage = await testStorage(url, isSharedUrl(url) ? {} : { clock });
    const { idempotencyKeys: keys } = storage;
    await keys.claim(here, 'key', 'print');
    const claimedAt = storage.isShared ? (expect.any(Number) as number) : 1_000_000;
    await keys.relinquish(here, 'key');
    const claims = await Promise.all([1, 2, 3].map(() => keys.claim(here, 'key', 'print')));
    expect(claims.filter(({ state }) => state === 'inDoubt')).toEqual([{ state: 'inDoubt', claimedAt }]);
    expect(claims.filter(({ state }) => state === 'locked')).toHaveLength(2);
    await storage.close();
    const { idempotencyKeys: later } = await testStorage(url);
    expect(await later.claim(here, 'key', 'print')).toEqual({ state: 'inDoubt', claimedAt });
    await later.complete(here, 'key', 'done');
    expect(await later.claim(here, 'key', 'print')).toEqual({ state: 'completed', response: 'done' });
  });

  it('is new again after its release, but stays completed after its completion', async () => {
    const { idempotencyKeys: keys } = await testStorage(await newDatabase());
    await keys.claim(here, 'key', 'print');
    await keys.release(here, 'key');
    expect(await keys.claim(here, 'key', 'another print')).toMatchObject({ state: 'new' });
    await keys.complete(here, 'key', 'done');
    await keys.release(here, 'key');
    expect(await keys.claim(here, 'key', 'another print')).toEqual({ state: 'completed', response: 'done' });
  });

  it('is claimed in the current transaction, and free after a rollback', async () => {
    const storage = await testStorage(await newDatabase());
    const { idempotencyKeys: keys } = storage;
    const notes = collectionIn<string>(storage, { kind: 'notes' });
    const failing = storage.transaction('w', async () => {
      expect(await keys.claim(here, 'key', 'print')).toMatchObject({ state: 'new' });
      await notes.put(here, 'one', 'undone');
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await keys.claim(here, 'key', 'another print')).toMatchObject({ state: 'new' });
  });

  it('stays locked if the transaction that completes it is rolled back, and is then in doubt', async () => {
    const storage = await testStorage(await newDatabase());
    const { idempotencyKeys: keys } = storage;
    await keys.claim(here, 'key', 'print');
    const failing = storage.transaction('w', async () => {
      await keys.complete(here, 'key', 'undone');
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    expect(await keys.claim(here, 'key', 'print')).toEqual({ state: 'locked' });
    await keys.relinquish(here, 'key');
    expect(await keys.claim(here, 'key', 'print')).toMatchObject({ state: 'inDoubt' });
  });

  it('is pruned by prefix and age', async () => {
    let passed = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + passed };
    const storage = await testStorage(await newDatabase(), { clock });
    const { idempotencyKeys: keys } = storage;
    for (const key of ['webhook/1', 'write/1']) {
      await keys.claim(here, key, 'print');
      await keys.complete(here, key, 'done');
    }
    passed = 1000;
    await keys.prune('webhook/', storage.clock.now() - 100_000);
    expect(await keys.claim(here, 'webhook/1', 'print')).toMatchObject({ state: 'completed' });
    await keys.prune('webhook/', storage.clock.now() + 100_000);
    expect(await keys.claim(here, 'webhook/1', 'print')).toMatchObject({ state: 'new' });
    expect(await keys.claim(here, 'write/1', 'print')).toMatchObject({ state: 'completed' });
  });
});

describe('An idempotency key of several servers', () => {
  it('is locked while another server holds it, and in doubt once that server has ended', async () => {
    const url = await engines[1][1]();
    const [one, other] = [await testStorage(url), await testStorage(url)];
    expect(await one.idempotencyKeys.claim(here, 'key', 'print')).toMatchObject({ state: 'new' });
    expect(await other.idempotencyKeys.claim(here, 'key', 'print')).toEqual({ state: 'locked' });
    expect(await other.idempotencyKeys.claim(here, 'key', 'other')).toMatchObject({ state: 'conflict' });
    await one.close();
    expect(await other.idempotencyKeys.claim(here, 'key', 'print')).toMatchObject({ state: 'inDoubt' });
  });

  it('stays locked when the database session of its server is cut and restored', async () => {
    const url = await engines[1][1]();
    const errors: unknown[] = [];
    const [one, other] = [await testStorage(url, { errors }), await testStorage(url)];
    await one.idempotencyKeys.claim(here, 'key', 'print');
    await statement(
      url,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    );
    // The next lock at the latest restores the session, which takes its former locks first.
    expect(await one.idempotencyKeys.claim(here, 'another', 'print')).toMatchObject({ state: 'new' });
    expect(await other.idempotencyKeys.claim(here, 'key', 'print')).toEqual({ state: 'locked' });
    await one.idempotencyKeys.complete(here, 'key', 'done');
    expect(await other.idempotencyKeys.claim(here, 'key', 'print')).toEqual({ state: 'completed', response: 'done' });
  });
});
