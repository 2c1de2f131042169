// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { whileIdle } from '#ui/whileIdle.ts';

const items = Array.from({ length: 1000 }, (_, index) => index);

let asked: IdleRequestCallback[] = [];
/** One turn, in which the browser is idle for so many readings of its time. */
function turn(readings: number): void {
  const [next] = asked.splice(0, 1);
  let left = readings;
  next?.({ didTimeout: readings === 0, timeRemaining: () => ((left -= 1) >= 0 ? 10 : 0) });
}
function browserWithIdleTime(): void {
  asked = [];
  vi.stubGlobal('requestIdleCallback', (work: IdleRequestCallback) => asked.push(work));
  vi.stubGlobal('cancelIdleCallback', () => (asked = []));
}
afterEach(() => vi.unstubAllGlobals());

it('items are worked through in turns, each once and in order, also in a browser that is never idle', () => {
  browserWithIdleTime();
  const done: number[] = [];
  whileIdle(items, (item) => done.push(item));
  expect(done).toEqual([]);
  turn(0);
  const first = done.length;
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThan(items.length / 2);
  turn(1);
  expect(done.length).toBe(3 * first);
  turn(99);
  expect(done).toEqual(items);
  expect(asked).toEqual([]);
});

it('work that was ended does not go on', () => {
  browserWithIdleTime();
  const done: number[] = [];
  const end = whileIdle(items, (item) => done.push(item));
  turn(0);
  const before = done.length;
  end();
  turn(99);
  expect(done.length).toBe(before);
});

it('a browser that does not tell of idle time is left alone', () => {
  const done: number[] = [];
  whileIdle(items, (item) => done.push(item))();
  expect(done).toEqual([]);
});
