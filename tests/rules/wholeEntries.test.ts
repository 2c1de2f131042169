import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { wholeEntries } from '#rules/wholeEntries.ts';

const read = (text: string): unknown => JSON.parse(wholeEntries(text));

describe('truncated JSON', () => {
  it.each([
    ['{"data":[{"name":"One"},{"name":"Tw', { data: [{ name: 'One' }, {}] }],
    ['{"data":[{"name":"One"},', { data: [{ name: 'One' }] }],
    ['{"a":1,"b":12', { a: 1 }],
    ['{"a":1,"b":"x,y]}', { a: 1 }],
    ['{"a":"\\"},{","b":tru', { a: '"},{' }],
    ['{"a":"ends \\\\","b":"cut \\', { a: 'ends \\' }],
    ['[[1,2],[3', [[1, 2], []]],
    ['{"a"', {}],
    ['[', []],
    ['{"a":1} ', { a: 1 }],
  ])('%s is read up to its last whole entry (behaviour 10.16.22)', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  it('of any object or array is JSON, wherever it was cut (behaviour 10.16.22)', () => {
    const values = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(values, fc.nat(), (value, at) => {
        const text = JSON.stringify(value);
        expect(() => read(text.slice(0, 1 + (at % text.length)))).not.toThrow();
        expect(read(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['', '<html>', '"cut off', 'null', ']', '}{'])('%s, no object or array, stays as it is', (text) => {
    expect(wholeEntries(text)).toBe(text);
  });
});
