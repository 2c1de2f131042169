import { describe, expect, it } from 'vitest';
import { collectionIn, engines, here, testStorage } from '#tests/support/storage.ts';

const kind = { kind: 'notes', columns: { subject: (note: string) => (note === '' ? undefined : note) } };
const subjects = ['', 'a', 'b', 'c'];

/** A repeatable series of numbers from 0 to below `most`. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * most);
  };
}

describe.each(engines)('The counts of records on %s', (_, newDatabase) => {
  it.each([1, 2, 3])('are those of the rows after any writes, also failed ones (series %i)', async (seed) => {
    const storage = await testStorage(await newDatabase());
    const next = numbers(seed);
    const places = [here, { ...here, companyKey: 'd' }];
    const notes = collectionIn<string>(storage, kind);
    const others = collectionIn<string>(storage, { kind: 'others', columns: kind.columns });
    const all = () => [notes, others][next(2)]!;
    const at = () => places[next(2)]!;
    const id = () => `${next(12)}`;
    const subject = () => subjects[next(4)]!;
    const steps = [
      () => all().put(at(), id(), subject()),
      () =>
        all().putAll(
          at(),
          Array.from({ length: next(150) }, () => [id(), subject()] as const),
        ),
      () => all().insert(at(), id(), subject()),
      () => all().change(at(), id(), () => subject()),
      () => all().remove(at(), id()),
      () => all().removeAll(at(), [id(), id(), id()]),
      () => (next(6) === 0 ? storage.removeCompany(places[1]!) : undefined),
      () =>
        storage
          .transaction('w', async () => {
            await all().put(at(), id(), subject());
            await all().removeAll(at(), [id(), id()]);
            throw new Error('on purpose');
          })
          .catch(() => undefined),
    ];
    for (let turn = 0; turn < 60; turn += 1) await steps[next(steps.length)]!();
    for (const each of [notes, others])
      for (const place of places) {
        const found: string[] = [];
        for await (const value of each.earliest(place)) found.push(value);
        expect(await each.count(place)).toBe(found.length);
        const expected = subjects.slice(1).map((name) => [name, found.filter((value) => value === name).length]);
        expect([...(await each.countBySubject(place, subjects.slice(1)))]).toEqual(expected);
        for (const [name, count] of expected as [string, number][])
          expect(await each.count(place, { subject: name })).toBe(count);
      }
  });

  it('of writes at the same time are those of the rows', async () => {
    const url = await newDatabase();
    const storage = await testStorage(url);
    const storages = [storage, ...(storage.isShared ? [await testStorage(url)] : [])];
    await Promise.all(
      Array.from({ length: 40 }, (__, index) =>
        collectionIn<string>(storages[index % storages.length]!, kind).putAll(
          here,
          Array.from({ length: 5 }, (___, each) => [`${index % 20}-${each}`, subjects[(index + each) % 4]!] as const),
        ),
      ),
    );
    expect(await collectionIn<string>(storage, kind).count(here)).toBe(100);
  });
});
