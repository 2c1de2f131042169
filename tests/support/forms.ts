import fc from 'fast-check';
import { checkForm } from '#rules/check.ts';
import { ownForm } from '#rules/forms.ts';
import { fieldsOf, ownForms, type FormName, type OwnField, type OwnValues } from '#contract/forms.ts';

import { filled } from './bodies.ts';

export const formNames = Object.keys(ownForms) as FormName[]; // the keys of `ownForms`

/** Input for a field: valid, almost valid, too long, empty, or invisible characters. */
const typed = ({ pattern, longest, example }: OwnField) => {
  const right = fc.stringMatching(new RegExp(pattern));
  const odd = fc.constantFrom(
    ' ',
    '\u00a0',
    '\ufeff',
    '\t',
    '\n',
    '\u2028',
    '\0',
    '\u0085',
    '\ud800',
    '\udc00',
    '"',
    '@',
    '.',
    'é',
    '😀',
    '\u200b',
    '\u3000',
    'e\u0301',
    '\u0301',
  );
  const spoilt = fc.tuple(fc.oneof(right, fc.constant(example)), odd, fc.nat()).map(([text, mark, at]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + mark + text.slice(place);
  });
  const long = fc.integer({ min: longest - 2, max: longest + 2 }).map((length) => 'x'.repeat(length));
  // An emoji is one character, and so is a letter with a combining accent that can be composed.
  const wide = fc
    .tuple(fc.integer({ min: longest - 2, max: longest + 2 }), fc.constantFrom('😀', 'e\u0301'), fc.nat(12))
    .map(
      ([length, character, many]) => 'x'.repeat(Math.max(0, length - many)) + character.repeat(Math.min(many, length)),
    );
  const stretched = fc.nat(longest + 2).map((length) => example.replace('@', `${'x'.repeat(length)}@`));
  return fc.oneof(
    right,
    spoilt,
    long,
    wide,
    stretched,
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', ' ', example),
  );
};

/** Values of a form with arbitrary input. */
export const typedValues = <Name extends FormName>(name: Name): fc.Arbitrary<OwnValues<Name>> =>
  fc.record(Object.fromEntries(fieldsOf(name).map(([id, field]) => [id, typed(field)]))) as fc.Arbitrary<
    OwnValues<Name>
  >; // made from its fields

/** Valid values of a form: invalid input is replaced by the field's example. */
export const takenValues = <Name extends FormName>(name: Name): fc.Arbitrary<OwnValues<Name>> => {
  const form = ownForm(name);
  return typedValues(name).map((typed) => {
    const wrong = checkForm(form, typed).map(({ id }) => id);
    return { ...typed, ...Object.fromEntries(Object.entries(filled(name)).filter(([id]) => wrong.includes(id))) };
  });
};
