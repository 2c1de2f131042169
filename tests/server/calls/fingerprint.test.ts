import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse, stringify } from '#contract/json.ts';
import { fingerprintOf } from '#server/calls/fingerprint.ts';

/** The value with the members of its objects in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, turned(member)] as const);
  return Object.fromEntries(members.reverse());
}

/** Objects that share names, so that the same name has objects of several shapes. */
const { value } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('', 'text', 0, -1.5, true, null),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', '1', '10', '2', '__proto__'), tie('value'), { maxKeys: 5 }),
}));

it('A request’s fingerprint ignores the order of object members and differs for any other change', () => {
  fc.assert(
    fc.property(value, value, (one, other) => {
      expect(fingerprintOf('name', turned(one))).toBe(fingerprintOf('name', one));
      expect(fingerprintOf('another', one)).not.toBe(fingerprintOf('name', one));
      const isSame = stringify(sorted(one)) === stringify(sorted(other));
      expect(fingerprintOf('name', one) === fingerprintOf('name', other)).toBe(isSame);
    }),
  );
});

// Fingerprints are stored: if they changed, a repeat would conflict with its own key.
it('A request’s fingerprint equals the one that earlier versions stored', () => {
  fc.assert(
    fc.property(value, (one) => {
      const text = `name ${stringify(sorted(one))}`;
      expect(fingerprintOf('name', one)).toBe(createHash('sha256').update(text).digest('hex'));
    }),
  );
  const exact = parse('{"b":9007199254740993,"a":[{"z":120.50,"y":1},{"y":1,"z":120.50}]}');
  const text = 'name {"a":[{"y":1,"z":120.50},{"y":1,"z":120.50}],"b":9007199254740993}';
  expect(fingerprintOf('name', exact)).toBe(createHash('sha256').update(text).digest('hex'));
});

/** The value with sorted members, as earlier versions sorted them. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
