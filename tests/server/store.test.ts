import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import { systemClock, type Clock } from '#server/clock.ts';
import { openStoreFile } from '#server/store/database.ts';
import type { Records } from '#server/store/records.ts';
import { temporaryFolder, testKey, testStore, testStores } from '#tests/support/store.ts';

const batch = (batchId: string): BatchRecord => ({
  batchId,
  status: 'Received',
  amount: '1.00 GBP',
  kind: 'file',
  postedAt: '2026-01-01T00:00:00.000Z',
});

const clockAt = (now: number): Clock => ({ ...systemClock, now: () => now });

describe('records', () => {
  it('lose nothing when two tabs append at once', async () => {
    const folder = temporaryFolder();
    const tabs = [await testStore(folder), await testStore(folder)];
    await Promise.all(
      tabs.flatMap(({ batches }, tab) =>
        Array.from({ length: 100 }, (_, index) => batches.put(`${tab}-${index}`, batch(`${tab}-${index}`))),
      ),
    );
    const ids = (await tabs[0]!.batches.list()).map(({ batchId }) => batchId);
    expect(new Set(ids).size).toBe(200);
  });

  it('are listed once each while others are added and removed', async () => {
    const { batches } = await testStore();
    for (let index = 0; index < 50; index += 1) await batches.put(`old-${index}`, batch(`old-${index}`));
    const [listed] = await Promise.all([
      batches.list(),
      batches.remove('old-0'),
      ...Array.from({ length: 50 }, (_, index) => batches.put(`new-${index}`, batch(`new-${index}`))),
    ]);
    const ids = listed.map(({ batchId }) => batchId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(Array.from({ length: 49 }, (_, index) => `old-${index + 1}`)));
  });

  it('keep the order of arrival when one is put again', async () => {
    const { batches } = await testStore();
    for (const id of ['a', 'b', 'c']) await batches.put(id, batch(id));
    await batches.put('a', { ...batch('a'), status: 'Completed' });
    expect((await batches.list()).map(({ batchId, status }) => `${batchId} ${status}`)).toEqual([
      'a Completed',
      'b Received',
      'c Received',
    ]);
  });

  it('stay unchanged when added again', async () => {
    const { batches } = await testStore();
    await batches.add('a', batch('a'));
    await batches.add('a', { ...batch('a'), status: 'Completed' });
    expect(await batches.list()).toEqual([batch('a')]);
  });

  it('added by several callers at once are those of the first', async () => {
    const folder = temporaryFolder();
    const callers = [await testStore(folder), await testStore(folder)];
    const statuses = ['first', 'second', 'third'];
    await Promise.all(statuses.map((status, index) => callers[index % 2]!.batches.add('a', { ...batch('a'), status })));
    expect(await callers[1]!.batches.list()).toEqual([{ ...batch('a'), status: 'first' }]);
  });

  it('of different kinds are separate under the same id, under names that later versions use, too', async () => {
    const folder = temporaryFolder();
    const {
      claims: _claims,
      scopes: _scopes,
      at: _at,
      memo: _memo,
      setAside: _setAside,
      inTurn: _inTurn,
      whileHeld: _whileHeld,
      isElsewhere: _isElsewhere,
      settings,
      close: _close,
      ...kinds
    } = await testStore(folder);
    const records = Object.entries(kinds) as [string, Records<object>][]; // whatever they are for
    for (const [kind, each] of records) await each.put('one', { kind });
    await settings.write('companyId', 'company-1');
    for (const [kind, each] of records) expect(await each.list()).toEqual([{ kind }]);
    expect(await settings.read()).toEqual({ companyId: 'company-1' });
    const file = openStoreFile(`file:${join(folder, 'console.sqlite')}`);
    const names = file.prepare('select namespace from entries order by namespace').all() as { namespace: string }[]; // the statement selects this one column
    file.close();
    expect(names.map(({ namespace }) => namespace)).toEqual(
      'accounts attempts batches counts creditors datasets debtors logins made messages programs settings subjects subscriptions timeline webhooks'
        .split(' ')
        .map((kind) => `default/${kind}`),
    );
  });

  it('are found by the workspace and company that store them', async () => {
    const stores = await testStores();
    await stores.of('one').batches.put('batch-1', batch('batch-1'));
    await stores.of('other', 'second').batches.put('batch-2', batch('batch-2'));
    expect(await Promise.all(['batch-1', 'batch-2', 'unknown'].map((id) => stores.ownersOf('batches', id)))).toEqual([
      [{ workspace: 'one', scope: 'first' }],
      [{ workspace: 'other', scope: 'second' }],
      [],
    ]);
    expect(await stores.ownersOf('subscriptions', 'batch-1')).toEqual([]);
  });

  it('are reported as removed to one caller only', async () => {
    const { logins } = await testStore();
    await logins.put('state', { startedAt: 0 });
    const removed = await Promise.all([logins.remove('state'), logins.remove('state'), logins.remove('state')]);
    expect(removed.filter(Boolean)).toHaveLength(1);
  });

  it('of workspaces are separate, also if a name contains an SQL wildcard', async () => {
    const folder = temporaryFolder();
    const [one, other] = [await testStore(folder, 'a_b'), await testStore(folder, 'axb')];
    await one.settings.write('acceptLanguage', 'en-GB');
    expect(await other.settings.read()).toEqual({});
  });

  it('lie in the folder of the address, which is created if missing', async () => {
    const folder = join(temporaryFolder(), 'data');
    await (await testStore(folder)).settings.write('companyId', 'company-1');
    expect(readdirSync(folder)).toContain('console.sqlite');
  });

  it('are there again after the file was closed', async () => {
    const folder = temporaryFolder();
    const before = await testStore(folder);
    await before.settings.write('companyId', 'company-1');
    await before.batches.put('b', batch('b'));
    await before.close();
    const after = await testStore(folder);
    expect(await after.settings.read()).toEqual({ companyId: 'company-1' });
    expect(await after.batches.get('b')).toEqual(batch('b'));
  });

  it('of settings are written all or none', async () => {
    const folder = temporaryFolder();
    const store = await testStore(folder);
    await store.settings.writeAll({ organisationId: 'o', companySigningKey: 'k' });
    const intruder = openStoreFile(`file:${join(folder, 'console.sqlite')}`);
    intruder.exec(
      "create trigger refuse before update on entries when new.key = 'companySigningKey' begin select raise(abort, 'no'); end",
    );
    intruder.close();
    await expect(store.settings.writeAll({ organisationId: 'o2', companySigningKey: 'k2' })).rejects.toThrow('no');
    expect(await store.settings.read()).toEqual({ organisationId: 'o', companySigningKey: 'k' });
  });

  it('are read without waiting for a writer', async () => {
    const folder = temporaryFolder();
    await (await testStore(folder)).settings.write('companyId', 'company-1');
    expect(readdirSync(folder)).toContain('console.sqlite-wal');
  });

  it('reject if the store fails, instead of being empty', async () => {
    const onError = vi.fn();
    const stores = await testStores(undefined, undefined, undefined, onError);
    const store = stores.of('default', 'first');
    // Statements that were prepared before are refused as well; in the driver they would end the process.
    await store.settings.write('companyId', 'company-1');
    await store.batches.put('b', batch('b'));
    await store.settings.read();
    await store.batches.list();
    await stores.close();
    await expect(store.settings.read()).rejects.toThrow();
    await expect(store.batches.list()).rejects.toThrow();
    await expect(store.batches.put('b', batch('b'))).rejects.toThrow();
    expect(onError).toHaveBeenCalledWith(expect.any(Error));
  });
});

describe('claims', () => {
  it('are fresh for exactly one of 50 concurrent callers', async () => {
    const folder = temporaryFolder();
    const stores = [await testStore(folder), await testStore(folder)];
    const states = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        Promise.resolve(stores[index % 2]!).then(async ({ claims }) => (await claims.claim('key', 'print')).state),
      ),
    );
    expect(states.filter((state) => state === 'fresh')).toHaveLength(1);
    expect(states.filter((state) => state === 'open')).toHaveLength(49);
  });

  it('return the first answer once finished, and refuse another fingerprint', async () => {
    const { claims } = await testStore();
    await claims.claim('key', 'print');
    await claims.finish('key', { batchId: '1' });
    expect(await claims.claim('key', 'print')).toEqual({ state: 'done', answer: { batchId: '1' } });
    expect(await claims.claim('key', 'other')).toEqual({ state: 'conflict', before: 'print' });
  });

  it('that are open tell their time', async () => {
    const { claims } = (await testStores(undefined, undefined, clockAt(1_000))).of('default');
    await claims.claim('key', 'print');
    expect(await claims.claim('key', 'print')).toEqual({ state: 'open', claimedAt: 1_000 });
  });

  it('of webhooks are deleted on opening after two weeks, those of writes never', async () => {
    const folder = temporaryFolder();
    const twoWeeks = 14 * 24 * 60 * 60 * 1000;
    const statesAt = async (now: number) => {
      const stores = await testStores(folder, [testKey()], clockAt(now));
      const { claims } = stores.of('default');
      const states: string[] = [];
      for (const key of ['webhook/1', 'write/webhook/1']) states.push((await claims.claim(key, 'print')).state);
      await stores.close();
      return states;
    };
    expect(await statesAt(0)).toEqual(['fresh', 'fresh']);
    expect(await statesAt(twoWeeks)).toEqual(['open', 'open']);
    expect(await statesAt(twoWeeks + 1)).toEqual(['fresh', 'open']);
  });

  it('can be made again after a release', async () => {
    const { claims } = await testStore();
    await claims.claim('key', 'print');
    await claims.release('key');
    expect(await claims.claim('key', 'other')).toEqual({ state: 'fresh' });
  });
});
