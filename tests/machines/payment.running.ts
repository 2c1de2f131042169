import { electronicPaymentMachine, type filePaymentMachine } from '#machines/payment/payment.machine.ts';
import type { PaymentMaterial } from '#machines/payment/payment.ts';
import { everything } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { debtor, invoiceOf } from '#tests/support/fixtures.ts';
import { openReview } from '#tests/support/openReview.ts';
import { material as both } from './payment.models.ts';

/** Two accounts, and invoices in two currencies. */
export const material: PaymentMaterial = {
  ...both,
  debtors: [debtor, { ...debtor, debtorId: 'debtor-2' }],
  invoices: [
    invoiceOf('invoice-1', '120.50'),
    invoiceOf('invoice-2', '0.10'),
    invoiceOf('invoice-3', '0.20'),
    invoiceOf('invoice-4', '7', { currency: 'EUR' }),
  ],
};

type AnyPayment = typeof electronicPaymentMachine | typeof filePaymentMachine;

/** A payment whose material has been loaded. */
export async function openPayment(machine: AnyPayment = electronicPaymentMachine, given = material) {
  // Both have the same events and the same context.
  const running = live(machine as typeof electronicPaymentMachine, { input: { facts: everything } });
  await running.answer('loadMaterial', given);
  return running;
}

/** Ticks the invoices and goes on to the review. */
export async function review(running: Awaited<ReturnType<typeof openPayment>>, ids = ['invoice-1']) {
  await running.send({ type: 'debtor.choose', debtorId: debtor.debtorId });
  await running.send({ type: 'form.change', field: 'purpose', value: 'supplies' });
  await running.send({ type: 'invoices.tick', ids });
  await running.send({ type: 'form.submit' });
  if (running.actor.getSnapshot().matches({ review: 'preparing' })) await openReview(running);
  return running;
}
