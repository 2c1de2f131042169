// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { ReadPage } from '#app/client/timelineList.ts';
import { createTimelineStore } from '#app/client/timelineStore.ts';
import { browserWithTabs } from '#tests/support/browserTabs.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

/** A server with these entries, newest first, and a page that reads it; reads are counted. */
function serverWith(ids: readonly number[], browser = browserWithTabs({ locks: null })) {
  const tab = browser.tab();
  const server = {
    entries: ids.map((id) => timelineEntry({ id: String(id), kind: 'service' })),
    problem: undefined as { code: string; status: number } | undefined,
    reads: 0,
    /** Stores an entry, and streams it if the page is live. */
    pass(entry: Partial<TimelineEntry>, heard = true) {
      const full = timelineEntry(entry);
      server.entries.unshift(full);
      if (heard) server.hear(full);
    },
    hear: (entry: TimelineEntry) => tab.send({ type: 'stream.message', message: { type: 'entry', entry } }),
    opened: () => tab.send({ type: 'stream.opened' }),
    lost: () => tab.send({ type: 'stream.lost' }),
    beat: () => tab.send({ type: 'stream.heartbeat' }),
    connections: tab.open,
  };
  const listOf = createTimelineStore({
    connection: tab.connection,
    read: (_, { limit, after }): Promise<ReadPage> => {
      server.reads += 1;
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
      if (server.problem) return Promise.reject(server.problem);
      const begin = server.entries.findIndex(({ id }) => id === after) + 1;
      const data = server.entries.slice(begin, begin + Number(limit));
      const next = begin + data.length < server.entries.length ? data.at(-1)?.id : undefined;
      return Promise.resolve({ data, next });
    },
  });
  return { server, listOf };
}

/** Lets `ms` pass, and answers arrive. */
const after = (ms = 0) => vi.advanceTimersByTimeAsync(ms);
const visible = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
};

/** Subscribes to a list as a component does. */
async function look({ listOf }: ReturnType<typeof serverWith>, filter = {}, limit = '3') {
  const list = listOf(filter, limit);
  const end = list.subscribe(() => undefined);
  await after();
  return { list, end, ids: () => list.view().entries.map(({ id }) => Number(id)) };
}

/** Subscribes to a list whose stream opens. */
async function lookLive(store: ReturnType<typeof serverWith>, filter = {}) {
  const looking = await look(store, filter);
  store.server.opened();
  await after();
  return looking;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the live timeline of a page', () => {
  it('lists read entries, then streamed ones, newest first and without duplicates', async () => {
    const store = serverWith([3, 2, 1]);
    const { list, ids } = await lookLive(store);
    expect(store.server.reads).toBe(1);
    store.server.pass({ id: '4' });
    store.server.hear(timelineEntry({ id: '4' }));
    expect(ids()).toEqual([4, 3, 2, 1]);
    expect(list.view()).toMatchObject({ state: 'live', problem: null, more: false });
  });

  it('uses one stream for all viewers, and none when unused or hidden (behaviour 10.17.5)', async () => {
    const store = serverWith([1]);
    const { connections } = store.server;
    const one = await look(store);
    const two = await look(store, { kind: 'webhook' });
    expect(connections()).toBe(1);
    one.end();
    expect(connections()).toBe(1);
    visible('hidden');
    expect(connections()).toBe(0);
    visible('visible');
    expect(connections()).toBe(1);
    two.end();
    await after(5000);
    expect(connections()).toBe(0);
  });

  it('reaches all windows of a browser through one window’s stream', async () => {
    const browser = browserWithTabs();
    const windows = [1, 2, 3].map(() => serverWith([1], browser));
    const lists = await Promise.all(windows.map((each) => look(each)));
    windows[0]!.server.opened();
    await after();
    const newest = () => lists.map(({ ids }) => ids()[0]);
    expect([windows.map(({ server }) => server.connections()), newest()]).toEqual([
      [1, 0, 0],
      [1, 1, 1],
    ]);
    windows[0]!.server.pass({ id: '2' });
    await after();
    expect(newest()).toEqual([2, 2, 2]);
    expect(lists.map(({ list }) => list.view().state)).toEqual(['live', 'live', 'live']);
    expect(windows.map(({ server }) => server.reads)).toEqual([1, 1, 1]);
  });

  it('is polled every two seconds by a window with neither a stream nor a broadcast channel', async () => {
    const browser = browserWithTabs({ channel: null });
    const windows = [1, 2].map(() => serverWith([1], browser));
    const [, other] = [await look(windows[0]!), await look(windows[1]!)];
    await after(100);
    expect(other.ids()).toEqual([1]);
    windows[1]!.server.pass({ id: '2' }, false);
    await after(1999);
    expect(other.ids()).toEqual([1]);
    await after(1);
    expect(other.ids()).toEqual([2, 1]);
    expect(other.list.view().state).toBe('live');
  });

  it('keeps its stream open for the next page and reads that page’s list once', async () => {
    const store = serverWith([1]);
    const before = await lookLive(store);
    before.end();
    const next = await look(store, { kind: 'service' });
    expect([store.server.reads, store.server.connections()]).toEqual([2, 1]);
    store.server.pass({ id: '2', kind: 'service' });
    expect(next.ids()).toEqual([2, 1]);
    // Entries that arrived meanwhile are included.
    expect((await look(store)).ids()).toEqual([2, 1]);
    expect(store.server.reads).toBe(2);
  });

  it('reads an unwatched list again if entries were missed while the stream was lost', async () => {
    const store = serverWith([1]);
    const before = await lookLive(store);
    await look(store, { kind: 'service' });
    before.end();
    store.server.lost();
    store.server.pass({ id: '2' }, false);
    await after(1000);
    store.server.opened();
    await after();
    expect((await look(store)).ids()).toEqual([2, 1]);
  });

  it('is read after 1 s if a proxy delays its stream, and again when the stream opens (behaviour 10.17.9)', async () => {
    const store = serverWith([1]);
    const { list } = await look(store);
    await after(999);
    expect(store.server.reads).toBe(0);
    await after(1);
    expect([store.server.reads, list.view().entries.length]).toEqual([1, 1]);
    const late = await look(store, { kind: 'service' });
    expect(late.ids(), 'without waiting, because it is known').toEqual([1]);
    store.server.opened();
    expect(store.server.reads).toBe(4);
  });

  it('is read at once by a new viewer while its stream is lost', async () => {
    const store = serverWith([1]);
    const before = await lookLive(store);
    before.end();
    store.server.lost();
    store.server.pass({ id: '2', kind: 'service' }, false);
    expect((await look(store, { kind: 'service' })).ids()).toEqual([2, 1]);
    expect((await look(store)).ids(), 'also one that was current').toEqual([2, 1]);
  });

  it('applies a list’s filter to streamed entries', async () => {
    const store = serverWith([]);
    const { ids } = await lookLive(store, { kind: 'webhook', text: 'Batch' });
    store.server.pass({ id: '1', kind: 'webhook', name: 'batchUpdated' });
    store.server.pass({ id: '2', kind: 'service', name: 'batchUpdated' });
    store.server.pass({ id: '3', kind: 'webhook', name: 'other' });
    expect(ids()).toEqual([1]);
  });

  it('has no gap after a lost stream, however many entries were missed', async () => {
    const store = serverWith([3, 2, 1]);
    const { list, ids } = await lookLive(store);
    const broken = async (...passed: number[]) => {
      store.server.lost();
      expect(list.view().state).toBe('resuming');
      for (const id of passed) store.server.pass({ id: String(id) }, false);
      await after(2000);
      store.server.opened();
      await after();
    };
    await broken(4);
    expect(ids()).toEqual([4, 3, 2, 1]);
    await broken(5, 6, 7, 8, 9, 10, 11, 12);
    expect(ids()).toEqual([12, 11, 10]);
    expect(list.view()).toMatchObject({ state: 'live', more: true });
    list.loadMore();
    await after();
    expect(ids()).toEqual([12, 11, 10, 9, 8, 7]);
  });

  it('keeps an entry that arrives during a read', async () => {
    const store = serverWith([2, 1]);
    const { list, ids } = await lookLive(store);
    list.retry();
    store.server.hear(timelineEntry({ id: '3' }));
    await after();
    expect(ids()).toEqual([3, 2, 1]);
  });

  it('reconnects after a lost stream and shows its entries meanwhile', async () => {
    const store = serverWith([1]);
    const { list } = await lookLive(store);
    store.server.problem = { code: 'console-unreachable', status: 0 };
    for (const wait of [1000, 2000]) {
      store.server.lost();
      await after(wait);
      expect(store.server.connections()).toBe(1);
      expect(list.view()).toMatchObject({ state: 'resuming', entries: [{ id: '1' }] });
    }
    store.server.problem = undefined;
    store.server.opened();
    await after();
    expect(list.view().state).toBe('live');
  });

  it('is read again after a failed read although the stream is open', async () => {
    const store = serverWith([1]);
    const { list, ids } = await lookLive(store);
    store.server.lost();
    await after(1000);
    store.server.problem = { code: 'console-unreachable', status: 0 };
    store.server.opened();
    await after();
    expect(list.view().state).toBe('resuming');
    store.server.pass({ id: '2' }, false);
    store.server.problem = undefined;
    await after(2000);
    store.server.opened();
    await after();
    expect(list.view().state).toBe('live');
    expect(ids()).toEqual([2, 1]);
    const { reads } = store.server;
    for (let beats = 0; beats < 5; beats += 1) {
      await after(15_000);
      store.server.beat();
    }
    expect(store.server.reads).toBe(reads);
  });

  it('shows a refusal’s reason, stops reconnecting, and starts again on a retry', async () => {
    const store = serverWith([1]);
    const { list, ids } = await lookLive(store);
    store.server.problem = { code: 'signed-out', status: 401 };
    store.server.lost();
    await after(1000);
    store.server.lost(); // refused
    await after();
    expect(list.view()).toMatchObject({ state: 'failed', problem: { code: 'signed-out' } });
    await after(100_000);
    expect(store.server.connections()).toBe(0);
    store.server.problem = undefined;
    list.retry();
    expect(list.view().state).toBe('loading');
    store.server.opened();
    await after();
    expect(ids()).toEqual([1]);
  });

  it('reads from the start when the page cursor’s entry has been deleted', async () => {
    const store = serverWith([9, 8, 7, 6, 5]);
    const { list, ids } = await lookLive(store);
    store.server.problem = { code: 'invalid-request', status: 400 };
    list.loadMore();
    store.server.problem = undefined;
    await after();
    expect(ids()).toEqual([9, 8, 7]);
    store.server.problem = { code: 'internal', status: 500 };
    list.loadMore();
    await after();
    expect(ids()).toEqual([9, 8, 7]);
    expect(list.view()).toMatchObject({ problem: { code: 'internal' } });
  });
});
