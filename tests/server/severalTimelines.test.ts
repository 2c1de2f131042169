import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { createTimelines } from '#server/record/timeline.ts';
import { openStores } from '#server/store/store.ts';
import { silent } from '#tests/support/console.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { testKey } from '#tests/support/store.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

/** The timelines of one server of a database. */
async function serverOf(url: string) {
  const stores = await openStores({ url, keys: [testKey()], clock: systemClock, onError: () => undefined });
  const timelines = createTimelines(stores, { clock: stores.clock, log: silent, entries: 50 });
  onTestFinished(() => stores.close());
  onTestFinished(() => timelines.flush());
  return timelines.of('default');
}
const entry = (name: string) => () => {
  const { id: _id, ...rest } = timelineEntry({ name, at: new Date().toISOString() });
  return rest;
};

it('a timeline has the entries of all servers in order, and tells those who follow at another one', async () => {
  const url = await temporaryDatabase();
  const [one, other] = [await serverOf(url), await serverOf(url)];
  const heard: string[] = [];
  one.follow(
    (entries) => heard.push(...entries.map(({ name }) => name)),
    () => undefined,
  );
  const names = Array.from({ length: 30 }, (_, index) => `call ${index}`);
  for (const [index, name] of names.entries()) {
    const at = index % 2 ? one : other;
    at.add(entry(name));
    if (index % 5 === 0) await at.list();
  }
  for (const each of [one, other]) await each.list();
  await vi.waitFor(async () => {
    expect(heard.toSorted()).toEqual(names.toSorted());
    const lists = await Promise.all([one.list(), other.list()]);
    const [ids] = lists.map((list) => list.map(({ id }) => Number(id)));
    expect(ids).toHaveLength(30);
    expect(ids).toEqual(ids!.toSorted((a, b) => a - b));
    expect(lists[1].map(({ id }) => id)).toEqual(lists[0].map(({ id }) => id));
  });
  const late = await serverOf(url);
  expect((await late.list()).map(({ id }) => id)).toEqual((await one.list()).map(({ id }) => id));

  // What was written while nobody could be told is read once the connection is there again.
  await statement(
    url,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'",
  );
  other.add(entry('meanwhile'));
  await other.list();
  await vi.waitFor(async () => expect((await one.list()).map(({ name }) => name)).toContain('meanwhile'), 5000);
});
