import { describe, expect, it } from 'vitest';
import { paymentForm, subscriptionForm } from '#rules/field.ts';
import { additionalData } from '#rules/payload.ts';
import { enteredAt, valuesIn } from '#rules/prefill.ts';
import { rule } from './support.ts';

const subscribe = (paths: Record<string, object>) =>
  subscriptionForm(Object.entries(paths).map(([path, more]) => rule('Subscriptions', `additionalData.${path}`, more)));

describe('the values of a form', () => {
  it('are those that the body was made of: nested, in groups, Booleans as text', () => {
    const form = subscribe({
      name: {},
      terms: { fieldType: 'Boolean' },
      'owner.name': {},
      owner: { fieldType: 'Group' },
    });
    const values = { name: 'Applewick', terms: 'false', 'owner.name': 'Orchard' };
    const body = additionalData(form, values);
    expect(valuesIn(form, body)).toEqual(values);
    expect(valuesIn(form, JSON.stringify({ data: { additionalData: body } }), 'data.additionalData.')).toEqual(values);
  });

  it('are taken from the first payment of a batch, whose additionalData is a text or an object', () => {
    const form = paymentForm([
      rule('BatchPayments', 'payments.additionalData.purpose'),
      rule('BatchPayments', 'additionalData.note'),
    ]);
    const payments = [{ additionalData: '{"purpose":"goods"}' }, { additionalData: '{"purpose":"rent"}' }];
    expect(valuesIn(form, { additionalData: { note: 'x', other: 'y' }, payments })).toEqual({
      note: 'x',
      purpose: 'goods',
    });
    expect(valuesIn(form, { additionalData: '{', payments: [] })).toEqual({});
  });

  it('leave out what a body lacks, objects, and members that every object inherits', () => {
    const form = subscribe({ name: {}, 'name.first': {}, 'constructor.name': {} });
    expect(valuesIn(form, { name: { last: 'Applewick' } })).toEqual({});
    for (const body of [undefined, null, 'not JSON', '7', []]) expect(valuesIn(form, body)).toEqual({});
  });

  it('have the digits of a number as they were sent', () => {
    expect(enteredAt('{"data":{"limit":12345678901234567890.10,"days":30}}', 'data.limit')).toBe(
      '12345678901234567890.10',
    );
    expect(enteredAt({ days: 30 }, 'days')).toBe('30');
  });
});
