import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExactNumber, jsonIn, parse, parseAsWritten, stringify } from '#contract/json.ts';

/** Text of a number as the grammar of JSON allows it. */
const numberText = fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,4})?$/);

describe('a JSON number', () => {
  it.each(['9007199254740993', '120.50', '1e3', '-0', '1E400', '0.10000000000000000000001', '12345678901234567890.00'])(
    'such as %s keeps its digits, wherever it stands',
    (digits) => {
      for (const source of [digits, `[${digits}]`, `{"a":{"b":[1,${digits},"${digits}"]}}`])
        expect(stringify(parse(source))).toBe(source);
    },
  );

  it('that JavaScript represents exactly is parsed as a number', () => {
    expect(parse('[0,-1,2000,120.5,9007199254740991]')).toEqual([0, -1, 2000, 120.5, 9007199254740991]);
  });

  it('that JavaScript would change is an ExactNumber, which JSON.stringify writes as a string', () => {
    expect(parse(' [ 1.50 ]')).toEqual([new ExactNumber('1.50')]);
    expect(JSON.stringify(parse('{"a":1.50}'))).toBe('{"a":"1.50"}');
  });

  it('keeps its digits in any document', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string({ unit: 'binary' }), numberText)), (members) => {
        const source = `{${members.map(([name, digits], index) => `${JSON.stringify(index + name)}:[${digits},${JSON.stringify(name)}]`).join()}}`;
        expect(JSON.stringify(JSON.parse(stringify(parse(source))))).toBe(JSON.stringify(JSON.parse(source)));
        for (const [, digits] of members) expect(stringify(parse(source))).toContain(`[${digits},`);
      }),
    );
  });
});

describe('the JSON parser and writer agree with native JSON', () => {
  it('for any value with exact numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: 'medium' }), fc.constantFrom(undefined, 2), (value, indent) => {
        const source = JSON.stringify(value, null, indent);
        expect(stringify(parse(source), indent)).toBe(JSON.stringify(JSON.parse(source), null, indent));
      }),
    );
  });

  it.each([
    '',
    '{',
    '[1,]',
    '01',
    '1.',
    '.5',
    '+1',
    '-',
    '1e',
    '"\u0001"',
    '[1]x',
    '1.50 1',
    '{"a":1.50,}',
    '"',
    '1.50"',
    '\\"',
  ])('in refusing the invalid text %j', (source) => expect(() => parse(source)).toThrow(SyntaxError));

  it('for member names of Object.prototype and duplicate members', () => {
    const found = parse('{"__proto__":{"a":1.50},"toJSON":1.50,"b":1.50,"b":2.50}');
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
    expect(stringify(found)).toBe('{"__proto__":{"a":1.50},"toJSON":1.50,"b":2.50}');
  });

  it('for values that JSON cannot represent', () => {
    expect(stringify(undefined)).toBe('null');
    expect(stringify({ a: undefined, b: [() => 1], c: '\ud800' })).toBe('{"b":[null],"c":"\\ud800"}');
  });
});

it.each(['', '{"data":', 'plain text', '['.repeat(100_000)])('a text that is not JSON contains none: %.20s', (text) => {
  expect(jsonIn(text)).toBeUndefined();
  expect(jsonIn('{"a":1.50}')).toEqual({ a: new ExactNumber('1.50') });
});

describe('JSON parsed as written', () => {
  it.each([
    '{"10":1,"2":[{}],"b":{"1":[]},"a":null}',
    '{"a":1,"a":2.50,"":{"a":1,"a":{"a":1}}}',
    '[{"__proto__":1,"toJSON":{"constructor":true}},"\\"member 0 x"]',
    '{"number 1-2-3-4 5":"member 1-2-3-4 5 x"}',
  ])('keeps the order of members and duplicate members: %s', (source) => {
    expect(stringify(parseAsWritten(source))).toBe(source);
    expect(JSON.parse(stringify(parseAsWritten(source), 2))).toEqual(JSON.parse(source));
  });

  it('is indented like native JSON', () => {
    const source = '{"b":[1,{"c":{}}],"a":""}';
    expect(stringify(parseAsWritten(source), 2)).toBe(JSON.stringify(JSON.parse(source), null, 2));
  });

  it('is refused if it is invalid', () => expect(() => parseAsWritten('{"a":1,}')).toThrow(SyntaxError));
});

describe('a hostile JSON text', () => {
  it.each([
    ['escapes', `["${'\\n'.repeat(4e6)}",1.50]`],
    ['backslashes', `["${'\\\\'.repeat(4e6)}",1.50]`],
    ['one number', '1'.repeat(1e6)],
    ['numbers', `[${'1.50,'.repeat(1e5)}1]`],
  ])('of a million %s is parsed', (_, source) => expect(stringify(parse(source))).toBe(source));

  it('nested deeper than the stack is refused with a syntax error', () => {
    expect(() => parse(`${'['.repeat(1e6)}1.50${']'.repeat(1e6)}`)).toThrow(SyntaxError);
    expect(() => parse('['.repeat(1e6))).toThrow(SyntaxError);
  });
});
