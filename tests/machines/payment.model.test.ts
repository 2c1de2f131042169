import { describe, expect, it } from 'vitest';
import { batchRequestSchema } from '#contract/payment.ts';
import { electronicPaymentMachine, filePaymentMachine } from '#machines/payment/payment.machine.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { debtor, fileFormat, invoiceOf, paid } from '#tests/support/fixtures.ts';
import { material as both } from './payment.models.ts';
import { choose, material, openPayment, review } from './payment.running.ts';

describe('a payment', () => {
  it('starts with the account chosen if there is only one', async () => {
    const { send, actor } = await openPayment(electronicPaymentMachine, { ...material, debtors: [debtor] });
    expect(actor.getSnapshot().context.debtorId).toBe(debtor.debtorId);
    await send({ type: 'debtor.choose', debtorId: '' });
    expect(actor.getSnapshot().context.debtorId).toBe('');
  });

  it('is filled with examples by one event, in the sandbox only', async () => {
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
    expect(actor.getSnapshot().value).toEqual({ review: 'preparing' });
    const inLive = live(electronicPaymentMachine, { input: { facts: { ...everything, environment: 'live' } } });
    await inLive.answer('loadMaterial', given);
    expect(inLive.actor.getSnapshot().can({ type: 'form.fill' })).toBe(false);
  });

  it('filled with examples keeps choices, and fits into one batch', async () => {
    const given = { ...material, maximumPayments: 1 };
    const { send, actor } = await openPayment(electronicPaymentMachine, given);
    await send({ type: 'debtor.choose', debtorId: 'debtor-2' });
    await send({ type: 'form.fill' });
    expect(actor.getSnapshot().context).toMatchObject({ debtorId: 'debtor-2', ticked: ['invoice-1'] });
    await send({ type: 'invoices.tick', ids: ['invoice-3'] });
    await send({ type: 'form.fill' });
    expect(actor.getSnapshot().context.ticked).toEqual(['invoice-3']);
  });

  it('sends exactly the choices, with amounts as strings and the date at midnight UTC', async () => {
    const { send, pending } = await review(await openPayment());
    await send({ type: 'payment.pay' });
    expect(pending('pay').input).toEqual({
      key: 'key-1',
      batch: { externalId: 'key-1', ...paid },
      again: false,
      repeats: false,
    });
    expect(batchRequestSchema.safeParse({ externalId: 'batch-1', ...paid }).success).toBe(true);
  });

  it('by file contains its template and the file’s author', async () => {
    const running = await openPayment(filePaymentMachine);
    await running.send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    await running.send({ type: 'form.change', field: 'userIdentification.name', value: 'A Payer' });
    await review(running);
    await running.send({ type: 'payment.pay' });
    expect(running.pending('pay').input).toMatchObject({
      batch: { ...paid, fileFormatId: 'format-1', userIdentification: { name: 'A Payer' } },
    });
  });

  it('keeps its reviewed subscription and currency, whatever becomes current', async () => {
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
      repeats: false,
    });
  });

  it('by electronic transfer has no template, even after a template event', async () => {
    const running = await openPayment();
    await running.send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    await review(running);
    await running.send({ type: 'payment.pay' });
    expect(running.pending('pay').input).not.toHaveProperty('batch.fileFormatId');
  });
});

describe('the number of invoices to list', () => {
  it('is that of the input, or eight', async () => {
    expect((await openPayment()).calls[0]?.input).toEqual({ facts: everything, invoiceCount: 8, correcting: '' });
    const input = { facts: everything, invoiceCount: 1000 };
    expect(live(electronicPaymentMachine, { input }).calls[0]?.input).toMatchObject(input);
  });

  it('can be changed, and keeps all choices that are still valid', async () => {
    const running = await openPayment(filePaymentMachine);
    await running.send({ type: 'format.choose', fileFormatId: fileFormat.fileFormatId });
    await choose(running, ['invoice-1', 'invoice-2']);
    await running.send({ type: 'invoices.ask', count: 100 });
    expect(running.pending('loadMaterial').input).toMatchObject({ invoiceCount: 100 });
    await running.answer('loadMaterial', { ...material, invoices: [invoiceOf('invoice-2', '0.10')] });
    const { value, context } = running.actor.getSnapshot();
    expect(value).toEqual({ choosing: { form: 'editing' } });
    expect(context).toMatchObject({
      debtorId: debtor.debtorId,
      format: fileFormat,
      ticked: ['invoice-2'],
      values: { purpose: 'supplies' },
    });
  });
});
