import { describe, expect, it } from 'vitest';
import { isLate } from '#rules/late.ts';

const told = [{ paymentId: 'p', extendedStatus: 'AC04', additionalData: '' }];
const [earlier, heardAt, later] = ['2026-01-09T12:00:00Z', '2026-01-09T12:00:05Z', '2026-01-09T12:00:09Z'];
const payment = (status: string, paymentId = 'p') => ({ status, paymentId });

describe('A webhook is late (wire 12.8)', () => {
  it.each<[string, object, Parameters<typeof isLate>[1]]>([
    ['in progress after an end', { status: 'PROCESSING' }, { status: 'Completed' }],
    [
      'in progress after an end that a reading took back',
      { status: 'Received' },
      { status: 'Processing', ended: 'Completed' },
    ],
    ['of an end after a return', { status: 'Completed' }, { status: 'PartiallyReturned' }],
    [
      'of a payment that was paid, after its return',
      { status: 'Completed', payments: [payment('Completed')] },
      { status: 'Completed', told },
    ],
    ['of a payment that was held, after its return', { payments: [payment('Held')] }, { status: 'Completed', told }],
    [
      'in progress, of a return that is known',
      { status: 'Processing', payments: [payment('Returned')] },
      { status: 'Returned', told },
    ],
  ])('if it tells %s', (_, data, known) => {
    expect(isLate({ data: data as never }, known)).toBe(true);
  });

  it.each<[string, object, Parameters<typeof isLate>[1]]>([
    ['nothing is known', { status: 'Processing' }, undefined],
    ['it tells an end of what is in progress', { status: 'Completed' }, { status: 'Processing' }],
    ['it tells what is known', { status: 'Completed', payments: [payment('Returned')] }, { status: 'Completed', told }],
    ['it tells another end', { status: 'Failed' }, { status: 'Completed' }],
    ['it tells an unknown status', { status: 'Reversed' }, { status: 'Returned' }],
    ['it tells no status', {}, { status: 'Returned' }],
    [
      'it tells a return that is not known, and an earlier status',
      { status: 'Processing', payments: [payment('Returned', 'q')] },
      { status: 'Completed', told },
    ],
  ])('not if %s', (_, data, known) => {
    expect(isLate({ data: data as never }, known)).toBe(false);
  });

  it('if it was signed before the latest one and tells no news; not if it tells news, or was signed later', () => {
    const known = { status: 'Completed', told, heardAt };
    const late = (data: object, sentAt: string) => isLate({ data: data as never, sentAt }, known);
    expect([late({ status: 'Failed' }, earlier), late({ status: 'Failed' }, later)]).toEqual([true, false]);
    expect(late({ status: 'Completed', payments: [payment('Returned')] }, earlier)).toBe(true);
    expect(late({ status: 'Completed', payments: [payment('Returned', 'q')] }, earlier)).toBe(false);
    expect(late({ status: 'Returned' }, earlier)).toBe(false);
  });
});
