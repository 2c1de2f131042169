import { describe, expect, it } from 'vitest';
import type { Journey } from '#machines/journey.ts';
import { inOrder } from '#machines/journeys.ts';

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

describe('the order of journeys in a registry', () => {
  it('puts a journey after its declared predecessors', () => {
    const journeys = { last: journey({ after: ['first', 'middle'] }), middle: journey({ after: ['first'] }) };
    expect(inOrder({ ...journeys, first: journey({}) })).toEqual(['first', 'middle', 'last']);
  });

  it('puts a journey after those that provide its requirements', () => {
    const pay = journey({ requires: ['debtors', 'company'] });
    const debtor = journey({ provides: ['debtors'] });
    expect(inOrder({ pay, debtor, company: journey({ provides: ['company'] }) })).toEqual(['debtor', 'company', 'pay']);
  });

  it('uses the menu group if nothing else decides, with pages without a group last', () => {
    const journeys = {
      unlisted: journey({}),
      payment: journey({ group: 'Payments' }),
      settings: journey({ group: 'Misc' }),
      account: journey({ group: 'Acct/DataSet' }),
    };
    expect(inOrder(journeys)).toEqual(['settings', 'account', 'payment', 'unlisted']);
  });

  it('throws for journeys that depend on each other', () => {
    const journeys = { free: journey({}), one: journey({ after: ['other'] }), other: journey({ after: ['one'] }) };
    expect(() => inOrder(journeys)).toThrow('Journeys wait for each other: one, other');
  });
});
