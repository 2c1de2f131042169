import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '#rules/json.ts';

describe('pasted JSON', () => {
  it.each([
    ['', 'Not valid JSON: line 1, column 1: expected a value, found the end of the text.'],
    ['{', 'Not valid JSON: line 1, column 2: expected a name in double quotes, found the end of the text.'],
    ["{'a': 1}", "Not valid JSON: line 1, column 2: expected a name in double quotes, found '."],
    ['{"a" 1}', 'Not valid JSON: line 1, column 6: expected a colon, found 1.'],
    ['[\n  1,\n]', 'Not valid JSON: line 3, column 1: expected a value, found ].'],
    ['[1\n 2]', 'Not valid JSON: line 2, column 2: expected a comma or ], found 2.'],
    ['{"a": undefined}', 'Not valid JSON: line 1, column 7: expected a value, found undefined.'],
    ['{"a": "b\n"}', 'Not valid JSON: line 1, column 7: expected a text that ends with " on its line, found ".'],
    ['[1\n', 'Not valid JSON: line 2, column 1: expected a comma or ], found the end of the text.'],
    ['{"a":\n}', 'Not valid JSON: line 2, column 1: expected a value, found }.'],
    ['[01]', 'Not valid JSON: line 1, column 3: expected a comma or ], found 1.'],
    ['[1.]', 'Not valid JSON: line 1, column 3: expected a comma or ], found ..'],
    ['["\\x"]', 'Not valid JSON: line 1, column 2: expected a text that ends with " on its line, found ".'],
    ['["\\u12"]', 'Not valid JSON: line 1, column 2: expected a text that ends with " on its line, found ".'],
    ['[1] rules', 'Not valid JSON: line 1, column 5: expected the end of the text, found rules.'],
  ])('%j is refused with the place of the error and what was expected', (text, sentence) => {
    expect(() => parseJson(text)).toThrow(new Error(sentence));
  });

  it('is parsed to its value', () => {
    expect(parseJson('[{"a": 1}]')).toEqual([{ a: 1 }]);
  });

  it.each(['[]', '{}', '"a\\n\\u00e9\\""', '-0.25', '1e5', '12.5E-10', '[1e+12, true, null]'])(
    'is parsed past %s up to an error behind it',
    (sound) => {
      const place = `line 1, column ${sound.length + 3}`;
      expect(() => parseJson(`[${sound} ?]`)).toThrow(`Not valid JSON: ${place}: expected a comma or ], found ?.`);
    },
  );

  it('that is invalid keeps the parser’s error as its cause', () => {
    expect(() => parseJson('[')).toThrow(expect.objectContaining({ cause: expect.any(SyntaxError) as unknown }));
  });

  it('that was truncated or lost a character is refused with the place of the error', () => {
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
              /^Not valid JSON: line \d+, column \d+: expected .+, found .+\.$/s,
            );
          }
        }
      }),
    );
    expect(refused).toBeGreaterThan(50);
  });
});
