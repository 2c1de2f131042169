import { describe, expect, it } from 'vitest';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { paymentChoices, paymentMessages, unsentBatch } from '#machines/payment/payment.ts';
import { creditor, debtor, fileFormat } from '#tests/support/fixtures.ts';
import { material, openPayment, review } from './payment.running.ts';

describe('a payment form submitted with errors', () => {
  const otherFormat = {
    ...fileFormat,
    fileFormatId: 'format-2',
    name: 'Example Short 6',
    specification: {
      rules: [
        {
          ruleId: 'number',
          sourceValidation: { jsonPath: 'userIdentification.number', optionality: 'Required', example: '123456' },
        },
      ],
    },
  };
  const two = { ...material, fileFormats: [fileFormat, otherFormat] };

  async function invalid() {
    const running = await openPayment(filePaymentMachine, two);
    await running.send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    await running.send({ type: 'form.submit' });
    const now = () => running.actor.getSnapshot();
    return { ...running, now, wrong: () => now().context.errors.map(({ id }) => id) };
  }
  const [account, name, purpose, invoices] = [
    paymentChoices.bankAccount,
    'userIdentification.name',
    'purpose',
    paymentChoices.invoices,
  ];

  it('clears each error as soon as it is corrected, in any order', async () => {
    const { send, now, wrong } = await invalid();
    expect(new Set(wrong())).toEqual(new Set([account, name, purpose, invoices]));
    await send({ type: 'invoices.tick', ids: ['invoice-1'] });
    expect(new Set(wrong())).toEqual(new Set([account, name, purpose]));
    await send({ type: 'debtor.choose', debtorId: debtor.debtorId });
    expect(new Set(wrong())).toEqual(new Set([name, purpose]));
    await send({ type: 'form.change', field: purpose, value: 'supplies' });
    expect(wrong()).toEqual([name]);
    await send({ type: 'form.submit' });
    expect(now().value).toEqual({ choosing: { form: 'invalid' } });
    await send({ type: 'form.change', field: name, value: 'A Payer' });
    await send({ type: 'form.submit' });
    expect(now()).toMatchObject({ value: { review: 'preparing' }, context: { errors: [] } });
  });

  it('shows what is missing at each submission', async () => {
    const { send, wrong } = await invalid();
    await send({ type: 'invoices.tick', ids: ['invoice-1'] });
    await send({ type: 'invoices.tick', ids: [] });
    expect(wrong()).not.toContain(invoices);
    await send({ type: 'form.submit' });
    expect(wrong()).toContain(invoices);
  });

  it('accepts another template, and another number of invoices', async () => {
    const { send, now, pending } = await invalid();
    const asked = () => now().context.form.fields.map(({ id }) => id);
    await send({ type: 'format.choose', fileFormatId: 'unknown' });
    expect(now()).toMatchObject({ value: { choosing: { form: 'invalid' } }, context: { format: fileFormat } });
    await send({ type: 'format.choose', fileFormatId: otherFormat.fileFormatId });
    expect(now()).toMatchObject({ value: { choosing: { form: 'editing' } }, context: { format: otherFormat } });
    expect(asked()).toContain('userIdentification.number');
    await send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    expect(now()).toMatchObject({ value: { choosing: { form: 'editing' } }, context: { format: fileFormat } });
    expect(asked()).toContain(name);
    expect(asked()).not.toContain('userIdentification.number');
    await send({ type: 'form.submit' });
    await send({ type: 'invoices.ask', count: 1000 });
    expect(now().value).toEqual({ choosing: 'listing' });
    expect(pending('loadMaterial').input).toMatchObject({ invoiceCount: 1000 });
  });

  it('ignores an unknown template before one is chosen', async () => {
    const running = await openPayment(filePaymentMachine, two);
    await running.send({ type: 'format.choose', fileFormatId: 'unknown' });
    expect(running.actor.getSnapshot()).toMatchObject({ value: { choosing: 'format' }, context: { format: null } });
  });
});

it('a payment without a bank account has no batch request', async () => {
  const { actor } = await openPayment();
  expect(() => unsentBatch(actor.getSnapshot().context)).toThrow(paymentMessages.noBankAccount);
});

describe('a payment that was refused', () => {
  it('can be reviewed with as many payments as the provider accepts', async () => {
    const { actor } = await review(await openPayment(electronicPaymentMachine, { ...material, maximumPayments: 1 }));
    expect(actor.getSnapshot().value).toEqual({ review: 'ready' });
  });

  it('can be reviewed if its invoice’s creditor is one of several', async () => {
    const other = { ...creditor, creditorId: 'creditor-2' };
    const { actor } = await review(
      await openPayment(electronicPaymentMachine, { ...material, creditors: [other, creditor] }),
    );
    expect(actor.getSnapshot().value).toEqual({ review: 'ready' });
  });
});
