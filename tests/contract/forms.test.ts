import fc from 'fast-check';
import type { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { fieldsOf, type FormName } from '#contract/forms.ts';
import { shapes } from '#contract/shapes.ts';
import { checkForm } from '#rules/check.ts';
import { patternOf } from '#rules/pattern.ts';
import { ownForm } from '#rules/forms.ts';
import { ownBody, ownErrors } from '#rules/ownForm.ts';
import { disallowedPathIn } from '#server/escapeId.ts';
import { bodies } from '#server/upstream/bodies.ts';
import { filled } from '#tests/support/bodies.ts';
import { formNames, takenValues, typedValues } from '#tests/support/forms.ts';

const account = { type: 'Account', owner: { user: { email: 'a@example.com', locale: 'en', identityId: 'user' } } };

/** A form's values in the schemas of the console's API and of the service, under `path`. */
const sent: Record<FormName, { body: z.ZodType; wire?: z.ZodType; path: string[]; whole: (values: object) => object }> =
  {
    organisation: {
      body: shapes.createOrganisation.body,
      wire: bodies.organisation.omit({ externalId: true }),
      path: [],
      whole: (values) => values,
    },
    company: { body: shapes.createCompany.body, wire: bodies.company, path: [], whole: (values) => values },
    account: {
      body: shapes.createAccount.body,
      wire: bodies.account,
      path: ['data', 'attributes'],
      whole: (values) => ({ data: { ...account, attributes: { ...values, externalSource: 'console' } } }),
    },
    dataset: {
      body: shapes.createDataset.body,
      wire: bodies.dataset,
      path: ['data', 'attributes'],
      whole: (attributes) => ({ data: { type: 'DataSet', attributes } }),
    },
    existing: { body: shapes.useExisting.body, path: [], whole: (values) => values },
  };

const refusedBy = (schema: z.ZodType, { path, whole }: (typeof sent)[FormName], values: object): string[] =>
  (schema.safeParse(whole(values)).error?.issues ?? []).map((issue) => issue.path.slice(path.length).join('.'));

const some = { numRuns: 2000 };

describe.each(formNames)('the form %s', (name) => {
  const form = ownForm(name);
  const places = sent[name];

  it('accepts its own examples', () => {
    expect(checkForm(form, filled(name))).toEqual([]);
    expect(refusedBy(places.body, places, filled(name))).toEqual([]);
  });

  it('has only patterns that the page can run', () => {
    for (const [, { pattern }] of fieldsOf(name)) expect(patternOf(pattern).note).toBeUndefined();
  });

  it('shows an error for a field if and only if the server refuses it (behaviour 5.6)', () => {
    fc.assert(
      fc.property(typedValues(name), (values) => {
        const body = ownBody(name, values);
        const inForm = checkForm(form, values);
        expect(ownErrors(name, values)).toEqual(inForm);
        const odd = fieldsOf(name).flatMap(([id]) =>
          disallowedPathIn(body[id as keyof typeof body]) === undefined ? [] : id,
        );
        const refused = new Set([...refusedBy(places.body, places, body), ...odd]);
        expect(new Set(inForm.map(({ id }) => id))).toEqual(refused);
        expect(inForm.every(({ message }) => /: enter ./.test(message))).toBe(true);
      }),
      some,
    );
  });

  it('accepts only values that the service accepts (behaviour 5.7; wire 2.3.3)', () => {
    fc.assert(
      fc.property(takenValues(name), (values) => {
        if (places.wire) expect(refusedBy(places.wire, places, ownBody(name, values))).toEqual([]);
      }),
      some,
    );
  });
});

describe.each<[string, string, boolean]>([
  ['90 letters and 10 emoji', 'x'.repeat(90) + '😀'.repeat(10), true],
  ['100 letters and an emoji', `${'x'.repeat(100)}😀`, false],
  ['100 letters, each with a combining accent', 'e\u0301'.repeat(100), true],
  [
    '100 characters and blanks of several scripts around them',
    `\u3000\u00a0\n${'x'.repeat(100)}\u200b\ufeff\u2009`,
    true,
  ],
  ['100 emoji of two code points', '👍🏽'.repeat(100), false],
  ['only characters without width', '\u200b\u2060\ufeff', false],
])('a company’s name of %s', (_, name, isAccepted) => {
  it('has the same length for page, server and sandbox (behaviour 5.15)', () => {
    const values = { ...filled('company'), name };
    expect(checkForm(ownForm('company'), values).length === 0).toBe(isAccepted);
    expect(refusedBy(sent.company.body, sent.company, values).length === 0).toBe(isAccepted);
    if (isAccepted) {
      const { data } = shapes.createCompany.body.safeParse(values);
      expect(data).toEqual(ownBody('company', values));
      expect(bodies.company.safeParse({ ...data, externalId: 'a' }).success).toBe(true);
    }
  });
});

it('A pattern of a rule counts an emoji once, as every length of the console does (behaviour 5.15; wire 8.6)', () => {
  const check = (regex: string, value: string) => patternOf(regex).test?.(value);
  expect(check('^.{1,10}$', '😀'.repeat(10))).toBe(true);
  expect(check('^.{1,10}$', '😀'.repeat(11))).toBe(false);
  expect(check('^[^<>]{2}$', '😀a')).toBe(true);
  expect(check('^[a-z]+$', '😀')).toBe(false);
  expect(check('^\\S\\D\\W$', '😀😀😀')).toBe(true);
  // A pattern that names halves of such characters reads them as it says.
  expect(check('^(\\ud83d[\\ude00-\\ude4f]){2}$', '😀😁')).toBe(true);
  expect(check('^😀+$', '😀')).toBe(true);
});
