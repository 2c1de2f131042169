import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '#server/clock.ts';
import { createTimelines } from '#server/record/timeline.ts';
import { openStores } from '#server/store/store.ts';
import { packed } from '#server/record/chunk.ts';
import { silent } from '#tests/support/console.ts';
import { eventsIn } from '#tests/support/eventStream.ts';
import { severalConsoles } from '#tests/support/several.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { testKey } from '#tests/support/store.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

/** The timelines of one server of a database. */
async function serverOf(url: string) {
  const stores = await openStores({ url, keys: [testKey()], clock: systemClock, onError: () => undefined });
  const timelines = createTimelines(stores, { clock: stores.clock, log: silent, entries: 50 });
  onTestFinished(() => stores.close());
  onTestFinished(() => timelines.flush());
  let heard = 0;
  // After the timeline.
  stores.hearOfTimelines(() => (heard += 1));
  return { ...timelines.of('default'), heard: () => heard, flush: () => timelines.flush() };
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
  await vi.waitFor(() => expect(heard.filter((name) => name === 'meanwhile')).toHaveLength(1));
});

it('an entry of another server that comes after later ones is sent as well, also after a break', async () => {
  const [one, two, three] = await severalConsoles(() => ({ upstreamUrl: 'http://127.0.0.1:9' }));
  const follow = async (lastId = '') =>
    eventsIn(await fetch(`${one.url}/api/timeline/events`, { headers: lastId ? { 'Last-Event-ID': lastId } : {} }));
  const named = async ({ next }: ReturnType<typeof eventsIn>) => {
    const event = await next();
    return { id: event?.id, name: (JSON.parse(event?.data ?? '{}') as { name?: string }).name };
  };

  const stream = await follow();
  await one.done('getSettings');
  const first = await named(stream);
  expect(first).toEqual({ id: expect.stringMatching(/^\d+$/) as string, name: 'getSettings' });
  const early = String(Number(first.id) - 500_000);
  const chunk = packed([timelineEntry({ id: early, name: 'late', at: new Date().toISOString() })]);
  await two.stores.of('default').timeline.put(early, chunk);
  expect(await named(stream)).toEqual({ id: '', name: 'late' });
  await stream.leave();

  const resumed = await follow(first.id);
  expect(await named(resumed), 'it may have come during the break').toEqual({ id: '', name: 'late' });
  await resumed.leave();

  const { data } = await three.done('getTimeline', { query: {} });
  expect(data.map(({ name }) => name)).toEqual(['getSettings', 'late']);
});

it('what others write is read once somebody asks for it, and all of it when that is much', async () => {
  const url = await temporaryDatabase();
  const [one, other] = [await serverOf(url), await serverOf(url)];
  await one.list();
  for (let count = 0; count < 30; count += 1) {
    other.add(entry(`call ${count}`));
    await other.list();
  }
  await vi.waitFor(() => expect(one.heard()).toBe(30));
  const heard: string[] = [];
  one.follow(
    (entries) => heard.push(...entries.map(({ name }) => name)),
    () => undefined,
  );
  expect((await one.list()).map(({ name }) => name)).toEqual(Array.from({ length: 30 }, (_, count) => `call ${count}`));
  other.add(entry('followed'));
  await vi.waitFor(() => expect(heard).toContain('followed'), 2000);
});

it('what others write is not read before somebody asks for it or it is much, and the limits hold all the same', async () => {
  const url = await temporaryDatabase();
  const [one, other] = [await serverOf(url), await serverOf(url)];
  async function add(at: typeof one, name: string): Promise<void> {
    at.add(entry(name));
    await at.flush();
  }
  /** Adds entries at the other one, of which this one hears. */
  async function addThere(count: number): Promise<void> {
    const before = one.heard();
    for (let index = 0; index < count; index += 1) await add(other, `${before + index}`);
    // Of those that were removed as well.
    await vi.waitFor(() => expect(one.heard()).toBeGreaterThanOrEqual(before + count));
  }
  await add(one, 'own');
  await addThere(1);
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => asked.mockRestore());
  const reads = () =>
    asked.mock.calls.map(([query]) => JSON.stringify(query)).filter((text) => /from (entries|versions)/.test(text));

  await addThere(14);
  await add(one, 'own again');
  expect(reads()).toEqual([]);
  await addThere(5);
  await add(one, 'own once more');
  expect(reads()).toHaveLength(20);
  for (let round = 0; round < 5; round += 1) {
    await addThere(15);
    await add(one, `own in round ${round}`);
  }
  const chunks = await statement(url, "select from entries where namespace = 'default/timeline'");
  expect(chunks.length).toBeLessThanOrEqual(50 + 20);
  const names = async (at: typeof one) => (await at.list()).map(({ name }) => name);
  expect(await names(one)).toHaveLength(50);
  expect(await names(one)).toEqual(await names(other));
});
