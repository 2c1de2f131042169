import { describe, expect, it } from 'vitest';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { unsentBatch, type PaymentMaterial } from '#machines/payment/payment.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { debtor, failure, fileFormat } from '#tests/support/fixtures.ts';
import { material, openPayment, review } from './payment.running.ts';

const paid = (reference: string, purpose = 'goods') => ({
  remittanceInformation: { reference },
  additionalData: JSON.stringify({ purpose }),
});

const corrected = {
  batch: {
    batchId: 'batch-1',
    status: 'Rejected',
    debtor: { debtorId: 'debtor-2' },
    requestedExecutionDateTime: '2026-11-25T00:00:00Z',
    payments: [paid('invoice-2'), paid('invoice-3')],
  },
  errors: [
    { target: 'payments.creditorAccount.name', message: 'Too long', code: 'RegexFailure', index: 1 },
    { target: 'payments.additionalData.purpose', message: 'Unknown purpose', code: 'RegexFailure', index: 0 },
    { target: 'debtor.debtorId', message: 'Not known', code: 'NotFound' },
    { target: '', message: 'Something is wrong', code: '' },
    { target: '', message: 'Closed', code: '', index: 7 },
  ],
  references: ['invoice-2', 'invoice-3'],
};

const none = 'it names no invoice or field of this form';

async function correcting(more: Partial<PaymentMaterial> = {}, sought = '') {
  const input = { facts: everything, correcting: 'batch-1', sought };
  const running = live(electronicPaymentMachine, { input });
  expect(running.pending('loadMaterial').input).toMatchObject({ correcting: 'batch-1' });
  await running.answer('loadMaterial', { ...material, corrected, ...more });
  return { ...running, now: () => running.actor.getSnapshot().context };
}

describe('the correction of a batch', () => {
  it('opens with the sent values, and shows each error at its row or field (behaviour 4.30, 4.32)', async () => {
    const { now } = await correcting({}, 'bankAccount');
    expect(now()).toMatchObject({
      debtorId: 'debtor-2',
      date: '2026-11-25',
      ticked: ['invoice-2', 'invoice-3'],
      values: { purpose: 'goods' },
      errors: [
        { id: 'invoices/invoice-3', message: 'invoice-3: Too long' },
        { id: 'invoices/invoice-2', message: 'invoice-2: Unknown purpose' },
        { id: 'purpose', message: 'Unknown purpose (invoice invoice-2)' },
        { id: 'bankAccount', message: 'Not known' },
        { id: '', message: `Something is wrong (${none}); Closed (${none})` },
      ],
    });
  });

  it('lists no problems where no error was sought, and marks the rows of the failed payments (behaviour 4.42)', async () => {
    const { errors, marks } = (await correcting()).now();
    expect(errors).toEqual([]);
    expect(marks.map(({ id }) => id)).toContain('invoices/invoice-3');
  });

  it.each([
    ['invoices/invoice-3', 'invoices/invoice-3'],
    ['payments.additionalData.purpose', 'purpose'],
    ['bankAccount', 'bankAccount'],
    ['payments.additionalData.gone', ''],
    ['__proto__', ''],
  ])('focuses the control in the address: %s', async (sought, at) => {
    expect((await correcting({}, sought)).now().sought).toBe(at);
  });

  it('selects no invoice that has since been paid, and names those not listed', async () => {
    const [first, second] = material.invoices;
    const standing = { state: 'paid' as const, at: '2026-11-20T09:00:00.000Z', batchId: 'batch-2' };
    const { now } = await correcting({ invoices: [first!, { ...second!, payment: standing }] }, 'bankAccount');
    expect(now().ticked).toEqual([]);
    expect(
      now()
        .errors.map(({ message }) => message)
        .join(),
    ).toContain('invoice-3 is not among the invoices listed here');
  });

  it('selects an invoice whose payment failed, and sets no execution date in the past', async () => {
    const [first, second, third] = material.invoices;
    const payment = { state: 'failed' as const, at: '2026-11-20T09:00:00.000Z', batchId: 'batch-1' };
    const invoices = [first!, { ...second!, payment }, third!];
    for (const [day, date] of [
      ['2026-11-25', null],
      ['2026-11-26', '2026-11-26'],
      ['2026-11-2', null],
    ] as const) {
      // prettier-ignore
      const batch = { ...corrected.batch, requestedExecutionDateTime: `${day}T00:00:00Z` };
      const { now } = await correcting({ today: '2026-11-26', invoices, corrected: { ...corrected, batch } });
      expect([now().ticked, now().date]).toEqual([['invoice-2', 'invoice-3'], date]);
    }
  });

  it('keeps choices and values when more invoices are listed, and shows the errors again', async () => {
    const { send, answer, now } = await correcting();
    await send({ type: 'form.change', field: 'purpose', value: 'rent' });
    await send({ type: 'invoices.tick', ids: ['invoice-3'] });
    await send({ type: 'invoices.ask', count: 100 });
    await answer('loadMaterial', { ...material, corrected });
    expect(now()).toMatchObject({ ticked: ['invoice-3'], values: { purpose: 'rent' } });
    expect(now().marks.map(({ id }) => id)).toContain('invoices/invoice-3');
  });

  it('is paid as a new batch once it is valid, despite the service’s earlier errors', async () => {
    const { send, answer, now, actor } = await correcting();
    await send({ type: 'form.submit' });
    expect(actor.getSnapshot().value).toEqual({ review: 'preparing' });
    expect(now().errors).toEqual([]);
    await answer('prepare', { key: 'key-2', covered: [] });
    expect(unsentBatch(now()).payments.map(({ remittanceInformation }) => remittanceInformation?.reference)).toEqual([
      'invoice-2',
      'invoice-3',
    ]);
  });

  it('has its template chosen for a file payment', async () => {
    const input = { facts: everything, correcting: 'batch-1' };
    const running = live(filePaymentMachine, { input });
    const batch = { ...corrected.batch, fileFormatId: fileFormat.fileFormatId };
    await running.answer('loadMaterial', { ...material, corrected: { ...corrected, batch } });
    const { value, context } = running.actor.getSnapshot();
    expect(value).toEqual({ choosing: { form: 'editing' } });
    expect(context.format).toEqual(fileFormat);
    expect(context.form.fields.map(({ id }) => id)).toContain('userIdentification.name');
    expect(context.marks.map(({ id }) => id)).toContain('invoices/invoice-3');
  });

  it('marks its rows once a template is chosen, where its own is no longer offered', async () => {
    const running = live(filePaymentMachine, { input: { facts: everything, correcting: 'batch-1' } });
    const batch = { ...corrected.batch, fileFormatId: 'gone' };
    await running.answer('loadMaterial', { ...material, corrected: { ...corrected, batch } });
    expect(running.actor.getSnapshot()).toMatchObject({ value: { choosing: 'format' }, context: { marks: [] } });
    await running.send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    expect(running.actor.getSnapshot().context.marks.map(({ id }) => id)).toContain('invoices/invoice-3');
  });

  it('moves an error to its row, and asks for what new rules ask, once more invoices are listed', async () => {
    const { send, answer, now } = await correcting({ invoices: material.invoices.slice(0, 2), rules: [] });
    expect(now().marks.map(({ id }) => id)).not.toContain('invoices/invoice-3');
    await send({ type: 'invoices.ask', count: 100 });
    await answer('loadMaterial', { ...material, corrected });
    expect(now().marks.map(({ id }) => id)).toContain('invoices/invoice-3');
    expect(now().form.fields.map(({ id }) => id)).toContain('purpose');
  });

  it.each([null, 7, { debtorId: null }, []])('tolerates a malformed debtor in the batch: %j', async (odd) => {
    const batch = { ...corrected.batch, debtor: odd, requestedExecutionDateTime: odd, payments: [null, 1] } as never;
    const { now, actor } = await correcting({ corrected: { ...corrected, batch } });
    expect(actor.getSnapshot().value).toEqual({ choosing: { form: 'editing' } });
    expect(now().ticked).toEqual(['invoice-2', 'invoice-3']);
  });
});

describe('a refused payment', () => {
  it('leads back to the rows and fields that its errors name (behaviour 4.30)', async () => {
    const running = await review(await openPayment(), ['invoice-1', 'invoice-3']);
    await running.send({ type: 'payment.pay' });
    const errors = [
      { path: 'payments.1.creditorAccount.identification', message: 'Not an account' },
      { path: 'payments.0.additionalData.purpose', message: 'Unknown' },
      { path: 'externalId', message: 'Too long' },
    ];
    await running.refuse('pay', { ...failure, code: 'invalid-request', errors });
    await running.send({ type: 'review.back' });
    const { value, context } = running.actor.getSnapshot();
    expect(value).toEqual({ choosing: { form: 'editing' } });
    expect(context.errors.map(({ id }) => id)).toEqual(['invoices/invoice-3', 'invoices/invoice-1', 'purpose', '']);
    expect(context).toMatchObject({ debtorId: debtor.debtorId, failure: null });
  });
});
