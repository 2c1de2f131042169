import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRecordEvents } from '#app/client/recordEvents.ts';
import { testPage } from '#tests/support/browserTabs.ts';

/** A page that subscribes to record events; `opened` opens its stream. */
function page() {
  const { connection, send, news, open } = testPage();
  return { ...createRecordEvents(connection), news, open, opened: () => send({ type: 'stream.opened' }) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a subscription to events of a record', () => {
  it('shares one stream, which stays open until 5 s after the last subscription ends', () => {
    const { hear, open } = page();
    expect(open()).toBe(0);
    const ends = ['message-1', 'batch-1', 'batch-1'].map((id) => hear(id, () => undefined));
    expect(open()).toBe(1);
    for (const end of ends) end();
    vi.advanceTimersByTime(4999);
    expect(open()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(open()).toBe(0);
  });

  it('is called for its record’s events, and once when the stream opens', () => {
    const { hear, news, opened } = page();
    const [first, second] = [vi.fn(), vi.fn()];
    const ends = [hear('message-1', first), hear('message-2', second)];
    opened();
    vi.advanceTimersByTime(100);
    news('message-2');
    news('another');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 2]);
    for (const end of ends) end();
  });

  it('is called at once if the stream is already open, as events may have come before', () => {
    const { hear, opened } = page();
    hear('message-1', () => undefined);
    opened();
    const wake = vi.fn();
    hear('message-2', wake);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('is called at most every 100 ms during a burst of events, and once more at its end (behaviour 4.13)', () => {
    const { hear, news, opened } = page();
    const wake = vi.fn();
    const end = hear('message-1', wake);
    opened();
    vi.advanceTimersByTime(100);
    wake.mockClear();
    for (let ms = 0; ms < 950; ms += 1) {
      news('message-1');
      vi.advanceTimersByTime(1);
    }
    expect(wake.mock.calls.length).toBe(10);
    vi.advanceTimersByTime(1000);
    expect(wake.mock.calls.length).toBe(11);
    news('message-1');
    news('message-1');
    end();
    vi.advanceTimersByTime(1000);
    expect(wake.mock.calls.length, 'nothing once it has ended').toBe(12);
  });
});
