import { expect, it, vi } from 'vitest';
import { createSingleFlight, inTurns, othersTurn } from '#server/concurrency.ts';

/** A load that ends when told to. */
function heldLoad<Value>() {
  let [resolve, reject] = [(_value: Value): void => undefined, (_error: Error): void => undefined];
  const promise = new Promise<Value>((...settle) => ([resolve, reject] = settle));
  return { load: vi.fn(() => promise), resolve, reject };
}

it('concurrent callers with one key share one load and its result; other keys load by themselves', async () => {
  const flights = createSingleFlight<number>();
  const [one, other] = [heldLoad<number>(), heldLoad<number>()];
  const results = [flights.run('a', one.load), flights.run('a', other.load), flights.run('b', other.load)];
  one.resolve(1);
  other.resolve(2);
  expect(await Promise.all(results)).toEqual([1, 1, 2]);
  expect([one.load.mock.calls.length, other.load.mock.calls.length]).toEqual([1, 1]);
});

it('concurrent callers share the failure of a load; the next caller loads again', async () => {
  const flights = createSingleFlight<string>();
  const failing = heldLoad<string>();
  const results = [flights.run('', failing.load), flights.run('', failing.load)];
  failing.reject(new Error('down'));
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await flights.run('', () => Promise.resolve('up'))).toBe('up');
});

it('a caller learns what the first one tells of a load, until the load has ended', async () => {
  const flights = createSingleFlight<void, { by: string }>();
  const held = heldLoad<void>();
  const first = flights.run('key', held.load, { by: 'first' });
  void flights.run('key', held.load, { by: 'second' });
  expect(flights.underWay('key')?.about).toEqual({ by: 'first' });
  held.resolve();
  await first;
  expect(flights.underWay('key')).toBeUndefined();
});

it('works that let others have their turn go on one in each turn of the event loop, in their order, so that a request waits for one part of one of them', async () => {
  const heard: string[] = [];
  const work = async (name: string) => {
    for (let part = 1; part <= 2; part += 1) {
      await othersTurn();
      heard.push(`${name}${part}`);
    }
  };
  let isOver = false;
  const listen = () => {
    if (isOver) return;
    heard.push('others');
    setImmediate(listen);
  };
  const works = ['a', 'b', 'c'].map(work);
  listen();
  await Promise.all(works);
  isOver = true;
  expect(heard.filter((each) => each !== 'others')).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
  expect(heard.join(' ')).not.toMatch(/[abc]\d [abc]\d/);
});

it('values of a long list are taken in their order, and others have their turn after every few of them', async () => {
  const values = Array.from({ length: 1000 }, (_, index) => index);
  const takenAt: number[][] = [[]];
  let isOver = false;
  const listen = () => {
    if (isOver) return;
    takenAt.push([]);
    setImmediate(listen);
  };
  listen();
  for await (const value of inTurns(values)) takenAt.at(-1)!.push(value);
  isOver = true;
  expect(takenAt.flat()).toEqual(values);
  expect(Math.max(...takenAt.map(({ length }) => length))).toBeLessThanOrEqual(50);
});
