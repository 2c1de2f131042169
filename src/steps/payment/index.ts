import type { StepTable } from '../step.ts';
import { PaymentStep } from './PaymentStep.tsx';
import { TransferStep } from './TransferStep.tsx';
import { payment } from './previews.ts';

/** The effect of creating a second record. */
const another = {
  label: 'Pay another',
  effect: 'Another batch is followed in its place. This one stays in the list of payments.',
};

/** How the journeys of this area present themselves. */
export const paymentSteps = {
  electronicPayment: {
    Step: PaymentStep,
    layout: 'form',
    another,
    calls: ['createBatch'],
    preview: payment,
  },
  filePayment: {
    Step: PaymentStep,
    layout: 'form',
    another,
    calls: ['createBatch'],
    preview: payment,
  },
  transfer: {
    Step: TransferStep,
    layout: 'list',
    calls: [],
  },
} as const satisfies StepTable;
