import type { StepTable } from '../step.ts';
import { BatchListStep } from './BatchListStep.tsx';
import { BatchStep } from './BatchStep.tsx';

/** How the journeys of this area present themselves. */
export const batchSteps = {
  batch: {
    Step: BatchStep,
    layout: 'form',
    calls: ['getBatch', 'downloadPaymentFile'],
  },
  batchList: {
    Step: BatchListStep,
    layout: 'list',
    pendingPayments: true,
    rows: { member: 'batches', id: 'batchId', name: '', kind: 'Batch' },
    calls: ['getBatch'],
  },
} as const satisfies StepTable;
