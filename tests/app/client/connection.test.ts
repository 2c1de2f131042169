// @vitest-environment jsdom
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TabEvent } from '#machines/connection.machine.ts';
import { createConnection } from '#app/client/connection.ts';
import { browserChannels, browserLocks, browserWithTabs, testPage } from '#tests/support/browserTabs.ts';

const visible = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
};
/** Changes only its own element: the head holds styles of other test files. */
const signedIn = (subject: string) => {
  document.querySelector('meta[name=subject]')?.remove();
  const meta = Object.assign(document.createElement('meta'), { name: 'subject', content: subject });
  if (subject !== '') document.head.append(meta);
};
/** Lets locks be granted and messages between tabs arrive. */
const settled = () => vi.advanceTimersByTimeAsync(1);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  signedIn('');
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Tabs of a browser that are all subscribed; the first one holds the open stream. */
async function tabsWithStream(count: number, browser = browserWithTabs()) {
  const tabs = Array.from({ length: count }, () => browser.tab());
  for (const { connection } of tabs) connection.subscribe();
  await settled();
  tabs[0]!.send({ type: 'stream.opened' });
  await settled();
  for (const { emitted } of tabs) emitted.length = 0;
  return { browser, tabs };
}

describe('a page’s event stream', () => {
  it('closes while the page is hidden or left, and reopens when the page is shown', () => {
    const { connection, open } = testPage();
    const end = connection.subscribe();
    visible('hidden');
    expect(open()).toBe(0);
    visible('visible');
    expect(open()).toBe(1);
    window.dispatchEvent(new Event('pagehide'));
    expect(open()).toBe(0);
    window.dispatchEvent(new Event('pageshow'));
    expect(open()).toBe(1);
    end();
    vi.advanceTimersByTime(5000);
    visible('visible');
    expect(open(), 'nobody needs it').toBe(0);
  });

  it('stays closed in a page that starts in the background until that page is shown', () => {
    const { connection, open } = testPage();
    visible('hidden');
    connection.subscribe();
    expect(open()).toBe(0);
    window.dispatchEvent(new Event('pageshow'));
    expect(open()).toBe(0);
    visible('visible');
    expect(open()).toBe(1);
  });

  it('stays closed for a subscriber who comes while the page is hidden or left', () => {
    visible('hidden');
    const hidden = testPage();
    hidden.connection.subscribe();
    expect(hidden.open()).toBe(0);
    visible('visible');
    expect(hidden.open()).toBe(1);

    const left = testPage();
    window.dispatchEvent(new Event('pagehide'));
    left.connection.subscribe();
    expect(left.open(), 'the page may be kept, but it reads nothing').toBe(0);
    window.dispatchEvent(new Event('pageshow'));
    expect(left.open()).toBe(1);
  });

  it('reopens after being lost or refused, with a delay that doubles up to 30 s (behaviour 10.17.8)', () => {
    const { connection, open, streams, send, emitted } = testPage();
    connection.subscribe();
    for (const [time, rest] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      send({ type: 'stream.lost' });
      expect(open()).toBe(0);
      vi.advanceTimersByTime(rest * 1000 - 1);
      expect(streams).toHaveLength(time + 1);
      vi.advanceTimersByTime(1);
      expect(open()).toBe(1);
    }
    expect(
      emitted.filter((each) => each === 'due'),
      'each time reading says why',
    ).toHaveLength(7);
    send({ type: 'stream.opened' });
    send({ type: 'stream.heartbeat' });
    send({ type: 'stream.lost' });
    vi.advanceTimersByTime(1000);
    expect(open(), 'one that has lived counts anew').toBe(1);
  });

  it('is called lost from its loss until a heartbeat, and not before it is first opened (behaviour 4.57)', () => {
    const { connection, send } = testPage();
    expect(connection.isLost()).toBe(false);
    connection.subscribe();
    expect(connection.isLost()).toBe(false);
    send({ type: 'stream.opened' });
    send({ type: 'stream.lost' });
    expect(connection.isLost()).toBe(true);
    vi.advanceTimersByTime(1000);
    send({ type: 'stream.opened' });
    expect(connection.isLost()).toBe(true);
    send({ type: 'stream.heartbeat' });
    expect(connection.isLost()).toBe(false);
  });

  it('is called lost in a tab that follows another one, once that one has lost it', async () => {
    const { tabs } = await tabsWithStream(2);
    expect(tabs.map(({ connection }) => connection.isLost())).toEqual([false, false]);
    tabs[0]!.send({ type: 'stream.lost' });
    await settled();
    expect(tabs.map(({ connection }) => connection.isLost())).toEqual([true, true]);
  });

  it('reopens at once on a retry after it was lost', () => {
    const { connection, open, send } = testPage();
    connection.subscribe();
    for (let time = 0; time < 4; time += 1) {
      send({ type: 'stream.lost' });
      connection.send({ type: 'retry' });
      expect(open()).toBe(1);
    }
    send({ type: 'stream.lost' });
    vi.advanceTimersByTime(1000);
    expect(open(), 'and waits no longer than at first').toBe(1);
  });

  it('is replaced after 40 s without a heartbeat, as after sleep (behaviour 10.17.8)', () => {
    const { connection, open, streams, send, emitted } = testPage();
    connection.subscribe();
    send({ type: 'stream.opened' });
    for (let beats = 0; beats < 10; beats += 1) {
      vi.advanceTimersByTime(15_000);
      send({ type: 'stream.heartbeat' });
    }
    expect([streams.length, emitted]).toEqual([1, ['opened']]);
    vi.advanceTimersByTime(40_000);
    expect([open(), emitted]).toEqual([0, ['opened', 'interrupted']]);
    vi.advanceTimersByTime(1000);
    expect([streams.length, open()]).toEqual([2, 1]);
  });

  it('is replaced if it has not opened within 40 s', () => {
    const { connection, open } = testPage();
    connection.subscribe();
    vi.advanceTimersByTime(40_000);
    expect(open()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(open()).toBe(1);
  });

  it('is replaced after a delay when reading the missed records failed', () => {
    const { connection, open, send, emitted } = testPage();
    connection.subscribe();
    send({ type: 'stream.opened' });
    connection.send({ type: 'reading.failed' });
    expect([open(), emitted]).toEqual([0, ['opened', 'interrupted']]);
    vi.advanceTimersByTime(1000);
    expect(open()).toBe(1);
  });

  it('closes when a read is refused, until a retry, a new subscriber or the page being shown', () => {
    const { connection, open } = testPage();
    connection.subscribe();
    for (const again of [
      () => connection.send({ type: 'retry' }),
      () => connection.subscribe(),
      () => visible('visible'),
    ]) {
      connection.send({ type: 'reading.refused' });
      vi.advanceTimersByTime(100_000);
      expect(open()).toBe(0);
      again();
      expect(open()).toBe(1);
    }
  });
});

describe('browser tabs of the console', () => {
  it('share one event stream whose messages every tab receives (behaviour 10.17.6)', async () => {
    const { tabs } = await tabsWithStream(3);
    tabs[0]!.news('message-1');
    await settled();
    expect(tabs.map(({ open }) => open())).toEqual([1, 0, 0]);
    expect(tabs.map(({ emitted }) => emitted)).toEqual([['message-1'], ['message-1'], ['message-1']]);
  });

  it('read their records once when another tab takes over the stream of a closed tab (behaviour 10.17.7)', async () => {
    const { tabs } = await tabsWithStream(3);
    tabs[0]!.connection.stop();
    await settled();
    expect(tabs.map(({ open }) => open())).toEqual([0, 1, 0]);
    tabs[1]!.send({ type: 'stream.opened' });
    await settled();
    expect(tabs.slice(1).map(({ emitted }) => emitted)).toEqual([['opened'], ['opened']]);
    tabs[1]!.news('message-1');
    await settled();
    expect(tabs[2]!.emitted).toEqual(['opened', 'message-1']);
  });

  it('read their records once when they join an open stream; the other tabs do not', async () => {
    const { browser, tabs } = await tabsWithStream(2);
    const late = browser.tab();
    late.connection.subscribe();
    await settled();
    expect([late.emitted, ...tabs.map(({ emitted }) => emitted)]).toEqual([['opened'], [], []]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(late.emitted, 'and need not poll').toEqual(['opened']);
  });

  it('poll every two seconds only while the shared stream is not open', async () => {
    const { tabs } = await tabsWithStream(2);
    const [holder, other] = tabs;
    holder!.send({ type: 'stream.lost' });
    await vi.advanceTimersByTimeAsync(4500);
    expect(other!.emitted).toEqual(['interrupted', 'due', 'due', 'due']);
    holder!.send({ type: 'stream.opened' });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(other!.emitted).toEqual(['interrupted', 'due', 'due', 'due', 'opened']);
  });

  it('poll when the tab that holds the stream lock has sent nothing for 40 s', async () => {
    const [locks, channel] = [browserLocks(), browserChannels()];
    const holder = channel('events ');
    void locks.request('events ', {}, () => new Promise<void>(() => undefined));
    const { connection, emitted } = browserWithTabs({ locks, channel }).tab();
    connection.subscribe();
    await settled();
    const say = async (event: TabEvent) => {
      holder.postMessage(event);
      await vi.advanceTimersByTimeAsync(39_000);
      expect(connection.isLive()).toBe(true);
    };
    await say({ type: 'stream.opened' });
    await say({ type: 'stream.heartbeat' });
    await say({ type: 'stream.message', message: { type: 'news', id: 'message-1' } });
    await vi.advanceTimersByTimeAsync(1000);
    expect(connection.isLive()).toBe(false);
    expect(emitted).toEqual(['opened', 'message-1', 'interrupted', 'due']);
  });

  it('release the lock and channel, also if the lock is granted after they unsubscribed', async () => {
    let grant: () => unknown = () => undefined;
    const request = (_: string, __: LockOptions, use: () => unknown) => {
      grant = use;
      return new Promise<void>(() => undefined);
    };
    const channel = { postMessage: vi.fn(), close: vi.fn() };
    const { connection, open } = browserWithTabs({
      locks: { request: request as LockManager['request'] },
      channel: () => channel as unknown as BroadcastChannel, // what a page uses of it
    }).tab();
    const end = connection.subscribe();
    end();
    await vi.advanceTimersByTimeAsync(5000);
    expect(channel.close).toHaveBeenCalledTimes(1);
    const held = vi.fn();
    void Promise.resolve(grant()).then(held);
    await settled();
    expect([held.mock.calls.length, open()]).toEqual([1, 0]);
  });

  it('of two signed-in users have separate streams and receive no events of the other user (threat 6.30)', async () => {
    const browser = browserWithTabs();
    const [ada, ben] = [browser.tab(), browser.tab()];
    for (const [tab, subject] of [
      [ada, 'ada'],
      [ben, 'ben'],
    ] as const) {
      signedIn(subject);
      tab.connection.subscribe();
      await settled();
      tab.send({ type: 'stream.opened' });
    }
    ada.news('of-ada');
    ben.news('of-ben');
    await settled();
    expect([ada.emitted, ben.emitted]).toEqual([
      ['opened', 'of-ada'],
      ['opened', 'of-ben'],
    ]);
  });

  it('have one stream each if the browser lacks the Web Locks API', async () => {
    const browser = browserWithTabs({ locks: null });
    const tabs = [browser.tab(), browser.tab()];
    for (const { connection } of tabs) connection.subscribe();
    await settled();
    for (const { send } of tabs) send({ type: 'stream.opened' });
    tabs[0]!.news('message-1');
    await settled();
    expect(tabs.map(({ emitted }) => emitted)).toEqual([['opened', 'message-1'], ['opened']]);
  });

  it.each([
    ['have no channel', { channel: null }],
    ['are refused the lock', { locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) } }],
  ])('poll if they %s and have no stream', async (_, browser) => {
    const { tab } = browserWithTabs(browser);
    const tabs = [tab(), tab()];
    for (const { connection } of tabs) connection.subscribe();
    await vi.advanceTimersByTimeAsync(2100);
    expect(tabs[1]!.emitted).toEqual(['due', 'due']);
  });

  it('poll if the browser lacks EventSource', async () => {
    const connection = createConnection({ stream: undefined, locks: undefined, channel: undefined });
    const due = vi.fn();
    connection.on('due', due);
    connection.subscribe();
    await vi.advanceTimersByTimeAsync(2100);
    expect(due).toHaveBeenCalledTimes(2);
    connection.stop();
  });

  it('hold at most one stream and miss no event when tabs open, close or lose it at random (behaviour 10.17.6)', async () => {
    const action = fc.record({
      of: fc.nat(3),
      what: fc.constantFrom('subscribe', 'unsubscribe', 'close', 'open', 'lose', 'beat', 'change', 'wait'),
      ms: fc.integer({ min: 0, max: 50_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const browser = browserWithTabs();
        let latest = 0;
        const opened = () => {
          const tab = browser.tab();
          const page = { ...tab, known: 0, ends: [] as (() => void)[] };
          const read = () => (page.known = latest);
          tab.connection.on('opened', read);
          tab.connection.on('due', read);
          // A page that missed an event is behind until it reads.
          tab.connection.on('news', ({ id }) => Number(id) === page.known + 1 && (page.known += 1));
          return page;
        };
        const tabs = [opened(), opened(), opened(), opened()];
        const subscribed = () => tabs.filter(({ ends }) => ends.length > 0);
        const holders = () => tabs.filter((tab) => tab.open() > 0);
        const acts = {
          subscribe: (tab: number) => {
            const { connection, ends } = tabs[tab]!;
            ends.push(connection.subscribe());
            if (!connection.isLive() && !connection.isOpening()) tabs[tab]!.known = latest;
          },
          unsubscribe: (tab: number) => tabs[tab]!.ends.pop()?.(),
          close: (tab: number) => {
            tabs[tab]!.connection.stop();
            tabs[tab] = opened();
          },
          open: () =>
            holders().forEach(({ send, connection }) => !connection.isLive() && send({ type: 'stream.opened' })),
          lose: () => holders().forEach(({ send }) => send({ type: 'stream.lost' })),
          beat: () => holders().forEach(({ send }) => send({ type: 'stream.heartbeat' })),
          change: () => {
            latest += 1;
            holders().forEach(({ news, connection }) => connection.isLive() && news(String(latest)));
          },
          wait: () => undefined,
        };
        for (const { of, what, ms } of actions) {
          acts[what](of);
          await vi.advanceTimersByTimeAsync(what === 'wait' ? ms : 1);
          expect(holders().length).toBeLessThanOrEqual(1);
        }
        await vi.advanceTimersByTimeAsync(31_000);
        // A stream that was lost just now is opened again after a pause.
        if (subscribed().length > 0 && holders().length === 0) await vi.advanceTimersByTimeAsync(30_000);
        acts.open();
        await settled();
        if (subscribed().length > 0) expect(holders()).toHaveLength(1);
        expect(subscribed().map(({ known }) => known)).toEqual(subscribed().map(() => latest));
        acts.change();
        await settled();
        expect(subscribed().map(({ known }) => known)).toEqual(subscribed().map(() => latest));
        for (const { connection } of tabs) connection.stop();
      }),
      { numRuns: 60 },
    );
  });
});
