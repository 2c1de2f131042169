import { describe, expect, it } from 'vitest';
import type { Payment } from '#contract/payment.ts';
import { batchId, consoleThatPaid, paymentOf, serviceThat } from '#tests/support/consoleThatPaid.ts';
import { batch, consoleWith, lost } from '#tests/support/consoleWithPayments.ts';

describe('The list of payments of a batch', () => {
  const [one, two, three] = [paymentOf('INV-1', '10.00'), paymentOf('INV-2', '20.00'), paymentOf('INV-3', '30.00')];
  const as = (sent: Payment, status: string, without: (keyof Payment)[] = []): object => ({
    ...Object.fromEntries(Object.entries(sent).filter(([name]) => !without.includes(name as keyof Payment))),
    status,
  });
  const unnamed: (keyof Payment)[] = ['remittanceInformation'];
  const twin = { ...paymentOf('INV-4', '10.00') };

  it.each<[string, Payment[], string, unknown, string[]]>([
    [
      'in another order without references',
      [one, two],
      'PartiallyCompleted',
      [as(two, 'Completed', unnamed), as(one, 'Failed', unnamed)],
      ['INV-1'],
    ],
    [
      'in another order',
      [one, two, three],
      'Completed',
      [three, two, one].map((each) => as(each, each === two ? 'REJECTED' : 'Completed')),
      ['INV-2'],
    ],
    [
      'with amounts in another form',
      [one, two],
      'PartiallyCompleted',
      [
        { ...as(two, 'Completed', unnamed), instructedAmount: { amount: '20', currency: 'GBP' } },
        { ...as(one, 'Failed', unnamed), instructedAmount: { amount: '010.0', currency: 'gbp' } },
      ],
      ['INV-1'],
    ],
    [
      'that does not tell two apart',
      [one, twin, two],
      'PartiallyCompleted',
      [as(one, 'Failed', unnamed), as(twin, 'Completed', unnamed), as(two, 'Failed', unnamed)],
      ['INV-2'],
    ],
    [
      'that does not tell two apart, both failed',
      [one, twin],
      'Failed',
      [as(one, 'Failed', unnamed), as(twin, 'Failed', unnamed)],
      ['INV-1', 'INV-4'],
    ],
    ['with one of two that it does not tell apart', [one, twin], 'Failed', [as(one, 'Failed', unnamed)], []],
    ['without one', [one, two], 'PartiallyCompleted', [as(one, 'Failed')], ['INV-1']],
    [
      'with one twice in different states',
      [one, two],
      'PartiallyCompleted',
      [as(one, 'Failed'), as(one, 'Completed'), as(two, 'Failed')],
      ['INV-2'],
    ],
    [
      'with one twice in the same state',
      [one, two],
      'PartiallyCompleted',
      [as(one, 'Failed'), as(one, 'Failed'), as(two, 'Completed')],
      ['INV-1'],
    ],
    [
      'with the same id in different states',
      [one, two],
      'PartiallyCompleted',
      [
        { ...as(one, 'Failed'), paymentId: 'p' },
        { ...as(two, 'Completed'), paymentId: 'p' },
      ],
      [],
    ],
    [
      'with one twice by its id',
      [one, twin],
      'Failed',
      [
        { ...as(one, 'Failed', unnamed), paymentId: 'p' },
        { ...as(one, 'Failed', unnamed), paymentId: 'p' },
      ],
      [],
    ],
    [
      'with another completed payment',
      [one, two],
      'PartiallyCompleted',
      [as(one, 'Failed'), as(two, 'Completed'), as(three, 'Completed')],
      [],
    ],
    [
      'with another failed payment',
      [one, two],
      'PartiallyCompleted',
      [as(one, 'Failed'), as(two, 'Completed'), as(three, 'Failed')],
      ['INV-1'],
    ],
    [
      'of another payee',
      [one, two],
      'Failed',
      [{ ...as(one, 'Failed'), creditor: { name: 'Else' } }, as(two, 'Failed')],
      ['INV-2'],
    ],
    [
      'of another account',
      [one, two],
      'Failed',
      [{ ...as(one, 'Failed'), creditorAccount: { identification: '1' } }, as(two, 'Failed')],
      ['INV-2'],
    ],
    [
      'with statuses alone, all failed',
      [one, two],
      'PartiallyCompleted',
      [{ status: 'Failed' }, { status: 'Rejected' }],
      ['INV-1', 'INV-2'],
    ],
    ['with statuses alone', [one, two], 'PartiallyCompleted', [{ status: 'Failed' }, { status: 'Completed' }], []],
    ['completed in a failed batch', [one, two], 'Failed', [as(one, 'Failed'), as(two, 'completed')], ['INV-1']],
    ['completed in a cancelled batch', [one], 'Cancelled', [as(one, 'Completed')], []],
    [
      'in progress in a rejected batch',
      [one, two],
      'Rejected',
      [as(one, 'Processing'), as(two, 'Rejected')],
      ['INV-2'],
    ],
    [
      'of unknown statuses in a failed batch',
      [one, two, three],
      'Failed',
      [as(one, ''), { ...as(two, ''), status: 7 }, { ...as(three, ''), status: {} }],
      [],
    ],
    [
      'without statuses in a failed batch',
      [one, two],
      'Failed',
      [
        { ...as(one, ''), status: null },
        { ...as(two, ''), status: undefined },
      ],
      ['INV-1', 'INV-2'],
    ],
    ['failed in a completed batch', [one, two], 'Completed', [as(one, 'Failed'), as(two, 'Completed')], ['INV-1']],
    ['failed in a batch in progress', [one, two], 'Processing', [as(one, 'Failed'), as(two, 'Completed')], []],
    ['that is empty in a failed batch', [one, two], 'Failed', [], ['INV-1', 'INV-2']],
    ['that is empty in a partly completed batch', [one, two], 'PartiallyCompleted', [], []],
    ['with an element that is no payment', [one, two], 'Failed', [as(one, 'Failed'), 'Completed'], []],
    ['that is no list', [one, two], 'Failed', { one: as(one, 'Completed') }, []],
  ])(
    '%s frees only what certainly failed (behaviour 4.46; threat 3.27)',
    async (_, sent, status, payments, expected) => {
      const { says, read, freed } = await consoleThatPaid(sent);
      says({ status, payments });
      const { staysPaid = [] } = await read();
      expect(await freed()).toEqual(expected);
      const told = staysPaid.flatMap(({ invoices }) => invoices);
      expect(told.filter((each) => expected.includes(each))).toEqual([]);
      // An invoice is neither only if it was paid, or may still be.
      const listed = Array.isArray(payments) ? (payments as { status?: unknown }[]) : []; // of such rows, or texts
      const paid = status === 'Processing' ? sent : listed.filter((each) => each.status === 'Completed');
      expect(sent.length - expected.length - told.length).toBeLessThanOrEqual(paid.length);
    },
  );

  it('says why an invoice stays paid, and the user can pay it by confirming (behaviour 4.46)', async () => {
    const { server, says, read } = await consoleThatPaid([one, twin]);
    says({ status: 'PartiallyCompleted', payments: [as(one, 'Failed', unnamed), as(twin, 'Completed', unnamed)] });
    expect((await read()).staysPaid).toEqual([
      {
        reason:
          'The service lists 2 payments that fit these invoices alike, with different statuses: Failed, Completed.',
        count: 2,
        invoices: ['INV-1', 'INV-4'],
      },
    ]);
    const again = { body: { ...batch, payments: [one] } };
    expect(await server.refused('createBatch', again)).toMatchObject({ code: 'paid-already' });
    await server.done('createBatch', { ...again, query: { again: 'true' } });
  });

  it('of 500 payments in another order frees the failed one', async () => {
    const many = Array.from({ length: 500 }, (_, index) => paymentOf(`INV-${index}`, `${index + 1}.00`));
    const { says, read, freed } = await consoleThatPaid(many);
    says({
      status: 'PartiallyCompleted',
      payments: many.toReversed().map((each) => as(each, each === many[7] ? 'Failed' : 'Completed', unnamed)),
    });
    await read();
    expect(await freed()).toEqual(['INV-7']);
  });

  it('settles a lost response in whatever order and form it lists the payments (behaviour 4.37)', async () => {
    const { script, says } = serviceThat(lost);
    const { server } = await consoleWith(script);
    await server.refused('createBatch', { body: { ...batch, payments: [one, two] }, key: 'key-1' });
    says({
      externalId: 'e',
      status: 'Completed',
      payments: [
        as(two, 'Completed'),
        { ...as(one, 'Completed'), instructedAmount: { amount: '10', currency: 'GBP' } },
      ],
    });
    await server.done('getBatch', { params: { batchId } });
    expect((await server.store.attempts.get('key-1'))?.state).toBe('done');
  });
});
