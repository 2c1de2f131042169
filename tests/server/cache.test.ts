import { describe, expect, it } from 'vitest';
import { createCache, createKept } from '#server/upstream/cache.ts';

/** A cache on a steady clock (ms) that the test moves; `loads` lists the keys loaded. */
function cacheOf(most = 100) {
  const clock = { time: 1_000_000, steady: () => clock.time };
  const kept = createKept<{ key: string }>(clock, most);
  const loads: string[] = [];
  const loading =
    (key: string, life = 1000, size = 1) =>
    () => {
      loads.push(key);
      return Promise.resolve({ value: { key }, life, size });
    };
  return { clock, kept, loads, loading, cached: createCache(kept) };
}

describe('a cache', () => {
  it('loads a value once for concurrent callers, and again when it has expired', async () => {
    const { clock, loads, loading, cached } = cacheOf();
    const [one, other] = await Promise.all([cached('a', loading('a')), cached('a', loading('a'))]);
    expect(one).toBe(other);
    clock.time += 1000;
    expect(await cached('a', loading('a'))).toBe(one);
    clock.time += 1;
    expect(await cached('a', loading('a'))).not.toBe(one);
    expect(loads).toEqual(['a', 'a']);
  });

  it('does not keep a failure', async () => {
    const { loading, cached } = cacheOf();
    await expect(cached('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cached('a', loading('a'))).toEqual({ key: 'a' });
  });

  it.each([0, -1])('does not keep a value that has %d ms to live', async (life) => {
    const { loads, loading, cached } = cacheOf();
    await cached('a', loading('a', life));
    await cached('a', loading('a', life));
    expect(loads).toEqual(['a', 'a']);
  });

  it('removes the least recently used value when it exceeds its size', async () => {
    const { kept, loading, cached } = cacheOf(100);
    for (const key of ['a', 'b']) await cached(key, loading(key, 1000, 40));
    await cached('a', loading('a'));
    await cached('c', loading('c', 1000, 40));
    expect([...kept.keys()].sort()).toEqual(['a', 'c']);
  });

  it('returns a value larger than its size without keeping it', async () => {
    const { kept, loading, cached } = cacheOf(100);
    expect(await cached('a', loading('a', 1000, 101))).toEqual({ key: 'a' });
    expect(kept.size).toBe(0);
  });

  it('removes expired values with the next load', async () => {
    const { clock, kept, loading, cached } = cacheOf();
    await cached('a', loading('a'));
    clock.time += 1001;
    await cached('b', loading('b'));
    expect([...kept.keys()]).toEqual(['b']);
  });

  it('shares values with another cache, but does not wait for its loads', async () => {
    const { kept, loads, loading, cached } = cacheOf();
    const other = createCache(kept);
    const hanging = cached('a', () => new Promise(() => undefined));
    expect(await Promise.race([hanging, other('a', loading('a'))])).toEqual({ key: 'a' });
    expect(await cached('b', loading('b'))).toBe(await other('b', loading('b')));
    expect(loads).toEqual(['a', 'b']);
  });
});
