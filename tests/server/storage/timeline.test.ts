import { describe, expect, it } from 'vitest';
import { engines, testStorage } from '#tests/support/storage.ts';

describe.each(engines)('A stored timeline on %s', (_, newDatabase) => {
  const entry = (id: string, at = 0) => ({ id, at, length: 10, isRead: false, value: `entry ${id}` });
  const stored = (id: string) => ({ id, at: 0, value: `entry ${id}` });
  const idsOf = (entries: readonly { id: string }[]) => entries.map(({ id }) => id);

  it('returns the latest entries of its workspace in the order in which they were stored', async () => {
    const timeline = (await testStorage(await newDatabase())).timeline<string>();
    await timeline.append('w', [entry('2'), entry('1')]);
    await timeline.append('w', []);
    await timeline.append('v', [entry('1')]);
    await timeline.append('w', [entry('3')]);
    expect(await timeline.latest('w', 9)).toEqual([stored('2'), stored('1'), stored('3')]);
    expect(idsOf(await timeline.latest('w', 2))).toEqual(['1', '3']);
    expect(idsOf(await timeline.some('w', ['3', '2', '9']))).toEqual(['2', '3']);
    expect(await timeline.some('w', [])).toEqual([]);
  });

  it('skips an entry whose id is already stored, and returns the ids that it stored', async () => {
    const timeline = (await testStorage(await newDatabase())).timeline<string>();
    expect(await timeline.append('w', [entry('1')])).toEqual(['1']);
    expect(await timeline.append('w', [entry('2'), { ...entry('1'), value: 'another' }])).toEqual(['2']);
    expect(await timeline.latest('w', 9)).toEqual([stored('1'), stored('2')]);
  });

  it('is pruned by number, length and age, in its workspace only', async () => {
    const timeline = (await testStorage(await newDatabase())).timeline<string>();
    const ids = Array.from({ length: 10 }, (__, index) => String(index));
    for (const workspace of ['w', 'v'])
      await timeline.append(
        workspace,
        ids.map((id) => entry(id, Number(id))),
      );
    await timeline.prune('w', { entries: 20, latest: 0, length: 1000, since: 2 });
    expect(idsOf(await timeline.latest('w', 20))).toEqual(ids.slice(2));
    await timeline.prune('w', { entries: 5, latest: 0, length: 1000, since: 0 });
    expect(idsOf(await timeline.latest('w', 20))).toEqual(ids.slice(5));
    await timeline.prune('w', { entries: 5, latest: 0, length: 30, since: 0 });
    expect(idsOf(await timeline.latest('w', 20))).toEqual(ids.slice(7));
    expect(await timeline.latest('v', 20)).toHaveLength(10);
  });

  it('loses the earliest reads first, without the latest entries, then the earliest of the others (behaviour 10.15.5)', async () => {
    const timeline = (await testStorage(await newDatabase())).timeline<string>();
    const isRead = (id: string) => Number(id) % 2 === 1;
    const ids = Array.from({ length: 12 }, (__, index) => String(index));
    await timeline.append(
      'w',
      ids.map((id) => ({ ...entry(id), isRead: isRead(id) })),
    );
    const left = async (entries: number, length = 1000) => {
      await timeline.prune('w', { entries, latest: 3, length, since: 0 });
      return idsOf(await timeline.latest('w', 20));
    };
    expect(await left(10)).toEqual(['0', '2', '4', '5', '6', '7', '8', '9', '10', '11']);
    expect(await left(7)).toEqual(['2', '4', '6', '8', '9', '10', '11']);
    expect(await left(20, 50)).toEqual(['6', '8', '9', '10', '11']);
    expect(await left(2)).toEqual(['10', '11']);
  });
});
