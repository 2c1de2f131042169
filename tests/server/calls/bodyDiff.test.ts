import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber } from '#contract/json.ts';
import { bodyDiff, outlineOf } from '#server/calls/bodyDiff.ts';

const between = (one: unknown, other: unknown) => bodyDiff(outlineOf(one), outlineOf(other));

describe('The difference between two request bodies', () => {
  it.each<[string, unknown, unknown, string[]]>([
    ['a member', { a: 1, b: { c: 'x' } }, { a: 1, b: { c: 'y' } }, ['b.c']],
    ['a member that only one has', { a: 1 }, { a: 1, b: null }, ['b']],
    ['an element', [{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }], ['1.a']],
    ['another kind', { a: { b: 1 } }, { a: 'text' }, ['a']],
    ['nothing left', { a: {} }, { a: { b: 1 } }, ['a']],
    ['digits', { a: new ExactNumber('1.10') }, { a: new ExactNumber('1.1') }, ['a']],
    ['no body', undefined, { a: 1 }, ['']],
    ['a name of a prototype', { constructor: 1 }, { toString: 1 }, ['constructor', 'toString']],
    ['too many to tell apart', { a: Array(5000).fill(1) }, { a: Array(5001).fill(1) }, ['a']],
  ])('names the path of what differs: %s', (_, one, other, paths) => {
    expect(between(one, other)).toEqual({ paths, more: 0 });
  });

  it('names at most ten paths and the number of further ones', () => {
    const many = (value: number) => Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`m${index}`, value]));
    const { paths, more } = between(many(1), many(2));
    expect([paths.length, more]).toEqual([10, 40]);
  });

  it('is empty for equal bodies, whose outlines have at most 100 entries', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (body) => {
        expect(Object.keys(outlineOf(body)).length).toBeLessThanOrEqual(100);
        expect(between(body, structuredClone(body)).paths).toEqual([]);
      }),
    );
  });

  it('shows printable characters only and truncates long names', () => {
    const [path = ''] = between({ [`a\u0000.${'x'.repeat(500)}`]: 1, b: 1 }, { b: 1 }).paths;
    expect(path).toMatch(/^a\?\?x{57}$/);
  });
});
