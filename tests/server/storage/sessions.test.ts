import { describe, expect, it } from 'vitest';
import { engines, testStorage } from '#tests/support/storage.ts';

const ever = { usedAt: -1, startedAt: -1 };

describe.each(engines)('A session on %s', (_, newDatabase) => {
  const opened = async () => (await testStorage(await newDatabase())).sessions<string>();

  it('is found by its key until it ends, independently of other sessions', async () => {
    const sessions = await opened();
    await sessions.begin('one', { value: 'first', startedAt: 5, usedAt: 6 });
    await sessions.begin('two', { value: 'second', startedAt: 5, usedAt: 6 });
    expect(await sessions.find('one', ever)).toEqual({ value: 'first', startedAt: 5, usedAt: 6 });
    await sessions.end('one');
    expect(await sessions.find('one', ever)).toBeUndefined();
    expect(await sessions.find('two', ever)).toMatchObject({ value: 'second' });
    expect(await sessions.find('three', ever)).toBeUndefined();
  });

  it('is not found after its time limits, and its time of last use never goes back', async () => {
    const sessions = await opened();
    await sessions.begin('one', { value: 'first', startedAt: 100, usedAt: 100 });
    await sessions.touch('one', 200);
    await sessions.touch('one', 150);
    expect(await sessions.find('one', { startedAt: 99, usedAt: 199 })).toMatchObject({ usedAt: 200 });
    expect(await sessions.find('one', { startedAt: 99, usedAt: 200 })).toBeUndefined();
    expect(await sessions.find('one', { startedAt: 100, usedAt: 199 })).toBeUndefined();
  });

  it('loses no concurrent change, and is not restored by a change after its end', async () => {
    const sessions = await opened();
    await sessions.begin('one', { value: '', startedAt: 1, usedAt: 1 });
    await Promise.all(Array.from({ length: 10 }, () => sessions.change('one', ever, (before) => `${before}x`)));
    expect(await sessions.find('one', ever)).toMatchObject({ value: 'x'.repeat(10) });
    expect(await sessions.change('one', ever, () => undefined)).toBe(false);
    await sessions.end('one');
    expect(await sessions.change('one', ever, () => 'revived')).toBe(false);
    expect(await sessions.find('one', ever)).toBeUndefined();
  });

  it('is pruned if it is idle, too old or dated in the future', async () => {
    const sessions = await opened();
    await sessions.begin('idle', { value: '', startedAt: 100, usedAt: 100 });
    await sessions.begin('old', { value: '', startedAt: 10, usedAt: 300 });
    await sessions.begin('future', { value: '', startedAt: 1000, usedAt: 1000 });
    await sessions.begin('current', { value: '', startedAt: 100, usedAt: 300 });
    await sessions.prune({ usedAt: 200, startedAt: 50 }, 500);
    const left = [];
    for (const key of ['idle', 'old', 'future', 'current']) if (await sessions.find(key, ever)) left.push(key);
    expect(left).toEqual(['current']);
  });
});
