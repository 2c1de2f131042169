import { expect, it, onTestFinished } from 'vitest';
import { eventsPath } from '#server/api/events.ts';
import { createTimelines } from '#server/timeline/timeline.ts';
import { eventually } from '#tests/support/eventually.ts';
import { silent } from '#tests/support/console.ts';
import { eventsIn } from '#tests/support/eventStream.ts';
import { severalConsoles } from '#tests/support/severalServers.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { testStorage } from '#tests/support/storage.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

/** The timeline of one server of a database. */
async function serverOf(url: string) {
  const storage = await testStorage(url);
  const timelines = createTimelines({ storage, clock: storage.clock, log: silent, entries: 50 });
  onTestFinished(() => timelines.flush());
  return timelines.of('default');
}
const entry = (name: string) => () => {
  const { id: _id, ...rest } = timelineEntry({ name, at: new Date().toISOString() });
  return rest;
};

it('A timeline lists the entries of all servers in order, and notifies subscribers at each of them', async () => {
  const url = await temporaryDatabase();
  const [one, other] = [await serverOf(url), await serverOf(url)];
  const heard: string[] = [];
  one.subscribe(
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
  await eventually(async () => {
    expect(heard.toSorted()).toEqual(names.toSorted());
    const lists = await Promise.all([one.list(), other.list()]);
    const [ids] = lists.map((list) => list.map(({ id }) => Number(id)));
    expect(ids).toHaveLength(30);
    expect(ids).toEqual(ids!.toSorted((a, b) => a - b));
    expect(lists[1].map(({ id }) => id)).toEqual(lists[0].map(({ id }) => id));
  });
  const late = await serverOf(url);
  expect((await late.list()).map(({ id }) => id)).toEqual((await one.list()).map(({ id }) => id));

  // A subscription ends when it may have missed entries, and the next read returns them.
  let ended = 0;
  one.subscribe(
    () => undefined,
    () => (ended += 1),
  );
  await statement(
    url,
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  other.add(entry('meanwhile'));
  await other.list();
  await eventually(async () => expect((await one.list()).map(({ name }) => name)).toContain('meanwhile'));
  await eventually(() => expect(ended).toBeGreaterThan(0));
});

it('A late timeline entry of another server is streamed, and listed in the order of ids', async () => {
  const [one, two, three] = await severalConsoles(() => ({ upstreamUrl: 'http://127.0.0.1:9' }));
  const stream = eventsIn(await fetch(one.url + eventsPath));
  onTestFinished(stream.leave);
  const next = async () => {
    let event = await stream.next();
    while (event && event.event !== 'entry') event = await stream.next();
    return JSON.parse(event?.data ?? '{}') as { id: string; name: string };
  };

  await one.done('getSettings');
  const first = await next();
  expect(first).toMatchObject({ id: expect.stringMatching(/^\d+$/) as string, name: 'getSettings' });
  const early = String(Number(first.id) - 500_000);
  const { id: _id, ...late } = timelineEntry({ name: 'late', at: new Date().toISOString() });
  const isRead = true;
  await two.storage
    .timeline()
    .append('default', [{ id: early, at: Date.parse(late.at), length: 1, isRead, value: late }]);
  await two.storage.publish('timeline default', early);
  expect(await next()).toMatchObject({ id: early, name: 'late' });

  const { data } = await three.done('getTimeline', { query: {} });
  expect(data.map(({ name }) => name)).toEqual(['getSettings', 'late']);
});
