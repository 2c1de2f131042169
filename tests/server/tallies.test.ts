import { join } from 'node:path';
import Database from 'libsql';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { BatchRecord } from '#contract/batch.ts';
import { listedInSettings } from '#contract/constants.ts';
import type { Creditor } from '#contract/party.ts';
import type { SubscriptionRecord } from '#contract/subscription.ts';
import { openStoreFile } from '#server/store/database.ts';
import { allOf, latest } from '#server/store/records.ts';
import type { Store } from '#server/store/store.ts';
import { endpoints } from '#server/upstream/wire.ts';
import { testConsole } from '#tests/support/console.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { creditor } from '#tests/support/material.ts';
import { temporaryFolder, testKey, testStore, testStores } from '#tests/support/store.ts';

const creditorOf = (creditorId: string, subscriptionId: string): Creditor => ({
  ...creditor,
  creditorId,
  subscriptionId,
});
const batchOf = (batchId: string, status = 'Received'): BatchRecord => ({
  batchId,
  status,
  amount: '1.00 GBP',
  kind: 'file',
  postedAt: '2026-01-01T00:00:00.000Z',
});
const subscriptionOf = (subscriptionId: string): SubscriptionRecord => ({
  subscriptionId,
  providerId: 'provider',
  status: 'Authorised',
  suspended: false,
  useMock: 'true',
});

const subscriptions = ['', 'one', 'two', ':three'];
/** The number and the ids of the creditors of each subscription, as the store counts them and as it lists them. */
async function countedAndListed({ creditors }: Store) {
  const all = await creditors.list();
  return subscriptions.map((id) => async () => {
    const ids = all.filter(({ subscriptionId }) => subscriptionId === id).map(({ creditorId }) => creditorId);
    const newest = (await allOf(creditors.newest(id))).map(({ creditorId }) => creditorId);
    return [
      { count: await creditors.count(id), newest },
      { count: ids.length, newest: ids },
    ] as const;
  });
}
async function insistOnTruth(store: Store): Promise<void> {
  for (const each of await countedAndListed(store)) {
    const [counted, listed] = await each();
    expect(counted).toEqual(listed);
  }
}

/** Runs SQL on the file behind the console's back. */
function change(folder: string, statement: string): void {
  const intruder = openStoreFile(`file:${join(folder, 'console.sqlite')}`);
  intruder.exec(statement);
  intruder.close();
}

/** Turns the file into one of the version before records were counted. */
const asBefore = (folder: string): void => {
  const db = new Database(join(folder, 'console.sqlite'));
  db.exec(`drop trigger tally_insert; drop trigger tally_delete; drop trigger tally_update; drop table tallies;
           drop index entries_order; alter table entries drop column owner;`);
  db.close();
};

describe('the number of records', () => {
  it('is that of the records after any writes and removals, and after opening again', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const subscription = fc.constantFrom(...subscriptions);
    const write = fc.oneof(
      fc.record({ put: id, subscription }),
      fc.record({ add: id, subscription }),
      fc.record({ putAll: fc.array(id), subscription }),
      fc.record({ remove: id }),
      fc.record({ removeAll: fc.array(id) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(write, { maxLength: 30 }), async (writes) => {
        const folder = temporaryFolder();
        const store = await testStore(folder);
        const { creditors } = store;
        for (const each of writes) {
          if ('put' in each) await creditors.put(each.put, creditorOf(each.put, each.subscription));
          else if ('add' in each) await creditors.add(each.add, creditorOf(each.add, each.subscription));
          else if ('putAll' in each)
            await creditors.putAll(each.putAll.map((one) => [one, creditorOf(one, each.subscription)]));
          else if ('remove' in each) await creditors.remove(each.remove);
          else await creditors.removeAll(each.removeAll);
        }
        await insistOnTruth(store);
        await store.close();
        await insistOnTruth(await testStore(folder));
      }),
      { numRuns: 20 },
    );
  });

  it('is right in a file of an earlier version, and after such a version has written again', async () => {
    const folder = temporaryFolder();
    const before = await testStore(folder);
    await before.creditors.putAll(
      Array.from({ length: 2500 }, (_, index) => [`${index}`, creditorOf(`${index}`, subscriptions[index % 4]!)]),
    );
    await before.batches.put('batch', batchOf('batch'));
    await before.close();
    for (let times = 0; times < 2; times += 1) {
      asBefore(folder);
      const after = await testStore(folder);
      await insistOnTruth(after);
      expect(await after.creditors.count('one')).toBe(625);
      expect(await after.batches.count()).toBe(1);
      await after.close();
    }
  });

  it('is right under a new key', async () => {
    const folder = temporaryFolder();
    const before = await testStore(folder, 'default', [testKey(1)]);
    await before.creditors.put('a', creditorOf('a', 'one'));
    await before.close();
    const after = await testStore(folder, 'default', [testKey(2), testKey(1)]);
    expect(await after.creditors.count('one')).toBe(1);
    await insistOnTruth(after);
  });

  it('is counted anew at the start, because the records are the truth', async () => {
    const folder = temporaryFolder();
    const before = await testStore(folder);
    await before.creditors.put('a', creditorOf('a', 'one'));
    await before.close();
    change(folder, "update tallies set count = 7; insert into tallies values ('default/batches', '', 3)");
    const after = await testStore(folder);
    expect([await after.creditors.count('one'), await after.batches.count()]).toEqual([1, 0]);
  });

  it('is that of one company, and gone with it', async () => {
    const stores = await testStores();
    const store = stores.of('default');
    for (const scope of ['first', 'second']) {
      await store.scopes.write(scope, { organisationId: scope });
      await store.at(scope).batches.put('batch', batchOf('batch'));
    }
    await stores.of('another').batches.put('batch', batchOf('batch'));
    await store.scopes.remove('second');
    expect(await Promise.all(['first', 'second'].map((scope) => store.at(scope).batches.count()))).toEqual([1, 0]);
    expect(await stores.of('another').batches.count()).toBe(1);
  });

  it('names no subscription in the file', async () => {
    const folder = temporaryFolder();
    const { creditors } = await testStore(folder);
    await creditors.put('a', creditorOf('a', 'a-subscription-of-this-user'));
    const db = openStoreFile(`file:${join(folder, 'console.sqlite')}`);
    const found = [...db.prepare('select owner from entries').all(), ...db.prepare('select * from tallies').all()];
    db.close();
    expect(JSON.stringify(found)).not.toContain('a-subscription');
  });
});

describe('the latest records', () => {
  it('are read without opening the others; a damaged one is set aside and no longer counts', async () => {
    const folder = temporaryFolder();
    const { batches, setAside } = await testStore(folder);
    for (let index = 0; index < 30; index += 1) await batches.put(`${index}`, batchOf(`${index}`));
    change(folder, `update entries set value = 'x' where key in ('0', '28')`);
    const ids = async (most: number) => (await latest(batches.newest(), most)).map(({ batchId }) => batchId);
    expect(await ids(1)).toEqual(['29']);
    expect(await setAside()).toEqual([]);
    expect(await ids(2)).toEqual(['27', '29']);
    expect(await setAside()).toMatchObject([{ id: '28' }]);
    expect(await batches.count(), 'the count looks for others').toBe(28);
    expect(await setAside()).toHaveLength(2);
    expect(await ids(100)).toHaveLength(28);
  });

  it('of which many are damaged are counted rightly before long', async () => {
    const folder = temporaryFolder();
    const { creditors } = await testStore(folder);
    await creditors.putAll(Array.from({ length: 1200 }, (_, index) => [`${index}`, creditorOf(`${index}`, 'one')]));
    change(folder, `update entries set value = 'x' where position % 2 = 0`);
    await vi.waitFor(async () => expect(await creditors.count('one')).toBe(600), 20_000);
    await insistOnTruth(await testStore(folder));
  });
});

describe('facts and settings', () => {
  it('hold numbers and the latest records, and all where all are asked for', async () => {
    const many = listedInSettings + 5;
    const service = await fakeUpstream({
      [endpoints.providers]: answering({ data: [] }),
      [endpoints.fileFormats]: answering({ data: [] }),
    });
    const { store, done } = await testConsole({ upstreamUrl: service.url });
    for (let index = 0; index < many; index += 1) {
      await store.batches.put(`b${index}`, batchOf(`b${index}`, `status-${index}`));
      await store.subscriptions.put(`s${index}`, subscriptionOf(`s${index}`));
      await store.creditors.put(`c${index}`, creditorOf(`c${index}`, `s${index % 2}`));
    }
    const facts = await done('getFacts');
    expect(facts).toMatchObject({ batches: many, batchStatus: `status-${many - 1}`, creditors: 0, debtors: 0 });
    expect(facts.alternatives).toHaveLength(50);
    const lengths = ({ subscriptions, postedBatches }: { subscriptions: string; postedBatches: string }) =>
      [subscriptions, postedBatches].map((text) => (JSON.parse(text) as unknown[]).length);
    expect(lengths(facts.settings)).toEqual([listedInSettings, listedInSettings]);
    const settings = await done('getSettings');
    expect(lengths(settings)).toEqual([listedInSettings, listedInSettings]);
    expect((JSON.parse(settings.postedBatches) as BatchRecord[]).at(-1)?.batchId).toBe(`b${many - 1}`);
    const whole = await done('getSettings', { query: { lists: 'whole' } });
    expect(lengths(whole)).toEqual([many, many]);
    expect(JSON.parse((await done('getPostedBatches')).data)).toHaveLength(many);
    // A list that is sent back is compared with the records, whether it is whole or not.
    for (const { subscriptions } of [settings, whole])
      await done('setSetting', { body: { key: 'subscriptions', value: subscriptions } });
  });
});
