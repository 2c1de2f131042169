import { describe, expect, it } from 'vitest';
import { afterPaid, toldReturns, withTold } from '#rules/afterPaid.ts';
import { marksOf, returnsIn } from '#rules/entryMarks.ts';
import type { TimelineEntry } from '#contract/timeline.ts';

const data = {
  returnReason: 'Account closed',
  returnedAmount: { amount: '1.25', currency: 'GBP' },
  charges: { amount: '0.25', currency: 'GBP' },
  returnedAt: '2026-01-13T00:00:00.000Z',
};
const payment = (additionalData: unknown, more: object = {}) => ({
  paymentId: 'p',
  status: 'Returned',
  extendedStatus: 'AC04',
  instructedAmount: { amount: '1.50', currency: 'GBP' },
  additionalData,
  ...more,
});
const sentence = 'Came back on 2026-01-13: Account closed (AC04), 1.25 GBP of 1.50 GBP, charges 0.25 GBP';

describe('What became of a payment after it was paid', () => {
  it.each([
    ['a text that contains JSON', JSON.stringify(data)],
    ['an object', data],
  ])('is read of additional data that are %s', (_, given) => {
    expect(afterPaid(payment(given))).toBe(sentence);
    const held = { informationRequested: 'Why', respondBy: '2026-01-12' };
    const asked = typeof given === 'string' ? JSON.stringify(held) : held;
    expect(afterPaid(payment(asked, { status: 'Held' }))).toBe('The bank asks: Why, answer by 2026-01-12');
  });

  it.each([['null'], ['{'], ['[]'], [7], [undefined]])('is its code alone with the additional data %j', (given) => {
    expect(afterPaid(payment(given))).toBe('Came back: Account closed (AC04)');
  });

  it('names no amount that was sent if it is not said, as in a webhook', () => {
    expect(afterPaid(payment(data, { instructedAmount: undefined }))).toContain('(AC04), 1.25 GBP, charges');
  });
});

describe('A return that was told', () => {
  const stored = (additionalData: unknown) => toldReturns([], [payment(additionalData)]);
  const read = { paymentId: 'p', status: 'Completed', instructedAmount: { amount: '1.50', currency: 'GBP' } };

  it.each([
    ['thousands of characters beside it', { before: 'x'.repeat(5000), ...data, after: 'y'.repeat(5000) }],
    ['an object', data],
  ])('keeps its reason, amount, charges and day, with %s', (_, given) => {
    for (const form of [given, JSON.stringify(given)])
      expect(withTold([read], stored(form))?.map(afterPaid)).toEqual([sentence]);
  });

  it('is stored in few characters, whatever a service sends', () => {
    const endless = Object.fromEntries(Object.keys(data).map((name) => [name, { amount: 'x'.repeat(5000) }]));
    const all = Array.from({ length: 3000 }, (_, index) => payment(endless, { paymentId: `p${index}` }));
    const kept = toldReturns([], all);
    expect(kept).toHaveLength(2000);
    expect(Math.max(...kept.map((each) => JSON.stringify(each).length))).toBeLessThan(1000);
  });

  it('keeps what a later account of it leaves out', () => {
    const bare = { paymentId: 'p', status: 'RETURNED' };
    expect(toldReturns(stored(data), [bare])).toEqual(stored(data));
    expect(withTold([{ ...read, status: 'RETURNED' }], stored(data))?.map(afterPaid)).toEqual([sentence]);
  });

  it('changes no payment of another status, and none that says why itself', () => {
    const failed = { ...read, status: 'Failed' };
    const own = payment({ returnReason: 'Another' });
    expect(withTold([failed, own], stored(data))).toEqual([failed, own]);
  });
});

describe('An entry of the timeline', () => {
  const none = { headers: {}, body: '' };
  const entry = (kind: string, said: unknown, more: object = {}) => {
    const side = { headers: {}, body: JSON.stringify(said), ...more };
    return {
      kind,
      request: kind === 'webhook' ? side : none,
      response: kind === 'webhook' ? none : side,
    } as unknown as TimelineEntry; // what is read of it
  };
  const batch = { data: { status: 'Completed', payments: [payment(data), payment('', { status: 'Completed' })] } };

  it.each([
    ['a webhook', entry('webhook', batch)],
    ['a webhook with a list', entry('webhook', [batch])],
    ['a webhook with events', entry('webhook', { events: [batch] })],
    ['a read', entry('service', batch)],
    ['a program’s read', entry('program', batch)],
  ])('that is %s tells of a return, with its sentence', (_, told) => {
    expect(marksOf(told)).toEqual([{ word: 'Returned', says: sentence, tone: 'back' }]);
  });

  it('with several returns tells the first, and how many more', () => {
    const told = entry('service', { data: { payments: [payment(data), payment(data, { paymentId: 'q' })] } });
    expect(marksOf(told).map(({ says }) => says)).toEqual([`${sentence}, and 1 more`]);
  });

  it('of which only the beginning is stored tells of the returns there', () => {
    const whole = JSON.stringify({ data: { payments: [payment(data), payment(data, { paymentId: 'q' })] } });
    expect(
      returnsIn(entry('service', '', { body: whole.slice(0, whole.indexOf('"q"')), truncated: true })),
    ).toHaveLength(1);
  });

  it.each([
    ['a page’s call', entry('call', batch)],
    ['a body that is no JSON', entry('service', '', { body: 'Returned' })],
    ['a batch without one', entry('service', { data: { payments: [payment('', { status: 'Completed' })] } })],
  ])('that is %s tells of none', (_, told) => {
    expect(marksOf(told)).toEqual([]);
  });

  it('that was late says so, and tells no return', () => {
    const late = { ...entry('webhook', batch), late: true } as TimelineEntry;
    expect(marksOf(late).map(({ word }) => word)).toEqual(['Late']);
  });
});
