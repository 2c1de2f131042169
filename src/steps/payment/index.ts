import type { StepTable } from '../step.ts';
import { PaymentStep } from './PaymentStep.tsx';
import { TransferStep } from './TransferStep.tsx';
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

const payment: PreviewOf = (snapshot, _, key, own) => {
  const context = contextIn<PaymentContext>(snapshot);
  if (!context.debtors.some(({ debtorId }) => debtorId === context.debtorId)) return null;
  const batch = context.prepared ? outgoingPayment(context).batch : { externalId: own, ...unsentBatch(context) };
  const request = requests.createBatch(batch, key);
  const ofRule = byPaths(context, 'data.', request);
  return { request, lineOf: (field) => member(paymentLines, field) ?? ofRule(field) };
};

/** How the journeys of this area present themselves. */
export const paymentSteps = {
  electronicPayment: {
    Step: PaymentStep,
    layout: 'table',
    calls: ['createBatch'],
    preview: payment,
  },
  filePayment: {
    Step: PaymentStep,
    layout: 'table',
    calls: ['createBatch'],
    preview: payment,
  },
  transfer: {
    Step: TransferStep,
    layout: 'list',
    calls: [],
  },
} as const satisfies StepTable;
