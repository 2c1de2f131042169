import { describe, expect, it } from 'vitest';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import { mayPay, outgoingPayment } from '#machines/payment/payment.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { live } from '#tests/support/live.ts';
import { debtor, failure, invoiceOf } from '#tests/support/material.ts';
import { material } from './payment.models.ts';

const invoices = [invoiceOf('invoice-1', '1120.50'), invoiceOf('invoice-2', '8.00', { currency: 'USD' })];

/** A payment of both invoices, ready for its review. */
async function chosen(facts = everything) {
  const running = live(electronicPaymentMachine, { input: { facts } });
  await running.answer('loadMaterial', { ...material, invoices });
  await running.send({ type: 'debtor.choose', debtorId: debtor.debtorId });
  await running.send({ type: 'form.change', field: 'purpose', value: 'supplies' });
  await running.send({ type: 'invoices.tick', ids: ['invoice-1', 'invoice-2'] });
  const review = async () => {
    await running.send({ type: 'form.submit' });
    await running.answer('prepare', { key: 'key-1', covered: [] });
  };
  return { ...running, review, now: () => running.actor.getSnapshot() };
}

describe('a payment of real money', () => {
  const inLive = withFacts(everything, { environment: 'live' });

  it('can be sent once exactly its total is typed, however it is grouped and spaced', async () => {
    const { send, review, now } = await chosen(inLive);
    await review();
    const sendable = async (text: string) => {
      await send({ type: 'total.confirm', text });
      return now().can({ type: 'payment.pay' });
    };
    expect(now().can({ type: 'payment.pay' })).toBe(false);
    for (const text of ['', '1120.50 GBP', '112050 GBP 8.00 USD', '1120.50 GBP 8.00 EUR', 'undefined'])
      expect(await sendable(text), text).toBe(false);
    for (const text of ['1,120.50 GBP, 8.00 USD', ' 1120.50gbp8.00usd ']) expect(await sendable(text), text).toBe(true);
  });

  it('has its total typed anew each time it is reviewed', async () => {
    const { send, review, now } = await chosen(inLive);
    await review();
    await send({ type: 'total.confirm', text: '1120.50 GBP 8.00 USD' });
    await send({ type: 'review.back' });
    await review();
    expect(now().context.confirmation).toBe('');
    expect(now().can({ type: 'payment.pay' })).toBe(false);
  });
});

describe('the review', () => {
  it('asks for no total in the sandbox, and for no second payment where nothing is paid', async () => {
    const { review, now } = await chosen();
    await review();
    expect(now().can({ type: 'total.confirm', text: 'any' })).toBe(false);
    expect(now().can({ type: 'again.allow', allowed: true })).toBe(false);
    expect(now().can({ type: 'payment.pay' })).toBe(true);
  });

  it('comes before anything is sent', async () => {
    const { now } = await chosen();
    expect(mayPay(now().context)).toBe(false);
    expect(() => outgoingPayment(now().context)).toThrow('A payment is reviewed before it is sent');
  });
});

it('a payment whose material could not be read is read again with the newest facts', async () => {
  const { send, refuse, pending, actor } = live(electronicPaymentMachine, { input: { facts: everything } });
  await refuse('loadMaterial', failure);
  const facts = withFacts(everything, { creditors: 7 });
  await send({ type: 'facts.arrived', facts });
  expect(actor.getSnapshot().value).toBe('unavailable');
  await send({ type: 'retry' });
  expect(pending('loadMaterial').input).toMatchObject({ facts });
});
