import { describe, expect, it } from 'vitest';
import type { Journey } from '#machines/journey.ts';
import { inOrder } from '#machines/order.ts';

const journey = (more: Partial<Journey>): Journey => ({
  id: 'toy',
  path: '/toy',
  title: 'Toy',
  purpose: 'It is a toy.',
  summary: 'Toys.',
  requires: [],
  after: [],
  provides: [],
  ...more,
});

describe('the order of a registry', () => {
  it('puts a journey after those it comes after, wherever they stand', () => {
    const journeys = { last: journey({ after: ['first', 'middle'] }), middle: journey({ after: ['first'] }) };
    expect(inOrder({ ...journeys, first: journey({}) })).toEqual(['first', 'middle', 'last']);
  });

  it('puts a journey after those whose result it requires', () => {
    const pay = journey({ requires: ['debtors', 'company'] });
    const debtor = journey({ provides: ['debtors'] });
    expect(inOrder({ pay, debtor, company: journey({ provides: ['company'] }) })).toEqual(['debtor', 'company', 'pay']);
  });

  it('goes by menu group where nothing else decides, pages without one last', () => {
    const journeys = {
      unlisted: journey({}),
      payment: journey({ group: 'Payments' }),
      settings: journey({ group: 'Misc' }),
      account: journey({ group: 'Acct/DataSet' }),
    };
    expect(inOrder(journeys)).toEqual(['settings', 'account', 'payment', 'unlisted']);
  });

  it('does not exist while journeys wait for each other', () => {
    const journeys = { free: journey({}), one: journey({ after: ['other'] }), other: journey({ after: ['one'] }) };
    expect(() => inOrder(journeys)).toThrow('Journeys wait for each other: one, other');
  });
});
