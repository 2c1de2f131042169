import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Weight } from '#server/timeline/evidence.ts';
import { createRing } from '#server/timeline/ring.ts';

const weights: readonly Weight[] = ['read', 'call', 'evidence'];

/** What is left of items, each of which is named by its place and weight. */
function leftOf(items: readonly Weight[], most: number, latest: number): string[] {
  const ring = createRing<string>(most, latest);
  for (const [place, weight] of items.entries()) ring.add(`${place} ${weight}`, weight);
  return ring.take().map(({ item }) => item);
}

describe('The ring of waiting entries', () => {
  it.each<[string, readonly Weight[], readonly string[]]>([
    ['nothing while it is not full', ['read', 'call'], ['0 read', '1 call']],
    ['the earliest read before earlier calls', ['call', 'read', 'call', 'call'], ['0 call', '2 call', '3 call']],
    [
      'the earliest call before one of the latest reads',
      ['call', 'call', 'read', 'call'],
      ['1 call', '2 read', '3 call'],
    ],
    ['the earliest of reads alone', ['read', 'read', 'read', 'read'], ['1 read', '2 read', '3 read']],
    [
      'no evidence',
      ['evidence', 'evidence', 'evidence', 'evidence', 'read'],
      Array.from({ length: 4 }, (_, at) => `${at} evidence`),
    ],
    ['calls between evidence', ['evidence', 'call', 'evidence', 'call'], ['0 evidence', '2 evidence', '3 call']],
  ])('drops %s (behaviour 10.15.5)', (_, items, left) => {
    expect(leftOf(items, 3, 2)).toEqual(left);
  });

  it('holds at most its number besides evidence, all evidence, and everything in order, whatever comes (threat 6.31)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...weights), { maxLength: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (items, most) => {
          const left = leftOf(items, most, Math.floor(most / 5));
          const evidence = items.flatMap((weight, place) => (weight === 'evidence' ? [`${place} evidence`] : []));
          expect(left.filter((each) => each.endsWith('evidence'))).toEqual(evidence);
          expect(left.length).toBe(Math.max(Math.min(items.length, most), evidence.length));
          const places = left.map((each) => Number(each.split(' ')[0]));
          expect(places).toEqual(places.toSorted((one, other) => one - other));
        },
      ),
    );
  });

  it('is empty after its entries were taken', () => {
    const ring = createRing<number>(2, 0);
    ring.add(1, 'call');
    expect([ring.take().map(({ item }) => item), ring.take(), ring.count()]).toEqual([[1], [], 0]);
  });

  it('holds what is put back before what has come since, all evidence, and at most its number besides (behaviour 10.15.5; threat 6.31)', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...weights), { maxLength: 100 }),
        fc.array(fc.constantFrom(...weights), { maxLength: 100 }),
        fc.nat(100),
        (early, since, written) => {
          const one = createRing<string>(40, 8);
          const named = [...early, ...since].map((weight, place) => [`${place} ${weight}`, weight] as const);
          for (const [name, weight] of named.slice(0, early.length)) one.add(name, weight);
          const left = one.take().slice(written);
          for (const [name, weight] of named.slice(early.length)) one.add(name, weight);
          one.putBack(left);
          const names = one.take().map(({ item }) => item);
          const places = names.map((name) => Number(name.split(' ')[0]));
          expect(places).toEqual(places.toSorted((first, second) => first - second));
          const evidence = [...left.map(({ item }) => item), ...named.slice(early.length).map(([name]) => name)].filter(
            (name) => name.endsWith('evidence'),
          );
          expect(names.filter((name) => name.endsWith('evidence'))).toEqual(evidence);
          expect(names.length).toBeLessThanOrEqual(Math.max(40, evidence.length));
        },
      ),
    );
  });
});
