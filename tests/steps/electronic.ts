import { screen } from '@testing-library/react';
import { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';
import type { PaymentMaterial } from '#machines/payment/payment.ts';
import { PaymentStep } from '#steps/payment/PaymentStep.tsx';
import { enter, pick } from '#tests/support/gestures.ts';
import { openReview } from '#tests/support/openReview.ts';
import { drawn } from './drawn.tsx';
import { facts, material } from './paymentMaterial.ts';

// Loaded beside the form: without it, the first test would race its import.
await import('#steps/payment/InvoiceSelector.tsx');

/** An electronic payment whose form is filled with the usual material and `more`. */
export async function electronic(more: Partial<PaymentMaterial> = {}, at = facts) {
  const step = drawn(electronicPaymentMachine, PaymentStep, { input: { facts: at } });
  await step.answer('loadMaterial', { ...material, ...more });
  return step;
}

export const review = () => screen.getByRole('button', { name: 'Review' });
/** What the bar says of the invoices that are ticked. */
export const choice = () =>
  screen.getByText(/^(No invoice selected|[\d,]+ invoices?)( ·|$)/, { selector: '[role=status]' }).textContent;

/** An electronic payment of two invoices up to its review. */
export async function reviewed(at = facts) {
  const step = await electronic({}, at);
  await pick(step.user, screen.getByLabelText('Bank account'), 'debtor-1');
  await enter(step.user, screen.getByLabelText('Purpose'), 'goods');
  await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i1' }));
  await step.user.click(screen.getByRole('checkbox', { name: 'Pay invoice i3' }));
  await step.user.click(review());
  await openReview(step);
  return step;
}
