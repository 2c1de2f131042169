import { describe, expect, it } from 'vitest';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import {
  mayPay,
  outgoingPayment,
  paymentChoices,
  paymentMessages,
  reviewTotals,
  type PaymentMaterial,
} from '#machines/payment/payment.ts';
import { isReviewOpen } from '#machines/payment/review.ts';
import { everything, withFacts } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { creditor, debtor, failure, invoiceOf, paid } from '#tests/support/fixtures.ts';
import { openReview } from '#tests/support/openReview.ts';
import { electronicPaymentModel, material as both } from './payment.models.ts';
import { choose, material, openPayment, review } from './payment.running.ts';

const invoices = [invoiceOf('invoice-1', '1120.50'), invoiceOf('invoice-2', '8.00', { currency: 'USD' })];

/** A payment of both invoices, ready for its review. */
async function chosen(facts = everything) {
  const running = await openPayment(electronicPaymentMachine, { ...both, invoices }, facts);
  await choose(running, ['invoice-1', 'invoice-2']);
  const review = async () => {
    await running.send({ type: 'form.submit' });
    await openReview(running);
  };
  return { ...running, review };
}

describe('a payment on the live service', () => {
  const inLive = withFacts(everything, { environment: 'live' });

  it('can be sent only if exactly its total is typed, with any grouping and spacing', async () => {
    const { send, review, now } = await chosen(inLive);
    await review();
    const sendable = async (text: string) => {
      await send({ type: 'total.confirm', text });
      return now().can({ type: 'payment.pay' });
    };
    expect(now().can({ type: 'payment.pay' })).toBe(false);
    for (const text of ['', '1120.50 GBP', '112050 GBP 8.00 USD', '1120.50 GBP 8.00 EUR', 'undefined'])
      expect(await sendable(text), text).toBe(false);
    for (const text of ['1,120.50 GBP, 8.00 USD', ' 1120.50gbp8.00usd ', '１１２０.５０\u00a0GBP 8\u200b.00 USD'])
      expect(await sendable(text), text).toBe(true);
  });

  it('asks for its total again at each review', async () => {
    const { send, review, now } = await chosen(inLive);
    await review();
    await send({ type: 'total.confirm', text: '1120.50 GBP 8.00 USD' });
    await send({ type: 'review.back' });
    await review();
    expect(now().context.confirmation).toBe('');
    expect(now().can({ type: 'payment.pay' })).toBe(false);
  });
});

describe('the review of a payment', () => {
  it('does not pay on the second press of a double click on Review (behaviour 10.9.2)', async () => {
    const running = await openPayment();
    await choose(running);
    await running.send({ type: 'form.submit' });
    await running.answer('prepare', { key: 'key-1', covered: [] });
    await running.pass(499);
    await running.send({ type: 'payment.pay' });
    expect(running.isAsked('pay')).toBe(false);
    await running.pass(1);
    await running.send({ type: 'payment.pay' });
    expect(running.isAsked('pay')).toBe(true);
  });

  it('asks for no total in the sandbox, and no confirmation without a paid invoice', async () => {
    const { review, now } = await chosen();
    await review();
    expect(now().can({ type: 'total.confirm', text: 'any' })).toBe(false);
    expect(now().can({ type: 'again.allow', allowed: true })).toBe(false);
    expect(now().can({ type: 'payment.pay' })).toBe(true);
  });

  it('is required before a payment is sent', async () => {
    const { now } = await chosen();
    expect(mayPay(now().context)).toBe(false);
    expect(() => outgoingPayment(now().context)).toThrow('A payment is reviewed before it is sent');
  });
});

it('a payment whose data could not be read is read again with the newest facts', async () => {
  const { send, refuse, pending, actor } = live(electronicPaymentMachine, { input: { facts: everything } });
  await refuse('loadMaterial', failure);
  const facts = withFacts(everything, { creditors: 7 });
  await send({ type: 'facts.arrived', facts });
  expect(actor.getSnapshot().value).toBe('unavailable');
  await send({ type: 'retry' });
  expect(pending('loadMaterial').input).toMatchObject({ facts });
});

describe('the review of a payment', () => {
  it('adds up exact totals by currency', async () => {
    const { actor } = await review(await openPayment(), ['invoice-2', 'invoice-3', 'invoice-4']);
    expect(reviewTotals(actor.getSnapshot().context)).toEqual([
      { currency: 'GBP', amount: '0.30' },
      { currency: 'EUR', amount: '7' },
    ]);
  });

  it('requires an account, valid fields and invoices', async () => {
    const { send, actor } = await openPayment();
    await send({ type: 'form.submit' });
    expect(actor.getSnapshot()).toMatchObject({ value: { choosing: { form: 'invalid' } } });
    expect(actor.getSnapshot().context.errors.map(({ id, message }) => [id, message])).toEqual([
      [paymentChoices.bankAccount, 'Please select a bank account'],
      ['purpose', 'purpose: enter a value such as supplies'],
      [paymentChoices.invoices, paymentMessages.noElectronicInvoices],
    ]);
  });

  const gone = 'Invoice invoice-1 is to be paid to Paper & Sons, who is no longer a creditor';
  const orphans = { creditors: [{ ...creditor, creditorId: 'creditor-2' }] };
  const { bankAccount, invoices: rows } = paymentChoices;

  it.each<[string, Partial<PaymentMaterial>, string[], string, string]>([
    [
      'an account without a bank',
      { debtors: [{ ...debtor, debtorAgentidentification: '' }] },
      ['invoice-1'],
      bankAccount,
      'Please select a bank account',
    ],
    [
      'an account without a number',
      { debtors: [{ ...debtor, debtorAccountidentification: '' }] },
      ['invoice-1'],
      bankAccount,
      'Please select a bank account',
    ],
    [
      'more payments than a batch takes',
      { maximumPayments: 1 },
      ['invoice-1', 'invoice-2'],
      rows,
      '2 invoices are selected, but the provider takes at most 1 payments in one batch',
    ],
    ['invoices that do not exist', {}, ['unknown'], rows, paymentMessages.noElectronicInvoices],
    ['a creditor that is gone', orphans, ['invoice-1'], rows, gone],
    ['two of them', orphans, ['invoice-1', 'invoice-2'], rows, `${gone}. 1 other cannot either`],
    ['three of them', orphans, ['invoice-1', 'invoice-2', 'invoice-3'], rows, `${gone}. 2 others cannot either`],
  ])('refuses %s', async (_, given, ids, id, message) => {
    const { context } = await review(await openPayment(electronicPaymentMachine, { ...material, ...given }), ids);
    expect(context().errors).toEqual([{ id, message }]);
  });
});

describe('a payment of invoices that may have been paid', () => {
  const covered = [{ index: 0, state: 'unknown' as const, at: '2026-11-20T09:00:00.000Z' }];

  const prepared = async (given: object) => review(await openPayment(), ['invoice-1'], given);

  it('is not sent before the user confirms paying them again', async () => {
    const { send, actor, pending } = await prepared({ covered });
    await send({ type: 'payment.pay' });
    expect(actor.getSnapshot().value).toEqual({ review: 'ready' });
    await send({ type: 'again.allow', allowed: true });
    await send({ type: 'payment.pay' });
    expect(pending('pay').input).toMatchObject({ key: 'key-1', again: true });
  });

  it('is not sent if the user withdraws the confirmation or reviews it again', async () => {
    const { send, actor, ...ports } = await prepared({ covered });
    await send({ type: 'again.allow', allowed: true });
    await send({ type: 'again.allow', allowed: false });
    await send({ type: 'payment.pay' });
    expect(actor.getSnapshot().value).toEqual({ review: 'ready' });
    await send({ type: 'again.allow', allowed: true });
    await send({ type: 'review.back' });
    await send({ type: 'form.submit' });
    await openReview(ports, { covered });
    await send({ type: 'payment.pay' });
    expect(actor.getSnapshot().value).toEqual({ review: 'ready' });
  });

  it('repeats the first request unchanged if its outcome is unknown', async () => {
    const first = { externalId: 'key-1', ...paid, requestedExecutionDateTime: '2026-11-19T00:00:00Z' };
    const { send, pending } = await prepared({ first, sentAt: '2026-11-19T23:58:00.000Z' });
    await send({ type: 'payment.pay' });
    expect(pending('pay').input).toEqual({ key: 'key-1', batch: first, again: false, repeats: true });
  });
});

describe('whether the review is open', () => {
  const isOpen = ({ actor }: Awaited<ReturnType<typeof openPayment>>) => isReviewOpen(actor.getSnapshot());

  it('is unknown before there is a form, no in the form, and yes from its preparation until it is left', async () => {
    expect(isReviewOpen(live(electronicPaymentMachine, { input: { facts: everything } }).actor.getSnapshot())).toBe(
      null,
    );
    const running = await openPayment();
    expect(isOpen(running)).toBe(false);
    await review(running);
    expect(isOpen(running)).toBe(true);
    await running.send({ type: 'review.back' });
    expect(isOpen(running)).toBe(false);
    await running.send({ type: 'form.submit' });
    await running.refuse('prepare', failure);
    expect(isOpen(running)).toBe(true);
  });

  it('is yes while the payment is sent and after it is refused, and unknown once it is paid', async () => {
    const running = await review(await openPayment());
    await running.send({ type: 'payment.pay' });
    expect(isOpen(running)).toBe(true);
    await running.refuse('pay', failure);
    expect(isOpen(running)).toBe(true);
    await running.send({ type: 'retry' });
    await running.answer('pay', { batchId: 'batch-1' });
    expect(isOpen(running)).toBe(null);
    expect(running.actor.getSnapshot().output).toMatchObject({ result: { batchId: 'batch-1' } });
  });

  it('is unknown once the batch of a lost response is known', async () => {
    const running = await review(await openPayment());
    await running.send({ type: 'payment.pay' });
    await running.refuse('pay', { ...failure, outcome: 'unknown' });
    await running.send({ type: 'facts.arrived', facts: electronicPaymentModel.facts['everything']! });
    expect(running.actor.getSnapshot().value).toEqual({ review: 'settled' });
    expect(isOpen(running)).toBe(null);
  });
});
