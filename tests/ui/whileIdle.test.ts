// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { whileIdle } from '#ui/whileIdle.ts';

let asked: IdleRequestCallback[] = [];
/** The browser is idle for so many items. */
function idleFor(items: number): void {
  const [next] = asked.splice(0, 1);
  let left = items + 1;
  next?.({ didTimeout: false, timeRemaining: () => ((left -= 1) > 0 ? 10 : 0) });
}
function browserWithIdleTime(): void {
  asked = [];
  vi.stubGlobal('requestIdleCallback', (work: IdleRequestCallback) => asked.push(work));
  vi.stubGlobal('cancelIdleCallback', () => (asked = []));
}
afterEach(() => vi.unstubAllGlobals());

it('items are worked through in as many idle times as they need', () => {
  browserWithIdleTime();
  const done: number[] = [];
  whileIdle([1, 2, 3, 4, 5], (item) => done.push(item));
  expect(done).toEqual([]);
  idleFor(2);
  expect(done).toEqual([1, 2]);
  idleFor(0);
  expect(done).toEqual([1, 2]);
  idleFor(9);
  expect(done).toEqual([1, 2, 3, 4, 5]);
  expect(asked).toEqual([]);
});

it('work that was ended does not go on', () => {
  browserWithIdleTime();
  const done: number[] = [];
  const end = whileIdle([1, 2, 3], (item) => done.push(item));
  idleFor(1);
  end();
  idleFor(9);
  expect(done).toEqual([1]);
});

it('a browser that does not tell of idle time is left alone', () => {
  const done: number[] = [];
  whileIdle([1, 2], (item) => done.push(item))();
  expect(done).toEqual([]);
});
