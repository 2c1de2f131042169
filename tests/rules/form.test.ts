import { describe, it, expect } from 'vitest';
import type { Rule } from '#contract/lookup.ts';
import { checkForm } from '#rules/check.ts';
import { initialValues, partyForm, paymentForm, subscriptionForm } from '#rules/field.ts';
import { rule } from './support.ts';

const subscription = (jsonPath: string, more = {}): Rule => rule('Subscriptions', `additionalData.${jsonPath}`, more);

describe('the subscription form', () => {
  it('has one field for each visible rule of its apiPath, in order, without the prefix', () => {
    const form = subscriptionForm([
      subscription('sortCode'),
      rule('Creditors', 'creditor.name'),
      subscription('internal', { optionality: 'Hidden' }),
      subscription('trading.name', { optionality: 'Optional' }),
    ]);
    expect(form.fields.map(({ id, required }) => [id, required])).toEqual([
      ['sortCode', true],
      ['trading.name', false],
    ]);
    expect(form).not.toHaveProperty('group');
  });

  it('takes a field’s attributes from its rule, with defaults only where needed (wire 8.1)', () => {
    const said = {
      uiLabel: 'Sort code',
      description: 'Six digits',
      example: '112233',
      regex: '^\\d{6}$',
      errorMessage: 'six',
    };
    expect(subscriptionForm([subscription('sortCode', said), subscription('name')]).fields).toEqual([
      {
        id: 'sortCode',
        label: 'Sort code',
        description: 'Six digits',
        example: '112233',
        required: true,
        kind: 'text',
        options: [],
        regex: '^\\d{6}$',
        errorMessage: 'six',
        paths: ['sortCode'],
      },
      {
        id: 'name',
        label: 'name',
        description: '',
        example: '',
        required: true,
        kind: 'text',
        options: [],
        regex: '',
        errorMessage: 'name is missing or not valid',
        paths: ['name'],
      },
    ]);
  });

  it('takes an Array rule as a group and not as a field', () => {
    const form = subscriptionForm([
      subscription('signatories', { fieldType: 'Array' }),
      subscription('signatories.name'),
    ]);
    expect(form.groups).toEqual(['signatories']);
    expect(form.fields.map(({ id }) => id)).toEqual(['signatories.name']);
  });

  it('takes each Array rule as a group, including hidden ones, in each form', () => {
    const validations = [
      { jsonPath: 'owners', fieldType: 'Array', optionality: 'Hidden' },
      { jsonPath: 'owners.name' },
      { jsonPath: 'owners.addresses', fieldType: 'Array' },
      { jsonPath: 'owners.addresses.city' },
      { jsonPath: 'accounts', fieldType: 'Array', optionality: 'Required' },
      { jsonPath: 'accounts.number', optionality: 'Required' },
    ];
    const groups = ['owners', 'owners.addresses', 'accounts'];
    const fields = ['owners.name', 'owners.addresses.city', 'accounts.number'];
    const rulesOf = (apiPath: string, prefix: string): Rule[] =>
      validations.map(({ jsonPath, ...more }, index) => ({
        ruleId: String(index),
        validation: { apiPath, jsonPath: prefix + jsonPath, ...more },
      }));
    const subscribed = subscriptionForm(rulesOf('Subscriptions', 'additionalData.'));
    expect(subscribed.groups).toEqual(groups);
    expect(subscribed.fields.map(({ id }) => id)).toEqual(fields);
    const party = partyForm(rulesOf('Creditors', ''), 'Creditors');
    expect(party.groups).toEqual(groups);
    expect(party.fields.map(({ id }) => id)).toEqual(fields);
    const paid = paymentForm(rulesOf('BatchPayments', 'payments.additionalData.'));
    expect(paid.groups).toEqual(groups.map((group) => `payments.additionalData.${group}`));
    expect(paid.fields.map(({ id }) => id)).toEqual(['accounts.number']);
  });

  it('maps an enumeration to a select field, and a Boolean to an unticked checkbox', () => {
    const form = subscriptionForm([
      subscription('kind', {
        enumeration: [
          { value: 'c', description: 'Company' },
          { value: 'p', description: 'Person' },
        ],
      }),
      subscription('terms', { fieldType: 'Boolean' }),
    ]);
    expect(form.fields.map(({ kind }) => kind)).toEqual(['choice', 'boolean']);
    expect(form.fields[0]?.options[0]).toEqual({ value: 'c', label: 'Company' });
    expect(initialValues(form)).toEqual({ kind: '', terms: 'false' });
  });

  it('preselects a value only if it is the only valid one (behaviour 10.13.1)', () => {
    const only = [{ value: 'c', description: 'Company' }];
    const form = subscriptionForm([
      subscription('kind', { enumeration: only }),
      subscription('maybe', { enumeration: only, optionality: 'Optional' }),
      subscription('terms', { fieldType: 'Boolean', regex: '^true$' }),
      subscription('news', { fieldType: 'Boolean', regex: '^true$', optionality: 'Optional' }),
      subscription('either', { fieldType: 'Boolean', regex: '^(true|false)$' }),
      subscription('broken', { fieldType: 'Boolean', regex: '(' }),
    ]);
    expect(initialValues(form)).toEqual({
      kind: 'c',
      maybe: '',
      terms: 'true',
      news: 'false',
      either: 'false',
      broken: 'false',
    });
  });

  it.each([
    ['an example', { example: '2026-01-31' }, '2026-03-01'],
    ['an example with the day first', { example: '31/01/2026' }, '01/03/2026'],
    ['an example with the month first', { example: '01/31/2026' }, '03/01/2026'],
    ['an example with dots', { example: '31.01.2026', regex: '^[0-9.]+$' }, '01.03.2026'],
    ['a pattern', { regex: '^\\d{4}-\\d{2}-\\d{2}$' }, '2026-03-01'],
    ['a pattern that limits the day', { regex: '^(0[1-9]|[12]\\d|3[01])/(0[1-9]|1[0-2])/\\d{4}$' }, '01/03/2026'],
    [
      'an ambiguous example and a pattern that decides',
      { example: '01/02/2026', regex: '^(0[1-9]|1[0-2])/\\d\\d/\\d{4}$' },
      '03/01/2026',
    ],
  ])('prefills today for a date field with %s', (_, more, today) => {
    const form = subscriptionForm([subscription('mandate.signedOn', more)]);
    const values = initialValues(form, '2026-03-01');
    expect(values).toEqual({ 'mandate.signedOn': today });
    expect(checkForm(form, values)).toEqual([]);
  });

  it.each([
    ['is optional', { example: '2026-01-31', optionality: 'Optional' }],
    ['has an ambiguous example', { example: '01/02/2026' }],
    ['accepts any text', { regex: '^.{10}$' }],
    ['has neither example nor pattern', {}],
    ['is a number without separators', { example: '20260131', regex: '^\\d{8}$' }],
    ['has an example outside the calendar', { example: '2026-02-30' }],
    ['accepts no day of this year', { example: '1999-01-31', regex: '^1999-\\d\\d-\\d\\d$' }],
    ['is labelled as a date of birth', { example: '1980-01-31', uiLabel: 'Date of birth' }],
    ['is a select field', { example: '2026-01-31', enumeration: [{ value: 'a' }, { value: 'b' }] }],
  ])('prefills no date if a field %s', (_, more) => {
    expect(initialValues(subscriptionForm([subscription('day', more)]), '2026-03-01')).toEqual({ day: '' });
  });

  it('notes an invalid or costly regex on its field and accepts any value (threat 4.3)', () => {
    const form = subscriptionForm([
      subscription('broken', { regex: '(' }),
      subscription('slow', { regex: '^(a+)\\1$' }),
    ]);
    expect(form.fields.map(({ note }) => note)).toEqual([
      expect.stringContaining('cannot be read'),
      expect.stringContaining('refers back'),
    ]);
    expect(checkForm(form, { broken: 'x', slow: `${'a'.repeat(50)}!` })).toEqual([]);
  });
});

describe('the validation of a form', () => {
  const enumeration = [
    { value: 'c', description: 'Company' },
    { value: 'p', description: 'Person' },
  ];
  const form = subscriptionForm([
    subscription('sortCode', { regex: '^\\d{6}$', errorMessage: 'six digits' }),
    subscription('note', { optionality: 'Optional', regex: '^[a-z]+$', uiLabel: 'Note', example: 'abc' }),
    subscription('kind', { optionality: 'Optional', enumeration }),
    subscription('owner'),
    subscription('terms', { fieldType: 'Boolean', regex: '^true$', errorMessage: 'accept the terms' }),
  ]);
  const good = { sortCode: '112233', owner: 'A', terms: 'true' };

  it('accepts valid values without the optional ones (wire 8.4)', () => {
    expect(checkForm(form, good)).toEqual([]);
    expect(checkForm(form, { ...good, kind: 'p' })).toEqual([]);
  });

  it('shows the rule’s message if a value is missing, blank or fails the regex', () => {
    const wrong = [{ id: 'sortCode', message: 'six digits' }];
    expect(checkForm(form, { ...good, sortCode: '  ' })).toEqual(wrong);
    expect(checkForm(form, { ...good, sortCode: '11-22' })).toEqual(wrong);
    expect(checkForm(form, { ...good, sortCode: '' })).toEqual(wrong);
    expect(checkForm(form, { ...good, owner: '  ' }).map(({ id }) => id)).toEqual(['owner']);
  });

  it('shows an example if the rule has no message', () => {
    expect(checkForm(form, { ...good, note: 'A1' })).toEqual([
      { id: 'note', message: 'Note: enter a value such as abc' },
    ]);
  });

  it('refuses a value outside the enumeration, and an unticked mandatory checkbox', () => {
    expect(checkForm(form, { ...good, kind: 'x', terms: 'false' }).map(({ id }) => id)).toEqual(['kind', 'terms']);
  });

  it.each(['\0', '\u007f', '\u0085', '\u202D', '\u202E', '\ud800', '\udc00'])(
    'refuses %j in a value, as the server does (behaviour 5.8)',
    (odd) => {
      expect(checkForm(form, { ...good, owner: `A${odd}` }).map(({ id }) => id)).toEqual(['owner']);
      expect(checkForm(form, { ...good, owner: 'A\t😀' })).toEqual([]);
    },
  );

  it('names the disallowed character after the rule’s message (behaviour 5.8)', () => {
    const [error] = checkForm(form, { ...good, sortCode: '11\u00072233' });
    expect(error?.message).toBe('six digits (the value holds the character U+0007, which cannot be sent)');
    expect(checkForm(form, { ...good, owner: '\ud800 A' })[0]?.message).toContain('the character U+D800,');
  });

  it('reads no inherited member as a value (threat 4.5)', () => {
    const odd = subscriptionForm([subscription('toString'), subscription('valueOf', { optionality: 'Optional' })]);
    expect(checkForm(odd, {}).map(({ id }) => id)).toEqual(['toString']);
  });
});

describe('the debtor and creditor forms', () => {
  it('use the whole path as the field’s name', () => {
    const rules = [
      rule('DebtorAccounts', 'debtorAccount.name'),
      rule('Creditors', 'creditor.postalAddress.addressLine1'),
    ];
    expect(partyForm(rules, 'DebtorAccounts').fields.map(({ id }) => id)).toEqual(['debtorAccount.name']);
    expect(partyForm(rules, 'Creditors').fields.map(({ paths }) => paths)).toEqual([
      ['creditor.postalAddress.addressLine1'],
    ]);
  });
});

describe('the payment form', () => {
  const file = (jsonPath: string, optionality = 'Required'): Rule => ({
    ruleId: `file-${jsonPath}`,
    type: 'Header',
    sourceValidation: { jsonPath, optionality },
  });

  it('asks only for Required additional data, once per name, and maps it to both paths', () => {
    const form = paymentForm([
      rule('BatchPayments', 'additionalData.purpose'),
      rule('BatchPayments', 'payments.additionalData.purpose'),
      rule('BatchPayments', 'additionalData.optional', { optionality: 'Optional' }),
      rule('BatchPayments', 'payments.additionalData.hidden', { optionality: 'Hidden' }),
      rule('BatchPayments', 'payments.instructedAmount.amount'),
      rule('Subscriptions', 'additionalData.sortCode'),
    ]);
    expect(form.fields.map(({ id, paths }) => [id, paths])).toEqual([
      ['purpose', ['additionalData.purpose', 'payments.additionalData.purpose']],
    ]);
  });

  it('adds fields for the file format and the file’s author (wire 9.1)', () => {
    const form = paymentForm(
      [rule('BatchPayments', 'additionalData.purpose')],
      [file('userIdentification.name'), file('additionalData.userNumber'), file('payments.creditor.name')],
    );
    expect(form.fields.map(({ id }) => id)).toEqual(['purpose', 'userIdentification.name', 'userNumber']);
  });
});

describe('a form with long values', () => {
  it('shows no error for a valid value, whether it is checked or exceeds the limit (threat 4.3)', () => {
    for (const count of [1, 10, 1000]) {
      const rules = Array.from({ length: count }, (_, index) =>
        subscription(`text${index}`, { regex: `^[A-Za-z0-9 ]{1,${1024 + (index % 500)}}$` }),
      );
      const form = subscriptionForm(rules);
      const values = Object.fromEntries(form.fields.map(({ id }) => [id, 'a '.repeat(512)]));
      expect(checkForm(form, values)).toEqual([]);
      expect(checkForm(form, { ...values, text0: '!' })).toMatchObject([{ id: 'text0' }]);
    }
  });
});

describe('a form of ten thousand fields', () => {
  const many = (regex: (index: number) => string) =>
    subscriptionForm(
      Array.from({ length: 10_000 }, (_, index) =>
        subscription(`flag${index}`, { regex: regex(index), fieldType: 'Boolean' }),
      ),
    );

  it('compiles a limited number of patterns, and notes the others as unchecked', () => {
    const { fields } = many((index) => `^${'[a-z]?'.repeat(300)}${index}$`);
    const unread = fields.filter(({ note }) => note?.includes('too many'));
    expect(unread.length).toBeGreaterThan(9000);
    expect(unread.every(({ regex }) => regex === '')).toBe(true);
    expect(fields[0]).not.toHaveProperty('note');
  });

  it('compiles a pattern that all fields share', () => {
    const { fields } = many(() => '^true$');
    expect(fields.filter(({ note }) => note)).toEqual([]);
    expect(Object.values(initialValues({ fields }))).toEqual(fields.map(() => 'true'));
  });

  it('is validated within a bounded number of steps, even with the costliest patterns (threat 4.2)', () => {
    const form = many((index) => `^(?:\\w?){500}${index}$`);
    const checked = checkForm(form, initialValues(form)).length;
    expect(checked).toBeGreaterThan(50);
    expect(checked).toBeLessThan(1000);
  });
});
