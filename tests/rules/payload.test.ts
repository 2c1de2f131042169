import { describe, it, expect } from 'vitest';
import { paymentForm, partyForm, subscriptionForm } from '#rules/field.ts';
import { additionalData, nested, paymentExtras } from '#rules/payload.ts';
import { rule } from './support.ts';

const subscribe = (paths: Record<string, object>) =>
  subscriptionForm(Object.entries(paths).map(([path, more]) => rule('Subscriptions', `additionalData.${path}`, more)));

describe('the request body made from a form', () => {
  it('nests dotted names and omits missing and blank values', () => {
    const form = partyForm(
      ['creditor.name', 'creditor.postalAddress.addressLine1', 'creditorAgent.identification'].map((path) =>
        rule('Creditors', path),
      ),
      'Creditors',
    );
    expect(
      nested(form, {
        'creditor.name': 'Orchard Supplies',
        'creditor.postalAddress.addressLine1': '1 High St',
        'creditorAgent.identification': '  ',
      }),
    ).toEqual({
      creditor: { name: 'Orchard Supplies', postalAddress: { addressLine1: '1 High St' } },
    });
  });

  it('converts the text of a Boolean to true or false', () => {
    const form = subscribe({ terms: { fieldType: 'Boolean' }, paper: { fieldType: 'Boolean' }, name: {} });
    expect(nested(form, { terms: 'true', paper: 'false', name: 'true' })).toEqual({
      terms: true,
      paper: false,
      name: 'true',
    });
  });

  it.each(['__proto__.polluted', 'constructor.prototype.polluted', 'a.constructor', 'a..b', 'a.', '.a', ''])(
    'ignores a path that is unsafe or malformed: %s (threat 4.5)',
    (path) => {
      const form = subscribe({ [path]: {} });
      expect(form.fields[0]?.note).toContain('cannot be used');
      expect(additionalData(form, { [form.fields[0]?.id ?? '']: 'yes' })).toBe('{}');
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    },
  );

  it('contains a field named like an inherited member', () => {
    const form = subscribe({ 'toString.name': {} });
    expect(additionalData(form, { 'toString.name': 'x' })).toBe('{"toString":{"name":"x"}}');
  });
});

describe('a subscription’s additionalData', () => {
  it('is a JSON string in which a group is an array of one (wire 8.3)', () => {
    const form = subscribe({
      signatories: { fieldType: 'Array' },
      'signatories.name': {},
      'signatories.email': {},
      sortCode: {},
    });
    const text = additionalData(form, { 'signatories.name': 'A', 'signatories.email': 'a@b.c', sortCode: '112233' });
    expect(JSON.parse(text)).toEqual({ signatories: [{ name: 'A', email: 'a@b.c' }], sortCode: '112233' });
  });

  it('has an array of one for a group with a dotted name', () => {
    const form = subscribe({ 'company.owners': { fieldType: 'Array' }, 'company.owners.name': {}, 'company.name': {} });
    const text = additionalData(form, { 'company.owners.name': 'A', 'company.name': 'B' });
    expect(JSON.parse(text)).toEqual({ company: { owners: [{ name: 'A' }], name: 'B' } });
  });

  it('has an array of one for a deeply nested group', () => {
    const form = subscribe({ 'company.board.owners': { fieldType: 'Array' }, 'company.board.owners.name': {} });
    const text = additionalData(form, { 'company.board.owners.name': 'A' });
    expect(JSON.parse(text)).toEqual({ company: { board: { owners: [{ name: 'A' }] } } });
  });

  it('keeps a string value below whose name a group is defined', () => {
    const form = subscribe({ 'name.length': { fieldType: 'Array' }, name: {} });
    expect(additionalData(form, { name: 'A' })).toBe('{"name":"A"}');
  });

  it('has an array for each group, including hidden and nested ones', () => {
    const form = subscribe({
      owners: { fieldType: 'Array', optionality: 'Hidden' },
      'owners.name': {},
      'owners.addresses': { fieldType: 'Array' },
      'owners.addresses.city': {},
      accounts: { fieldType: 'Array' },
      'accounts.number': {},
    });
    const text = additionalData(form, { 'owners.name': 'A', 'owners.addresses.city': 'B', 'accounts.number': '1' });
    expect(JSON.parse(text)).toEqual({
      owners: [{ name: 'A', addresses: [{ city: 'B' }] }],
      accounts: [{ number: '1' }],
    });
  });

  it('omits an empty group', () => {
    const form = subscribe({ signatories: { fieldType: 'Array' }, 'signatories.name': {} });
    expect(additionalData(form, {})).toBe('{}');
  });
});

describe('the values of the payment form', () => {
  it('go to the batch, to each payment, or to both if rules share a name (wire 8.5)', () => {
    const form = paymentForm(
      ['additionalData.purpose', 'payments.additionalData.purpose', 'payments.additionalData.kind'].map((path) =>
        rule('BatchPayments', path),
      ),
      [{ ruleId: 'f', sourceValidation: { jsonPath: 'userIdentification.name', optionality: 'Required' } }],
    );
    expect(paymentExtras(form, { purpose: 'SUPP', kind: 'x', 'userIdentification.name': 'Payer Ltd' })).toEqual({
      batch: { additionalData: { purpose: 'SUPP' }, userIdentification: { name: 'Payer Ltd' } },
      payment: { additionalData: { purpose: 'SUPP', kind: 'x' } },
    });
  });

  it('are empty for a form without fields', () => {
    expect(paymentExtras({ fields: [] }, {})).toEqual({ batch: {}, payment: {} });
  });
});
