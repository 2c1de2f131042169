// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TimelineEntry } from '#contract/timeline.ts';
import type { ReadPage } from '#app/api/timelineList.ts';
import type { Locks } from '#app/api/streamLocks.ts';
import type { Listener } from '#app/api/timelineSource.ts';
import { createTimelineStore } from '#app/api/timelineStore.ts';
import { browserLocks } from '#tests/support/browserLocks.ts';
import { timelineEntry } from '#tests/support/timelineEntry.ts';

/** A server that has these entries, newest first; readings and connections are counted. */
function serverWith(ids: readonly number[], kind: TimelineEntry['kind'] = 'service', locks?: Locks) {
  const server = {
    entries: ids.map((id) => timelineEntry({ id: String(id), kind })),
    problem: undefined as { code: string; status: number } | undefined,
    reads: 0,
    listener: undefined as Listener | undefined,
    connections: 0,
    /** Connections open by themselves while the server can be read. */
    holdsBack: false,
    /** Something passes. */
    pass(entry: Partial<TimelineEntry>, heard = true) {
      const full = timelineEntry(entry);
      server.entries.unshift(full);
      if (heard) server.listener?.heard(full);
    },
  };
  const listOf = createTimelineStore({
    read: (_, { limit, after }): Promise<ReadPage> => {
      server.reads += 1;
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- calls reject with problems
      if (server.problem) return Promise.reject(server.problem);
      const begin = server.entries.findIndex(({ id }) => id === after) + 1;
      const data = server.entries.slice(begin, begin + Number(limit));
      const next = begin + data.length < server.entries.length ? data.at(-1)?.id : undefined;
      return Promise.resolve({ data, next });
    },
    follow(listener) {
      server.connections += 1;
      server.listener = listener;
      queueMicrotask(() => server.problem === undefined && !server.holdsBack && listener.opened());
      return () => {
        server.connections -= 1;
        server.listener = undefined;
      };
    },
    locks,
  });
  return { server, listOf };
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const visible = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
};

let ends: (() => void)[] = [];
/** Looks at a list as a component does. */
async function look({ listOf }: ReturnType<typeof serverWith>, filter = {}, limit = '3') {
  const list = listOf(filter, limit);
  const changed = vi.fn();
  const end = list.subscribe(changed);
  ends.push(end);
  await settled();
  return { list, end, changed, ids: () => list.view().entries.map(({ id }) => Number(id)) };
}

beforeEach(() => {
  ends = [];
});
afterEach(() => {
  for (const end of ends) end();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('the live timeline of a page', () => {
  it('shows what was read, then what is heard, newest first and each entry once', async () => {
    const store = serverWith([3, 2, 1]);
    const { list, ids } = await look(store);
    expect(store.server.reads).toBe(1);
    store.server.pass({ id: '4' });
    store.server.listener!.heard(timelineEntry({ id: '4' }));
    await settled();
    expect(ids()).toEqual([4, 3, 2, 1]);
    expect(list.view()).toMatchObject({ state: 'live', problem: null, more: false });
  });

  it('is followed by one connection, whoever looks, and by none when nobody does or the page is hidden', async () => {
    const store = serverWith([1]);
    const one = await look(store);
    const two = await look(store, { kind: 'webhook' });
    expect(store.server.connections).toBe(1);
    one.end();
    expect(store.server.connections).toBe(1);
    visible('hidden');
    expect(store.server.connections).toBe(0);
    visible('visible');
    expect(store.server.connections).toBe(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    two.end();
    vi.advanceTimersByTime(5000);
    expect(store.server.connections).toBe(0);
    visible('visible');
    window.dispatchEvent(new Event('pageshow'));
    expect(store.server.connections).toBe(0);
  });

  it('has two connections for all windows of a browser; the others read it every two seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const locks = browserLocks();
    const windows = [1, 2, 3, 4].map(() => serverWith([1], 'service', locks));
    const lists = windows.map(({ listOf }) => listOf({}, '3'));
    const leave = lists.map((list) => list.subscribe(() => undefined));
    ends.push(...leave);
    await vi.advanceTimersByTimeAsync(100);
    const connections = () => windows.map(({ server }) => server.connections);
    const newest = () => lists.map((list) => Number(list.view().entries[0]?.id));
    expect([connections(), newest()]).toEqual([
      [1, 1, 0, 0],
      [1, 1, 1, 1],
    ]);
    for (const { server } of windows) server.pass({ id: '2' });
    expect(newest()).toEqual([2, 2, 1, 1]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(newest()).toEqual([2, 2, 2, 2]);
    expect(lists.map((list) => list.view().state)).toEqual(['live', 'live', 'live', 'live']);
    leave[0]!();
    await vi.advanceTimersByTimeAsync(5000);
    expect(connections(), 'the next window has the connection').toEqual([0, 1, 1, 0]);
    const reads = windows[2]!.server.reads;
    await vi.advanceTimersByTimeAsync(5000);
    expect(windows[2]!.server.reads).toBe(reads);
  });

  it('keeps the connection for the next page, whose list is read once', async () => {
    const store = serverWith([1]);
    const before = await look(store);
    before.end();
    const after = await look(store, { kind: 'service' });
    expect([store.server.reads, store.server.connections]).toEqual([2, 1]);
    store.server.pass({ id: '2' });
    expect(after.ids()).toEqual([2, 1]);
    // What it heard meanwhile is there.
    expect((await look(store)).ids()).toEqual([2, 1]);
    expect(store.server.reads).toBe(2);
  });

  it('reads a list again that nobody looked at while the connection was lost', async () => {
    const store = serverWith([1]);
    const before = await look(store);
    await look(store, { kind: 'service' });
    before.end();
    store.server.listener!.lost(false);
    store.server.pass({ id: '2' }, false);
    store.server.listener!.opened();
    await settled();
    expect((await look(store)).ids()).toEqual([2, 1]);
  });

  it('is read although a proxy holds its connection back, and once more when that opens', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const store = serverWith([1]);
    store.server.holdsBack = true;
    const list = store.listOf({}, '3');
    ends.push(list.subscribe(() => undefined));
    await vi.advanceTimersByTimeAsync(999);
    expect(store.server.reads).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect([store.server.reads, list.view().entries.length]).toEqual([1, 1]);
    store.server.listener!.opened();
    expect(store.server.reads).toBe(2);
  });

  it('is read at once while its connection is lost', async () => {
    const store = serverWith([1]);
    await look(store);
    store.server.listener!.lost(false);
    const { ids } = await look(store, { kind: 'service' });
    expect(ids()).toEqual([1]);
  });

  it('lets go of the connection when the page is left', async () => {
    const store = serverWith([1]);
    await look(store);
    window.dispatchEvent(new Event('pagehide'));
    expect(store.server.connections).toBe(0);
  });

  it('gives a list only what its filter lets pass', async () => {
    const store = serverWith([]);
    const { ids } = await look(store, { kind: 'webhook', text: 'Batch' });
    store.server.pass({ id: '1', kind: 'webhook', name: 'batchUpdated' });
    store.server.pass({ id: '2', kind: 'service', name: 'batchUpdated' });
    store.server.pass({ id: '3', kind: 'webhook', name: 'other' });
    expect(ids()).toEqual([1]);
  });

  it('has no gap after a break, however much passed meanwhile', async () => {
    const store = serverWith([3, 2, 1]);
    const { list, ids } = await look(store);
    store.server.listener!.lost(false);
    expect(list.view().state).toBe('resuming');
    store.server.pass({ id: '4' }, false);
    store.server.listener!.opened();
    await settled();
    expect(ids()).toEqual([4, 3, 2, 1]);

    for (let id = 5; id <= 12; id += 1) store.server.pass({ id: String(id) }, false);
    store.server.listener!.opened();
    await settled();
    expect(ids()).toEqual([12, 11, 10]);
    expect(list.view()).toMatchObject({ state: 'live', more: true });
    list.loadMore();
    await settled();
    expect(ids()).toEqual([12, 11, 10, 9, 8, 7]);
  });

  it('keeps what it hears while it reads', async () => {
    const store = serverWith([2, 1]);
    const { list, ids } = await look(store);
    list.retry();
    store.server.listener!.heard(timelineEntry({ id: '3' }));
    await settled();
    expect(ids()).toEqual([3, 2, 1]);
  });

  it('comes again by itself, ever less often, when the browser gave up', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const store = serverWith([1]);
    const list = store.listOf({}, '3');
    ends.push(list.subscribe(() => undefined));
    await vi.advanceTimersByTimeAsync(0);
    store.server.problem = { code: 'console-unreachable', status: 0 };
    const first = store.server.listener;
    first!.lost(true);
    await vi.advanceTimersByTimeAsync(1000);
    const second = store.server.listener;
    expect(second).not.toBe(first);
    expect(list.view()).toMatchObject({ state: 'resuming', entries: [{ id: '1' }] });
    second!.lost(true);
    await vi.advanceTimersByTimeAsync(1999);
    expect(store.server.listener).toBe(second);
    await vi.advanceTimersByTimeAsync(1);
    expect(store.server.listener).not.toBe(second);
    store.server.problem = undefined;
    store.server.listener!.opened();
    await vi.advanceTimersByTimeAsync(0);
    expect(list.view().state).toBe('live');
    expect(store.server.connections).toBe(1);
  });

  it('is read again by itself when that failed although the connection is open', async () => {
    const store = serverWith([1]);
    const { list, ids } = await look(store);
    vi.useFakeTimers();
    store.server.listener!.lost(false);
    store.server.problem = { code: 'console-unreachable', status: 0 };
    store.server.listener!.opened();
    await vi.advanceTimersByTimeAsync(0);
    expect(list.view().state).toBe('resuming');
    store.server.pass({ id: '2' }, false);
    await vi.advanceTimersByTimeAsync(1000);
    store.server.problem = undefined;
    await vi.advanceTimersByTimeAsync(2000);
    expect(list.view().state).toBe('live');
    expect(ids()).toEqual([2, 1]);
    const { reads } = store.server;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(store.server.reads).toBe(reads);
  });

  it('says why it cannot be read, stops where waiting does not help, and begins again when asked to', async () => {
    const store = serverWith([1]);
    const { list, ids } = await look(store);
    store.server.problem = { code: 'signed-out', status: 401 };
    store.server.listener!.lost(true);
    await settled();
    expect(list.view()).toMatchObject({ state: 'failed', problem: { code: 'signed-out' } });
    expect(store.server.connections).toBe(0);
    store.server.problem = undefined;
    list.retry();
    expect(list.view().state).toBe('loading');
    await settled();
    expect(ids()).toEqual([1]);
    expect(store.server.connections).toBe(1);
  });

  it('begins anew when the entry from which to go on is no longer kept', async () => {
    const store = serverWith([9, 8, 7, 6, 5]);
    const { list, ids } = await look(store);
    store.server.problem = { code: 'invalid-request', status: 400 };
    list.loadMore();
    store.server.problem = undefined;
    await settled();
    await settled();
    expect(ids()).toEqual([9, 8, 7]);
    store.server.problem = { code: 'internal', status: 500 };
    list.loadMore();
    await settled();
    expect(ids()).toEqual([9, 8, 7]);
    expect(list.view()).toMatchObject({ problem: { code: 'internal' } });
  });
});
