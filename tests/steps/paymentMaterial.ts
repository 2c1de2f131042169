import type { PaymentMaterial } from '#machines/payment/payment.ts';
import { factsAfter } from '#tests/support/facts.ts';
import { creditor, debtor, fileFormat, invoiceOf } from '#tests/support/fixtures.ts';
import { rule } from '#tests/rules/support.ts';

export const facts = factsAfter('creditor');
/** What the forms of payments are drawn with. */
export const material: PaymentMaterial = {
  rules: [rule('BatchPayments', 'payments.additionalData.purpose', { uiLabel: 'Purpose' })],
  debtors: [debtor],
  creditors: [creditor],
  invoices: [invoiceOf('i1', '120.50'), invoiceOf('i2', '0.10'), invoiceOf('i3', '8.00', { currency: 'USD' })],
  fileFormats: [fileFormat],
  formatsFailed: null,
  maximumPayments: 100,
  instrument: 'Faster Payments',
  today: '2026-11-20',
};
