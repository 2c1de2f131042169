import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '#rules/json.ts';

describe('JSON that was pasted', () => {
  it.each([
    ['', 'Not valid JSON: line 1, column 1 needs a value, but there the text ends.'],
    ['{', 'Not valid JSON: line 1, column 2 needs a name in double quotes, but there the text ends.'],
    ["{'a': 1}", "Not valid JSON: line 1, column 2 needs a name in double quotes, but there ' stands."],
    ['{"a" 1}', 'Not valid JSON: line 1, column 6 needs a colon, but there 1 stands.'],
    ['[\n  1,\n]', 'Not valid JSON: line 3, column 1 needs a value, but there ] stands.'],
    ['[1\n 2]', 'Not valid JSON: line 2, column 2 needs a comma or ], but there 2 stands.'],
    ['{"a": undefined}', 'Not valid JSON: line 1, column 7 needs a value, but there undefined stands.'],
    ['{"a": "b\n"}', 'Not valid JSON: line 1, column 7 needs a text that ends with " on its line, but there " stands.'],
    ['[1\n', 'Not valid JSON: line 2, column 1 needs a comma or ], but there the text ends.'],
    ['{"a":\n}', 'Not valid JSON: line 2, column 1 needs a value, but there } stands.'],
    ['[01]', 'Not valid JSON: line 1, column 3 needs a comma or ], but there 1 stands.'],
    ['[1.]', 'Not valid JSON: line 1, column 3 needs a comma or ], but there . stands.'],
    ['["\\x"]', 'Not valid JSON: line 1, column 2 needs a text that ends with " on its line, but there " stands.'],
    ['["\\u12"]', 'Not valid JSON: line 1, column 2 needs a text that ends with " on its line, but there " stands.'],
    ['[1] rules', 'Not valid JSON: line 1, column 5 needs the end of the text, but there rules stands.'],
  ])('%j: says where it goes wrong and what would be right', (text, sentence) => {
    expect(() => parseJson(text)).toThrow(new Error(sentence));
  });

  it('is given as its value', () => {
    expect(parseJson('[{"a": 1}]')).toEqual([{ a: 1 }]);
  });

  it.each(['[]', '{}', '"a\\n\\u00e9\\""', '-0.25', '1e5', '12.5E-10', '[1e+12, true, null]'])(
    'is read past %s to the flaw behind it',
    (sound) => {
      const place = `line 1, column ${sound.length + 3}`;
      expect(() => parseJson(`[${sound} ?]`)).toThrow(
        `Not valid JSON: ${place} needs a comma or ], but there ? stands.`,
      );
    },
  );

  it('that goes wrong says what the parser said', () => {
    expect(() => parseJson('[')).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) as unknown }));
  });

  it('that has lost its end or a character is refused with the place, never without one', () => {
    let refused = 0;
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, any) => {
        const at = any % text.length;
        for (const damaged of [text.slice(0, at), text.slice(0, at) + text.slice(at + 1)]) {
          try {
            JSON.parse(damaged);
          } catch {
            refused += 1;
            expect(() => parseJson(damaged)).toThrow(
              /^Not valid JSON: line \d+, column \d+ needs .+, but there .+\.$/s,
            );
          }
        }
      }),
    );
    expect(refused).toBeGreaterThan(50);
  });
});
