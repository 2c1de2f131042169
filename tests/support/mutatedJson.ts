import fc from 'fast-check';

/** Unexpected values for a JSON text, and unexpected member names in JSON notation. */
const values = fc.constantFrom(
  ...['null', 'true', '0', '-0', '1e999', '12345678901234567890.5', '""', '[]', '{}', '[[[[[[[[]]]]]]]]'],
  ...['"\\u0000"', '"\\u001b[2J"', '"\\ud800"', '"\\udc00\\ud800"', '"\\u202e"', '"<img src=x onerror=alert(1)>"'],
  ...['{"toJSON":1}', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '{"length":1e9}'],
  ...['"__proto__"', '"toString"', '" "', '"../../x"', '"javascript:alert(1)"'],
  `"${'x'.repeat(5000)}"`,
  `"${'\\u0000'.repeat(3000)}"`,
  `[${'"x",'.repeat(3000)}0]`,
  '9'.repeat(400),
);
const names = fc.constantFrom(
  ...['"__proto__"', '"\\u005f_proto__"', '"constructor"', '"toJSON"', '"toString"', '"hasOwnProperty"', '"then"'],
  ...['""', '"\\u0000"', '"\\ud800"', '"a.b"', '"0"', `"${'n'.repeat(2000)}"`],
);

/** Names and scalars; a name includes its colon. */
const token = /("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)(\s*:)?/g;

interface Change {
  place: number;
  value: string;
  name: string;
  adds: boolean;
}

/** Replaces a value or a name, or adds a member before that name. */
function changed(text: string, { place, value, name, adds }: Change): string {
  const tokens = [...text.matchAll(token)];
  const found = tokens[place % Math.max(1, tokens.length)];
  if (!found) return value;
  const [whole, , colon] = found;
  const instead = colon === undefined ? value : adds ? `${name}:${value},${whole}` : `${name}${colon}`;
  return text.slice(0, found.index) + instead + text.slice(found.index + whole.length);
}

/** JSON texts with up to three mutations: replaced values or names, or added members. */
export const mutated = (texts: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      texts,
      fc.array(fc.record({ place: fc.nat(200), value: values, name: names, adds: fc.boolean() }), { maxLength: 3 }),
    )
    .map(([text, changes]) => changes.reduce(changed, text));
