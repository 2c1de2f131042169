import { member } from '#contract/member.ts';
import { requests } from '#contract/requests/requests.ts';
import { outgoingPayment, unsentBatch, type PaymentContext } from '#machines/payment/payment.ts';
import { byPaths, contextIn, type PreviewOf } from '../preview.ts';

/** Paths in the batch of the choices that are not fields of rules. */
const paymentLines: Readonly<Record<string, string>> = {
  bankAccount: 'data.debtor',
  executionDate: 'data.requestedExecutionDateTime',
  invoices: 'data.payments',
};

export const payment: PreviewOf = (snapshot, _, key, own) => {
  const context = contextIn<PaymentContext>(snapshot);
  if (!context.debtors.some(({ debtorId }) => debtorId === context.debtorId)) return null;
  const batch = context.prepared ? outgoingPayment(context).batch : { externalId: own, ...unsentBatch(context) };
  const request = requests.createBatch(batch, key);
  const ofRule = byPaths(context, 'data.', request);
  return { request, lineOf: (field) => member(paymentLines, field) ?? ofRule(field) };
};
