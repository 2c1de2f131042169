import { describe, expect, it } from 'vitest';
import { ownForms, type FormName } from '#contract/forms.ts';
import { fileFormatCountries, providerCountries } from '#contract/constants.ts';
import type { Rule } from '#contract/lookup.ts';
import { checkForm } from '#rules/check.ts';
import { withExamples } from '#rules/example.ts';
import { initialValues, partyForm, paymentForm, subscriptionForm, type Form } from '#rules/field.ts';
import { ownForm } from '#rules/forms.ts';
import { allRules } from '#rules/merge.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { rule } from './support.ts';

const today = '2026-11-22';
const filled = (form: Form, given = {}) => withExamples(form, { ...initialValues(form, today), ...given }, today);
const errors = (form: Form) => checkForm(form, filled(form));

describe('a form filled with examples', () => {
  it.each(Object.keys(ownForms).filter((name) => name !== 'existing') as FormName[])('is valid: %s', (name) => {
    expect(errors(ownForm(name))).toEqual([]);
  });

  it('is valid for every provider and template of the sandbox (behaviour 10.13.2)', () => {
    for (const country of providerCountries)
      for (const provider of catalogue.providersFor(country)) {
        const rules = allRules(provider, catalogue.localInstruments());
        expect(errors(subscriptionForm(rules)), provider.name).toEqual([]);
        expect(errors(partyForm(rules, 'DebtorAccounts')), provider.name).toEqual([]);
        expect(errors(partyForm(rules, 'Creditors')), provider.name).toEqual([]);
        expect(errors(paymentForm(rules)), provider.name).toEqual([]);
        for (const each of fileFormatCountries.flatMap((at) => catalogue.fileFormatsFor(at)))
          expect(errors(paymentForm(rules, each.specification.rules)), each.name).toEqual([]);
      }
  });

  const ofRule = (more: Partial<NonNullable<Rule['validation']>>) =>
    subscriptionForm([rule('Subscriptions', 'a', more)]);

  it('keeps valid values and replaces invalid ones', () => {
    const form = ofRule({ example: '112233', regex: '^\\d{6}$' });
    expect(filled(form, { a: '445566' })).toEqual({ a: '445566' });
    expect(filled(form, { a: 'x' })).toEqual({ a: '112233' });
    expect(filled(form)).toEqual({ a: '112233' });
  });

  it('omits an example that its own rule refuses, and fields without one', () => {
    expect(filled(ofRule({ example: 'twelve', regex: '^\\d+$' }))).toEqual({ a: '' });
    expect(filled(ofRule({}))).toEqual({ a: '' });
    expect(filled(ownForm('existing'))).toMatchObject({ signingKey: '' });
  });

  it('selects the example of a select field, or the first option if it is required', () => {
    const enumeration = ['b', 'c'].map((value) => ({ value, description: value }));
    expect(filled(ofRule({ enumeration, example: 'c' }))).toEqual({ a: 'c' });
    expect(filled(ofRule({ enumeration }))).toEqual({ a: 'b' });
    expect(filled(ofRule({ enumeration, optionality: 'Optional' }))).toEqual({ a: '' });
  });

  it('writes today’s date in the format of the rule’s example', () => {
    expect(filled(ofRule({ example: '31/12/2020', uiLabel: 'Start' }))).toEqual({ a: '22/11/2026' });
  });
});
