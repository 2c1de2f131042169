import { expect, it, onTestFinished } from 'vitest';
import { openStorage } from '#server/storage/open.ts';
import { testKey } from '#tests/support/store.ts';
import { takeWaitingTransactions } from '#tests/support/transactions.ts';
import { Disk } from './disk.ts';
import { SharedDatabase } from './peers.ts';
import { clockOf } from './process.ts';
import { Scheduler, type Owner } from './scheduler.ts';

/** Two servers' storages on one simulated disk. */
async function twoServers(seed = 1) {
  const scheduler = new Scheduler(seed);
  const disk = new Disk(scheduler);
  const shared = new SharedDatabase(scheduler);
  const open = async (owner: Owner) => {
    const opening = openStorage({
      url: 'file::memory:',
      keys: [testKey()],
      clock: clockOf(scheduler, owner),
      onError: () => undefined,
      engine: { openDriver: () => disk.handle(owner), peers: shared.join(owner) },
    });
    return done(opening);
  };
  /** Lets the world's time pass until a promise is settled. */
  async function done<T>(promise: Promise<T>): Promise<T> {
    let isSettled = false;
    const settle = () => void (isSettled = true);
    promise.then(settle, settle);
    await scheduler.until(() => isSettled);
    return promise;
  }
  const owners = ['one', 'other'].map((name) => ({ name, isDead: false }));
  const [one, other] = [await open(owners[0]!), await open(owners[1]!)]; // as named
  onTestFinished(() => void disk.database.close());
  const kill = (owner: Owner) => {
    owner.isDead = true;
    disk.drop(owner);
    shared.leave(owner);
  };
  return { scheduler, shared, one, other, done, kill, owners: owners as [Owner, Owner] };
}

it('a lock of one simulated server is refused to the other until it is released', async () => {
  const { one, other, done } = await twoServers();
  const release = await done(one.tryLock('payment'));
  expect(await done(other.tryLock('payment'))).toBeUndefined();
  await done(release!());
  expect(await done(other.tryLock('payment'))).toBeTypeOf('function');
});

it('a simulated server that dies frees its lock and its open transaction', async () => {
  const { one, other, done, kill, owners, scheduler } = await twoServers();
  await done(one.tryLock('payment'));
  void one.transaction('here', async () => {
    await one.workspaces.list();
    await new Promise(() => undefined); // it never ends
  });
  const waiting = other.transaction('here', () => other.workspaces.list());
  await scheduler.until(() => true);
  kill(owners[0]);
  expect(await done(waiting)).toEqual([]);
  takeWaitingTransactions(); // it was meant to wait
  expect(await done(other.tryLock('payment'))).toBeTypeOf('function');
});

it('a simulated server whose session the database ends learns that its lock is lost', async () => {
  const { one, other, done, shared, owners, scheduler } = await twoServers();
  let isLost = false;
  await done(one.tryLock('payment', () => (isLost = true)));
  shared.cut(owners[0]);
  expect(await done(other.tryLock('payment'))).toBeTypeOf('function');
  await scheduler.until(() => isLost);
  expect(isLost).toBe(true);
});

it('a simulated server does not take a lock again that it has released before it learns that it was lost', async () => {
  const { one, other, done, shared, owners, scheduler } = await twoServers();
  let isLost = false;
  const release = await done(one.tryLock('payment', () => (isLost = true)));
  shared.cut(owners[0]);
  await done(release!());
  await scheduler.until(() => isLost);
  expect(await done(other.tryLock('payment'))).toBeTypeOf('function');
});

it('a simulated server that is suspended reads nothing until it goes on, and the other reads meanwhile', async () => {
  const { one, other, done, owners, scheduler } = await twoServers();
  const begun = scheduler.now();
  owners[0].asleepUntil = begun + 5000;
  const late = one.transaction('here', () => one.workspaces.list()).then(() => scheduler.now() - begun);
  await done(other.transaction('here', () => other.workspaces.list()));
  expect(scheduler.now() - begun).toBeLessThan(5000);
  expect(await done(late)).toBeGreaterThanOrEqual(5000);
});

it('a message of one simulated server reaches the other, and none that was sent while its session was lost', async () => {
  const { one, other, done, shared, owners, scheduler } = await twoServers();
  const heard: unknown[] = [];
  other.subscribe('records', (message) => heard.push(message));
  await done(one.publish('records', 'a'));
  await scheduler.until(() => heard.length === 1);
  await done(one.publish('records', 'b'));
  shared.cut(owners[1]);
  await done(scheduler.wait(100));
  expect(heard).toEqual([{ id: 'a' }, { gap: true }]);
});
