import { describe, expect, it } from 'vitest';
import { batchRequestSchema } from '#contract/payment.ts';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import {
  paymentChoices,
  paymentMessages,
  reviewTotals,
  unsentBatch,
  type PaymentMaterial,
} from '#machines/payment/payment.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/live.ts';
import { creditor, debtor, failure, fileFormat, invoiceOf, paid } from '#tests/support/material.ts';
import { material as both } from './payment.models.ts';

const material: PaymentMaterial = {
  ...both,
  debtors: [debtor, { ...debtor, debtorId: 'debtor-2' }],
  invoices: [
    invoiceOf('invoice-1', '120.50'),
    invoiceOf('invoice-2', '0.10'),
    invoiceOf('invoice-3', '0.20'),
    invoiceOf('invoice-4', '7', { currency: 'EUR' }),
  ],
};

async function openPayment(machine = electronicPaymentMachine, given = material) {
  const running = live(machine, { input: { facts: everything } });
  await running.answer('loadMaterial', given);
  return running;
}

async function review(running: Awaited<ReturnType<typeof openPayment>>, ids = ['invoice-1']) {
  await running.send({ type: 'debtor.choose', debtorId: debtor.debtorId });
  await running.send({ type: 'form.change', field: 'purpose', value: 'supplies' });
  await running.send({ type: 'invoices.tick', ids });
  await running.send({ type: 'form.submit' });
  if (running.actor.getSnapshot().matches('preparing')) await running.answer('prepare', { key: 'key-1', covered: [] });
  return running;
}

describe('a payment', () => {
  it('begins with nothing chosen', async () => {
    const { actor } = await openPayment();
    expect(actor.getSnapshot().context).toMatchObject({ debtorId: '', ticked: [], format: null });
  });

  it('begins with the account chosen where there is but one', async () => {
    const { send, actor } = await openPayment(electronicPaymentMachine, { ...material, debtors: [debtor] });
    expect(actor.getSnapshot().context.debtorId).toBe(debtor.debtorId);
    await send({ type: 'debtor.choose', debtorId: '' });
    expect(actor.getSnapshot().context.debtorId).toBe('');
  });

  it('is filled with examples by one press, in the sandbox only', async () => {
    const paidBefore = { state: 'paid', at: '2026-11-20T09:00:00.000Z', batchId: 'batch-1' } as const;
    const given = {
      ...material,
      invoices: [...both.invoices, invoiceOf('invoice-5', '1.00', { payment: paidBefore })],
    };
    const { send, actor } = await openPayment(electronicPaymentMachine, given);
    await send({ type: 'form.submit' });
    await send({ type: 'form.fill' });
    const { context } = actor.getSnapshot();
    expect(context).toMatchObject({ debtorId: debtor.debtorId, values: { purpose: 'supplies' }, errors: [] });
    expect(context.ticked).toEqual(['invoice-1', 'invoice-2']);
    await send({ type: 'form.submit' });
    expect(actor.getSnapshot().value).toBe('preparing');
    const inLive = live(electronicPaymentMachine, { input: { facts: { ...everything, environment: 'live' } } });
    await inLive.answer('loadMaterial', given);
    expect(inLive.actor.getSnapshot().can({ type: 'form.fill' })).toBe(false);
  });

  it('filled with examples keeps what was chosen, and fits into one batch', async () => {
    const given = { ...material, maximumPayments: 1 };
    const { send, actor } = await openPayment(electronicPaymentMachine, given);
    await send({ type: 'debtor.choose', debtorId: 'debtor-2' });
    await send({ type: 'form.fill' });
    expect(actor.getSnapshot().context).toMatchObject({ debtorId: 'debtor-2', ticked: ['invoice-1'] });
    await send({ type: 'invoices.tick', ids: ['invoice-3'] });
    await send({ type: 'form.fill' });
    expect(actor.getSnapshot().context.ticked).toEqual(['invoice-3']);
  });

  it('is exactly what was chosen, with amounts as strings and the date at midnight UTC', async () => {
    const { send, pending } = await review(await openPayment());
    await send({ type: 'payment.pay' });
    expect(pending('pay').input).toEqual({ key: 'key-1', batch: { externalId: 'key-1', ...paid }, again: false });
    expect(batchRequestSchema.safeParse({ externalId: 'batch-1', ...paid }).success).toBe(true);
  });

  it('by file names its template and who made the file', async () => {
    const running = await openPayment(filePaymentMachine);
    await running.send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    await running.send({ type: 'form.change', field: 'userIdentification.name', value: 'A Payer' });
    await review(running);
    await running.send({ type: 'payment.pay' });
    expect(running.pending('pay').input).toMatchObject({
      batch: { ...paid, fileFormatId: 'format-1', userIdentification: { name: 'A Payer' } },
    });
  });

  it('is of the subscription and in the currency that were reviewed, whatever becomes current meanwhile', async () => {
    const invoices = [invoiceOf('invoice-1', '120.50', { currency: '' })];
    const accounts = [{ ...debtor, currency: '' }];
    const { send, pending, calls } = await review(
      await openPayment(electronicPaymentMachine, { ...material, invoices, debtors: accounts }),
    );
    const reviewed = calls.find(({ port }) => port === 'prepare')?.input;
    expect(reviewed).toMatchObject({ subscriptionId: debtor.subscriptionId });
    const settings = { ...everything.settings, subscriptionId: 'another', providerCountry: 'US' };
    await send({ type: 'facts.arrived', facts: { ...everything, settings } });
    await send({ type: 'payment.pay' });
    expect(pending('pay').input).toEqual({
      key: 'key-1',
      batch: { externalId: 'key-1', ...(reviewed as object) },
      again: false,
    });
  });

  it('is sent once, whatever is pressed while it is under way', async () => {
    const { send, actor, calls } = await review(await openPayment());
    await send({ type: 'payment.pay' });
    await send({ type: 'payment.pay' });
    await send({ type: 'form.submit' });
    await send({ type: 'retry' });
    await send({ type: 'form.cancel' });
    await send({ type: 'review.back' });
    await send({ type: 'invoices.tick', ids: [] });
    expect(actor.getSnapshot().value).toBe('paying');
    expect(calls.filter(({ port }) => port === 'pay')).toHaveLength(1);
  });

  it('that was refused is sent again with the same body', async () => {
    const { send, refuse, calls } = await review(await openPayment());
    await send({ type: 'payment.pay' });
    await refuse('pay', failure);
    await send({ type: 'retry' });
    const [first, second] = calls.filter(({ port }) => port === 'pay');
    expect(first?.input).toMatchObject({ key: 'key-1', batch: paid });
    expect(second?.input).toEqual(first?.input);
  });

  it('is not sent before it was reviewed', async () => {
    const { send, actor, calls } = await openPayment();
    await send({ type: 'payment.pay' });
    expect(actor.getSnapshot().value).toBe('editing');
    expect(calls).toHaveLength(1);
  });

  it('electronically has no template, whatever it hears', async () => {
    const running = await openPayment();
    await running.send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    await review(running);
    await running.send({ type: 'payment.pay' });
    expect(running.pending('pay').input).not.toHaveProperty('batch.fileFormatId');
  });
});

describe('the number of invoices', () => {
  it('is that of the input, else ten', async () => {
    expect((await openPayment()).calls[0]?.input).toEqual({ facts: everything, invoiceCount: 10 });
    const input = { facts: everything, invoiceCount: 1000 };
    expect(live(electronicPaymentMachine, { input }).calls[0]?.input).toEqual(input);
  });

  it('can be another one, which keeps every choice that is still there', async () => {
    const running = await openPayment(filePaymentMachine);
    await running.send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    await running.send({ type: 'debtor.choose', debtorId: debtor.debtorId });
    await running.send({ type: 'form.change', field: 'purpose', value: 'supplies' });
    await running.send({ type: 'invoices.tick', ids: ['invoice-1', 'invoice-2'] });
    await running.send({ type: 'invoices.ask', count: 100 });
    expect(running.pending('loadMaterial').input).toMatchObject({ invoiceCount: 100 });
    await running.answer('loadMaterial', { ...material, invoices: [invoiceOf('invoice-2', '0.10')] });
    const { value, context } = running.actor.getSnapshot();
    expect(value).toBe('editing');
    expect(context).toMatchObject({
      debtorId: debtor.debtorId,
      format: fileFormat,
      ticked: ['invoice-2'],
      values: { purpose: 'supplies' },
    });
  });
});

describe('the review', () => {
  it('adds up exactly, by currency', async () => {
    const { actor } = await review(await openPayment(), ['invoice-2', 'invoice-3', 'invoice-4']);
    expect(reviewTotals(actor.getSnapshot().context)).toEqual([
      { currency: 'GBP', amount: '0.30' },
      { currency: 'EUR', amount: '7' },
    ]);
  });

  it('is not reached without account, data and invoices', async () => {
    const { send, actor } = await openPayment();
    await send({ type: 'form.submit' });
    expect(actor.getSnapshot()).toMatchObject({ value: 'invalid' });
    expect(actor.getSnapshot().context.errors.map(({ id, message }) => [id, message])).toEqual([
      [paymentChoices.bankAccount, 'Please select a bank account'],
      ['purpose', 'purpose: enter a value such as supplies'],
      [paymentChoices.invoices, paymentMessages.noElectronicInvoices],
    ]);
  });

  it("of a file payment says 'No Invoices to Pay'", async () => {
    const { send, actor } = await openPayment(filePaymentMachine);
    await send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    await send({ type: 'form.submit' });
    expect(actor.getSnapshot().context.errors.at(-1)?.message).toBe('No Invoices to Pay');
  });

  it.each(['debtorAgentidentification', 'debtorAccountidentification'])(
    'refuses an account without %s',
    async (missing) => {
      const nameless = { ...material, debtors: [{ ...debtor, [missing]: '' }] };
      const { actor } = await review(await openPayment(electronicPaymentMachine, nameless));
      expect(actor.getSnapshot().context.errors.map(({ message }) => message)).toEqual([
        'Please select a bank account',
      ]);
    },
  );

  it('refuses more payments than the provider takes in one batch', async () => {
    const few = { ...material, maximumPayments: 1 };
    const { actor } = await review(await openPayment(electronicPaymentMachine, few), ['invoice-1', 'invoice-2']);
    expect(actor.getSnapshot().context.errors).toEqual([
      {
        id: paymentChoices.invoices,
        message: '2 invoices are selected, but the provider takes at most 1 payments in one batch',
      },
    ]);
  });

  it('refuses ticks of invoices that are not there', async () => {
    const { actor } = await review(await openPayment(), ['unknown']);
    expect(actor.getSnapshot().context.errors.map(({ id }) => id)).toEqual([paymentChoices.invoices]);
  });

  it('refuses an invoice whose creditor is not there, instead of failing when paying', async () => {
    const orphan = { ...material, creditors: [{ ...creditor, creditorId: 'creditor-2' }] };
    const { actor } = await review(await openPayment(electronicPaymentMachine, orphan));
    expect(actor.getSnapshot().context.errors).toEqual([
      {
        id: paymentChoices.invoices,
        message: 'Invoice invoice-1 is to be paid to Paper & Sons, who is no creditor now',
      },
    ]);
  });
});

describe('a form that was submitted with errors', () => {
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

  it('forgets each error as soon as it is mended, whatever comes first', async () => {
    const { send, now, wrong } = await invalid();
    expect(new Set(wrong())).toEqual(new Set([account, name, purpose, invoices]));
    await send({ type: 'invoices.tick', ids: ['invoice-1'] });
    expect(new Set(wrong())).toEqual(new Set([account, name, purpose]));
    await send({ type: 'debtor.choose', debtorId: debtor.debtorId });
    expect(new Set(wrong())).toEqual(new Set([name, purpose]));
    await send({ type: 'form.change', field: purpose, value: 'supplies' });
    expect(wrong()).toEqual([name]);
    await send({ type: 'form.submit' });
    expect(now().value).toBe('invalid');
    await send({ type: 'form.change', field: name, value: 'A Payer' });
    await send({ type: 'form.submit' });
    expect(now()).toMatchObject({ value: 'preparing', context: { errors: [] } });
  });

  it('is told anew what is missing each time it is submitted', async () => {
    const { send, wrong } = await invalid();
    await send({ type: 'invoices.tick', ids: ['invoice-1'] });
    await send({ type: 'invoices.tick', ids: [] });
    expect(wrong()).not.toContain(invoices);
    await send({ type: 'form.submit' });
    expect(wrong()).toContain(invoices);
  });

  it('takes another template, and another number of invoices', async () => {
    const { send, now, pending } = await invalid();
    const asked = () => now().context.form.fields.map(({ id }) => id);
    await send({ type: 'format.choose', fileFormatId: 'unknown' });
    expect(now()).toMatchObject({ value: 'invalid', context: { format: fileFormat } });
    await send({ type: 'format.choose', fileFormatId: otherFormat.fileFormatId });
    expect(now()).toMatchObject({ value: 'editing', context: { format: otherFormat } });
    expect(asked()).toContain('userIdentification.number');
    await send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    expect(now()).toMatchObject({ value: 'editing', context: { format: fileFormat } });
    expect(asked()).toContain(name);
    expect(asked()).not.toContain('userIdentification.number');
    await send({ type: 'form.submit' });
    await send({ type: 'invoices.ask', count: 1000 });
    expect(now().value).toBe('listing');
    expect(pending('loadMaterial').input).toMatchObject({ invoiceCount: 1000 });
  });

  it('takes no template that is not offered at the beginning', async () => {
    const running = await openPayment(filePaymentMachine, two);
    await running.send({ type: 'format.choose', fileFormatId: 'unknown' });
    expect(running.actor.getSnapshot()).toMatchObject({ value: 'choosingFormat', context: { format: null } });
  });
});

it('nothing is made of a payment without a bank account', async () => {
  const { actor } = await openPayment();
  expect(() => unsentBatch(actor.getSnapshot().context)).toThrow(paymentMessages.noBankAccount);
});

describe('a payment that was refused', () => {
  it('can be changed, and its failure is forgotten', async () => {
    const { send, refuse, actor } = await review(await openPayment());
    await send({ type: 'payment.pay' });
    await refuse('pay', failure);
    await send({ type: 'review.back' });
    expect(actor.getSnapshot()).toMatchObject({ value: 'editing', context: { failure: null } });
  });

  it('may have as many payments as the provider takes', async () => {
    const { actor } = await review(await openPayment(electronicPaymentMachine, { ...material, maximumPayments: 1 }));
    expect(actor.getSnapshot().value).toBe('reviewing');
  });

  it('goes to each invoice’s own creditor among several', async () => {
    const other = { ...creditor, creditorId: 'creditor-2' };
    const { actor } = await review(
      await openPayment(electronicPaymentMachine, { ...material, creditors: [other, creditor] }),
    );
    expect(actor.getSnapshot().value).toBe('reviewing');
  });
});

describe('a payment of invoices that may be paid', () => {
  const covered = [{ index: 0, state: 'unknown' as const, at: '2026-11-20T09:00:00.000Z' }];

  async function prepared(given: object) {
    const running = await openPayment();
    await running.send({ type: 'debtor.choose', debtorId: debtor.debtorId });
    await running.send({ type: 'form.change', field: 'purpose', value: 'supplies' });
    await running.send({ type: 'invoices.tick', ids: ['invoice-1'] });
    await running.send({ type: 'form.submit' });
    await running.answer('prepare', { key: 'key-1', covered: [], ...given });
    return running;
  }

  it('is not sent before the user has said that they are to be paid again', async () => {
    const { send, actor, pending } = await prepared({ covered });
    await send({ type: 'payment.pay' });
    expect(actor.getSnapshot().value).toBe('reviewing');
    await send({ type: 'again.allow', allowed: true });
    await send({ type: 'payment.pay' });
    expect(pending('pay').input).toMatchObject({ key: 'key-1', again: true });
  });

  it('takes the word back, and forgets it when it is reviewed anew', async () => {
    const { send, actor, answer } = await prepared({ covered });
    await send({ type: 'again.allow', allowed: true });
    await send({ type: 'again.allow', allowed: false });
    await send({ type: 'payment.pay' });
    expect(actor.getSnapshot().value).toBe('reviewing');
    await send({ type: 'again.allow', allowed: true });
    await send({ type: 'review.back' });
    await send({ type: 'form.submit' });
    await answer('prepare', { key: 'key-1', covered });
    await send({ type: 'payment.pay' });
    expect(actor.getSnapshot().value).toBe('reviewing');
  });

  it('sends what was sent first where the outcome of that is not known', async () => {
    const first = { externalId: 'key-1', ...paid, requestedExecutionDateTime: '2026-11-19T00:00:00Z' };
    const { send, pending } = await prepared({ first, sentAt: '2026-11-19T23:58:00.000Z' });
    await send({ type: 'payment.pay' });
    expect(pending('pay').input).toEqual({ key: 'key-1', batch: first, again: false });
  });
});
