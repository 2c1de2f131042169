// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createNews, type Listener } from '#app/api/recordEvents.ts';
import { browserLocks } from '#tests/support/browserLocks.ts';

/** A page whose streams are counted, and what it was told of. */
function page(locks?: ReturnType<typeof browserLocks>) {
  const streams: { ids: readonly string[]; listener: Listener; open: boolean }[] = [];
  const news = createNews({
    locks,
    connect(ids, listener) {
      const stream = { ids, listener, open: true };
      streams.push(stream);
      return () => (stream.open = false);
    },
  });
  const open = () => streams.filter((each) => each.open);
  return { ...news, streams, open, last: () => streams.at(-1)! };
}

const visible = (state: DocumentVisibilityState) => {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  document.dispatchEvent(new Event('visibilitychange'));
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('the news of what a page waits for', () => {
  it('comes by one stream, open only while somebody waits', () => {
    const { hear, open, streams, last } = page();
    expect(streams).toHaveLength(0);
    const ends = ['message-1', 'batch-1', 'batch-1'].map((id) => hear(id, () => undefined));
    expect(open()).toHaveLength(1);
    expect(last().ids).toEqual(['message-1', 'batch-1']);
    for (const end of ends) end();
    expect(open()).toEqual([]);
  });

  it('wakes those who wait for it, and everybody once when the stream is open', () => {
    const { hear, last } = page();
    const [first, second] = [vi.fn(), vi.fn()];
    const ends = [hear('message-1', first), hear('message-2', second)];
    last().listener.opened();
    vi.advanceTimersByTime(100);
    last().listener.heard('message-2');
    last().listener.heard('another');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 2]);
    for (const end of ends) end();
  });

  it('wakes at most every 100 ms however many events come, and once more at the end', () => {
    const { hear, last } = page();
    const wake = vi.fn();
    const end = hear('message-1', wake);
    for (let ms = 0; ms < 950; ms += 1) {
      last().listener.heard('message-1');
      vi.advanceTimersByTime(1);
    }
    expect(wake.mock.calls.length).toBe(10);
    vi.advanceTimersByTime(1000);
    expect(wake.mock.calls.length).toBe(11);
    last().listener.heard('message-1');
    last().listener.heard('message-1');
    end();
    vi.advanceTimersByTime(1000);
    expect(wake.mock.calls.length, 'nothing once it has ended').toBe(12);
  });

  it('needs no stream while the page is hidden, and catches up when it is shown', () => {
    const { hear, open, last } = page();
    const wake = vi.fn();
    const end = hear('message-1', wake);
    visible('hidden');
    expect(open()).toEqual([]);
    visible('visible');
    expect(open()).toHaveLength(1);
    last().listener.opened();
    expect(wake).toHaveBeenCalledTimes(1);
    window.dispatchEvent(new Event('pagehide'));
    expect(open()).toEqual([]);
    window.dispatchEvent(new Event('pageshow'));
    expect(open()).toHaveLength(1);
    end();
  });

  it('leaves a lost or refused stream closed for a while, longer each time', () => {
    const { hear, open, streams, last } = page();
    const end = hear('message-1', () => undefined);
    for (const [time, rest] of [5, 10, 20, 40].entries()) {
      last().listener.lost();
      expect(open()).toEqual([]);
      vi.advanceTimersByTime(rest * 1000 - 1);
      expect(streams).toHaveLength(time + 1);
      vi.advanceTimersByTime(1);
      expect(open()).toHaveLength(1);
    }
    last().listener.beaten();
    last().listener.lost();
    vi.advanceTimersByTime(5000);
    expect(open(), 'one that has lived counts anew').toHaveLength(1);
    end();
  });

  it('opens a stream anew that has been silent for long, as after a sleep', () => {
    const { hear, open, streams, last } = page();
    const end = hear('message-1', () => undefined);
    for (let beats = 0; beats < 10; beats += 1) {
      vi.advanceTimersByTime(15_000);
      last().listener.beaten();
    }
    expect(streams).toHaveLength(1);
    vi.advanceTimersByTime(40_000);
    expect(open()).toEqual([]);
    vi.advanceTimersByTime(5000);
    expect([streams.length, open().length]).toEqual([2, 1]);
    end();
  });

  it('comes by another stream of the page while there is one', () => {
    const { hear, carry, open } = page();
    const wake = vi.fn();
    const end = hear('message-1', wake);
    const carrier = carry();
    expect(open()).toEqual([]);
    vi.advanceTimersByTime(100);
    carrier.heard('message-1');
    expect(wake).toHaveBeenCalledTimes(2);
    carrier.end();
    expect(open()).toHaveLength(1);
    end();
  });

  it('takes at most two connections of all tabs of a browser; a further tab gets one when another leaves', async () => {
    const locks = browserLocks();
    const tabs = [page(locks), page(locks), page(locks), page(locks)];
    const ends = tabs.map(({ hear }) => hear('message-1', () => undefined));
    await vi.advanceTimersByTimeAsync(1);
    const counts = () => tabs.map(({ open }) => open().length);
    expect(counts()).toEqual([1, 1, 0, 0]);
    ends[3]!();
    ends[0]!();
    await vi.advanceTimersByTimeAsync(1);
    expect(counts()).toEqual([0, 1, 1, 0]);
    for (const end of ends) end();
    await vi.advanceTimersByTimeAsync(1);
    const again = tabs[3]!.hear('message-2', () => undefined);
    await vi.advanceTimersByTimeAsync(1);
    expect(counts(), 'all were given back').toEqual([0, 0, 0, 1]);
    again();
  });

  it('is not waited for where the browser knows no streams', () => {
    const { hear } = createNews({ connect: undefined, locks: undefined });
    const end = hear('message-1', () => expect.unreachable());
    visible('visible');
    vi.advanceTimersByTime(100_000);
    end();
  });
});
