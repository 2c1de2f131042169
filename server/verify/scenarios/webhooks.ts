import { atBatch, heldBatch, type Scenario } from './scenario.ts';

/** Webhooks come to a program that listens. */
export const webhooks: readonly Scenario[] = [
  {
    id: 'webhooks',
    title: 'Genuine and forged webhooks arrive, the first one before the response to the batch',
    course: 'once',
    faults: [
      heldBatch,
      // The program learns the batch's id only when the body has ended.
      atBatch({ kind: 'slow', ms: 1500 }),
    ],
    webhooks: true,
    checks: [
      'webhook-answered',
      'webhook-forged',
      'webhook-altered',
      'webhook-old',
      'webhook-unknown-type',
      'webhook-duplicate',
      'webhook-order',
      'webhook-bytes',
      'webhook-signatures',
    ],
  },
  {
    id: 'misleading-webhook',
    title: 'Webhooks say failed and completed of a batch that fails in part',
    course: 'once',
    faults: [heldBatch],
    words: ['', 'fails'],
    misled: true,
    checks: ['webhook-hint'],
  },
];
