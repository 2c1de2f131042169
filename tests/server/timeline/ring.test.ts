import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Weight } from '#server/timeline/evidence.ts';
import { createRing } from '#server/timeline/ring.ts';

const weights: readonly Weight[] = ['read', 'call', 'evidence'];

/** What is left of items, each of which is named by its place and weight. */
function leftOf(items: readonly Weight[], most: number, latest: number): string[] {
  const ring = createRing<string>(most, latest);
  for (const [place, weight] of items.entries()) ring.add(`${place} ${weight}`, weight);
  return ring.take();
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
    expect([ring.take(), ring.take(), ring.count()]).toEqual([[1], [], 0]);
  });
});
