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
export async function openPayment(
  machine: AnyPayment = electronicPaymentMachine,
  given = material,
  facts = everything,
) {
  // Both have the same events and the same context.
  const running = live(machine as typeof electronicPaymentMachine, { input: { facts } });
  await running.answer('loadMaterial', given);
  const now = () => running.actor.getSnapshot();
  return { ...running, now, context: () => now().context };
}

type Payment = Awaited<ReturnType<typeof openPayment>>;

/** Chooses an account and invoices, and fills in the form. */
export async function choose({ send }: Payment, ids = ['invoice-1']): Promise<void> {
  await send({ type: 'debtor.choose', debtorId: debtor.debtorId });
  await send({ type: 'form.change', field: 'purpose', value: 'supplies' });
  await send({ type: 'invoices.tick', ids });
}

/** Chooses, and goes on to the review, which is told what is `given`. */
export async function review(running: Payment, ids = ['invoice-1'], given: object = {}): Promise<Payment> {
  await choose(running, ids);
  await running.send({ type: 'form.submit' });
  if (running.now().matches({ review: 'preparing' })) await openReview(running, given);
  return running;
}
